// Random graphs under names that only careless programs trip over, and concepts that name their
// primitives, or do so in another form, or mean none or several.
import fc from 'fast-check'
import { GraphFile } from '#schemas/graph'
import type { GroundingQuery } from '#knowledge/grounding/ground'
import {
  graphFile,
  graphNames,
  minDepth,
  profile,
} from '../../support/samples/graph-arbitraries.ts'

/** No two are one name; some are forms of one another. */
export const hardNames = [
  'Straße',
  'Cafe\u0301',
  'ılık',
  'İstanbul',
  'ΣΊΣΥΦΟΣ',
  '🧾 receipt',
  '👩‍👩‍👧‍👦',
  "'}) DETACH DELETE n //",
  '`n`) RETURN 1; MATCH (x',
  '$keys',
  '\\u0041\\',
  '"quoted"',
  '__proto__',
  'constructor',
  'file',
  'delete file',
  'deleted_files',
  'DELETE-filing',
  'goose',
  'two\nlines',
  '\u{10FFFF}',
  '   ',
] as const

/** The same names as people type them, in other forms of the same words, and strangers. */
const hardConcepts = [
  ...hardNames,
  ...hardNames.map((name) => name.toUpperCase()),
  ...hardNames.map((name) => name.normalize('NFD')),
  'STRASSE',
  'straẞe',
  'CAFÉ',
  'ILIK',
  'istanbul',
  'i\u0307stanbul',
  'σίσυφος',
  '🧾 receipts',
  'Files',
  'ﬁle',
  'deletes files',
  'deleting file',
  'geese',
  'unknown',
  '',
  '-_ ',
  '\u{10FFFE}',
]

export interface Asked {
  readonly file: GraphFile
  readonly query: GroundingQuery
}

/** Forms of the same words, so that a concept may fit several. */
const family = hardNames.filter((name) => /delet/i.test(name))

const drawnNames = fc.shuffledSubarray([...hardNames], { minLength: graphNames.length })
const names: fc.Arbitrary<readonly string[]> = fc.oneof(
  drawnNames,
  drawnNames.map((drawn) => [...new Set([...family, ...drawn])]),
)
const stranger = fc.oneof(
  fc.constantFrom(...hardConcepts),
  fc.constantFrom('deletes files', 'deleting file', 'geese'),
)
const rest = {
  picks: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
  strangers: fc.oneof(fc.constant([]), fc.constant([]), fc.array(stranger, { maxLength: 2 })),
  minDepth,
  profile,
}

/** Most concepts are of names that are there. */
export const asked: fc.Arbitrary<Asked> = fc
  .record({ drawn: graphFile, names, ...rest })
  .map(({ drawn, names: given, picks, strangers, ...rules }) => {
    const named = picks.map((pick) => given[pick % drawn.primitives.length] ?? '')
    return {
      file: renamed(drawn, given),
      query: { concepts: [...strangers, ...named], ...rules },
    }
  })

function renamed(file: GraphFile, given: readonly string[]): GraphFile {
  const names = new Map<string, string>(graphNames.map((name, at) => [name, given[at] ?? name]))
  const turned = file.primitives.map(({ name, depths }) => ({
    name: names.get(name),
    depths: depths.map(({ relata, ...depth }) => ({
      ...depth,
      relata: relata.map((relatum) => ({ ...relatum, target: names.get(relatum.target) })),
    })),
  }))
  return GraphFile.parse({ primitives: turned })
}
