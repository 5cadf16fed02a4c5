// What is generated from the words says exactly what the words say, and is up to date.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonOf } from '#record/canonical'
import { allBeside, besideLog } from '#schemas/beside-log'
import { CatalogFile } from '#schemas/catalog'
import { Envelope } from '#schemas/envelope'
import { schemaOf } from '#schemas/contents'
import { allKinds, isEvent, isKind, kinds } from '#schemas/kinds'
import { generatedFiles } from '../../docs/generate/files.ts'
import { GraphFile } from '#schemas/graph'
import { Intent } from '#schemas/intent'
import { ShellAdded, ShellCommands } from '#schemas/shell/table'
import { VlpMessage } from '#schemas/vlp'
import { mutant } from './schemas/mutant.ts'
import { factOf, intentSample, vlpSample } from './schemas/samples.ts'
import { count } from '../support/vitest/counts.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'schemas', 'generated')
const files = generatedFiles()

const Document = z.record(z.string(), z.json())
const documents = new Map(
  [...files].map(([path, text]) => [path, Document.parse(JSON.parse(text))]),
)

function seedFile(seed: string, file: string): z.infer<typeof Document> {
  return Document.parse(JSON.parse(readFileSync(join(root, 'seeds', seed, file), 'utf8')))
}

describe('the generated files', () => {
  test('are those that the words make: `npm run schemas` writes them', () => {
    const there = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => path.split('\\').join('/'))
    expect(there.toSorted()).toEqual([...files.keys()].toSorted())
    const stale = there.filter(
      (path) => readFileSync(join(folder, path), 'utf8') !== files.get(path),
    )
    expect(stale).toEqual([])
  })

  test('name no host but that of the dialect they are written in', () => {
    for (const [, text] of files) {
      const hosts = [...text.matchAll(/https?:\/\/([^/"]+)/g)].map(([, host]) => host)
      expect(hosts.filter((host) => host !== 'json-schema.org')).toEqual([])
    }
  })

  // AsyncAPI reads what it refers to as draft 7.
  test('use no keyword that draft 7 and 2020-12 read differently', () => {
    const apart = [
      'prefixItems',
      'unevaluatedProperties',
      'unevaluatedItems',
      '$dynamicRef',
      '$anchor',
    ]
    for (const [, text] of files) for (const word of apart) expect(text).not.toContain(`"${word}"`)
  })
})

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: fullFormats })

function check(path: string): ValidateFunction {
  const schema = documents.get(path)
  if (schema === undefined) throw new Error(`no ${path} is generated`)
  return ajv.getSchema(z.string().parse(schema['$id'])) ?? ajv.compile(schema)
}

const pairs: [path: string, words: z.ZodType, sample: unknown][] = [
  ['vlp-message.json', VlpMessage, vlpSample],
  ['intent.json', Intent, intentSample],
  ['graph.json', GraphFile, seedFile('gaps', 'graph.json')],
  ['graph.json', GraphFile, seedFile('core', 'graph.json')],
  ['graph.json', GraphFile, seedFile('airline', 'graph.json')],
  ['catalog.json', CatalogFile, seedFile('airline', 'catalog.json')],
  ['shell-commands.json', ShellCommands, seedFile('shell', 'commands/text.json')],
  ['shell-added.json', ShellAdded, seedFile('shell', 'commands/network.json')],
]
for (const kind of allKinds.filter(isEvent)) {
  const type = z.literal(`warrant.${kind}.v1`)
  const words = Envelope.extend({ type, data: schemaOf(kind) })
  pairs.push([`facts/${kind}.json`, words, factOf(kind)])
}

describe.each(pairs)('%s', (path, words, sample) => {
  test('takes a whole sample', () => {
    const takes = check(path)
    expect(takes(sample) ? [] : takes.errors).toEqual([])
    expect(words.safeParse(sample).error).toBeUndefined()
  })

  test('takes exactly what the words take', () => {
    const takes = check(path)
    fc.assert(
      fc.property(mutant(jsonOf(sample)), (value) => {
        expect(takes(value)).toBe(words.safeParse(value).success)
      }),
      { numRuns: count(300, 50) },
    )
  })
})

// That a text is a regular expression is more than a schema says.
test('shell-surroundings.json takes what the seed has', () => {
  const takes = check('shell-surroundings.json')
  const seed = seedFile('shell', 'surroundings.json')
  expect(takes(seed) ? [] : takes.errors).toEqual([])
  expect(takes({ ...seed, guard: {} })).toBe(false)
})

test('every file that people write may leave out what has a default', () => {
  expect(check('graph.json')({ primitives: [{ name: 'file' }] })).toBe(true)
  expect(check('catalog.json')({})).toBe(true)
  expect(check('intent.json')({ tool: 'files.read' })).toBe(true)
  expect(check('graph.json')({})).toBe(false)
  expect(check('intent.json')({})).toBe(false)
})

const Channel = z.looseObject({
  address: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  'x-bound-by': z.array(z.string()).optional(),
})
const Beside = z.enum(allBeside)
const AsyncApi = z.looseObject({ channels: z.record(z.string(), Channel) })

describe('the AsyncAPI document', () => {
  const document = documents.get('asyncapi.json') ?? {}

  test('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference = '']) => reference,
    )
    expect(references.length).toBeGreaterThan(50)
    expect(references.filter((reference) => !isThere(reference))).toEqual([])
  })

  test('has a channel for each kind of fact and each hint, with the tokens that names have', () => {
    const { channels } = AsyncApi.parse(document)
    expect(Object.keys(channels)).toEqual([...allKinds, ...allBeside])
    const unbound = allKinds.filter((kind) => channels[kind]?.['x-bound-by']?.length === 0)
    expect(unbound).toEqual(['drill', 'drillanswer'])
    for (const [kind, { address, parameters }] of Object.entries(channels)) {
      const before = isKind(kind) ? ['{realm}', '{era}', kind] : ['{realm}', kind]
      const tokens = address.split('.')
      expect(tokens.splice(0, before.length)).toEqual(before)
      const own = isKind(kind) ? kinds[kind].tokens : besideLog[Beside.parse(kind)].tokens
      expect(own).toHaveLength(tokens.length)
      const asked = [...address.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name)
      expect(Object.keys(parameters)).toEqual(asked)
    }
  })
})

function isThere(reference: string): boolean {
  const [file = '', pointer = ''] = reference.split('#')
  let here: unknown = documents.get(file === '' ? 'asyncapi.json' : posix.normalize(file))
  for (const key of pointer.split('/').slice(1)) {
    if (typeof here !== 'object' || here === null) return false
    here = Object.getOwnPropertyDescriptor(here, key)?.value
  }
  return here !== undefined
}
