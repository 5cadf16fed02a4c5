// The signed change sets that a catalog came from, as text. An era carries them, so that anyone who
// has no more than that era can know whether the key that began the log let its signer sign.
// Nothing in them is believed that is not signed.
import { z } from 'zod'
import { later } from '#schemas/later'
import { textOfUtf8, utf8 } from '#platform/bytes'
import { numberOf } from '../sequence.ts'
import { partsInRealm } from '#record/names'
import { readJson } from '#record/json'
import { evolveCatalog } from './changes.ts'
import { catalogText, chunksOf } from '../eras/genesis.ts'
import { newState, type State } from '../state.ts'

/** A change set of the catalog, as it was bound. */
export interface BoundChange {
  readonly name: string
  readonly bytes: Uint8Array
}

const Line = later(() => z.strictObject({ name: z.string(), fact: z.string() }))

/** A fact as a JSON string takes at most six characters for each of its own. */
const limits = { bytesMax: 2 * 1024 * 1024, depthMax: 4, inexact: 'change' } as const

/** Their text in chunks that each fit into a fact. */
export function writeCatalogs(changes: readonly BoundChange[]): Generator<string> {
  const lines = changes.map(({ name, bytes }) => {
    return JSON.stringify({ name, fact: textOfUtf8(bytes) })
  })
  return chunksOf(lines)
}

/** Those that were written in these chunks; null where none were. */
export function readCatalogs(chunks: Iterable<string>): readonly BoundChange[] | null {
  const lines = [...chunks].join('').split('\n')
  if (lines.pop() !== '' || lines.length === 0) return null
  const changes: BoundChange[] = []
  for (const text of lines) {
    const json = readJson(utf8(text), limits)
    const line = Line.safeParse(json.ok ? json.value : null)
    if (!line.success) return null
    const { name, fact } = line.data
    changes.push({ name, bytes: utf8(fact) })
  }
  return changes
}

/** Whether these change sets, the first of them by the root key, make the catalog of that state. */
export function leadsTo(
  { place, root, log, catalog, catalogRevision }: State,
  changes: readonly BoundChange[],
): boolean {
  const { realm } = place
  const made = newState({ realm, era: 1 }, root)
  for (const { name, bytes } of changes) {
    const parts = partsInRealm(name, realm)
    const number = parts?.kind === 'catalog' ? numberOf(parts.tokens[0]) : null
    // Numbers that junk had used are not here.
    if (number === null || number < made.catalogSequence.next) return false
    made.catalogSequence = { next: number, used: made.catalogSequence.used }
    if (evolveCatalog(made, { name, bytes, position: 0, appendedAt: 0 }, number) !== null) {
      return false
    }
  }
  const isSame = made.catalogRevision === catalogRevision && made.log === log
  return isSame && made.root === root && catalogText(made.catalog) === catalogText(catalog)
}
