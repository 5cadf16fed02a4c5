// A state as text, cut into chunks that each fit into a fact. Anyone who folded the same facts
// writes the same text, whatever it started from; that is how a snapshot is checked.
import { canonical, jsonOf } from '#record/canonical'
import { digestOf } from '#record/digest'
import type { Catalog } from '#rules/catalog/catalog'
import { allSlices } from '../slices/list.ts'
import { newState, type State } from '../state.ts'
import { catalogLines } from './catalog-lines.ts'
import { aheadLine, earlyLine, graphLine, headLine, intentLine } from './core-lines.ts'
import type { Kept, KeptOf } from '../part-lines.ts'

/** As JSON in a fact a character takes three bytes at most, and a fact has 262 144. */
const chunkCharactersMax = 80_000

/** All lines that there are, each once; of those of one owner the first is written first. */
export const allKept: readonly Kept[] = [
  headLine,
  ...catalogLines,
  graphLine,
  intentLine,
  ...allSlices.flatMap((slice) => slice.kept),
  earlyLine,
  aheadLine,
]

/** The chunks of the state; of one that is sealed, as it was at the seal. */
export function writeSnapshot(state: State): Generator<string> {
  return chunksOf(linesOf(state))
}

/**
 * The chunks of what cannot be folded from a few facts alone: the intents, the uses, and how far
 * the sequence of uses were used.
 */
export function writeWork(state: State): Generator<string> {
  return chunksOf(workOf(state))
}

/** Lines as chunks, each of which fits into a fact. */
export function* chunksOf(lines: Iterable<string>): Generator<string> {
  let waiting = ''
  for (const line of lines) {
    waiting += `${line}\n`
    while (waiting.length > chunkCharactersMax) {
      const chunk = waiting.slice(0, cutBefore(waiting, chunkCharactersMax))
      waiting = waiting.slice(chunk.length)
      yield chunk
    }
  }
  yield waiting
}

// Half a surrogate pair is no text.
function cutBefore(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/** What the first chunk comes after. */
export const chainStart = digestOf('')

/** The chain of digests with one more chunk. */
export function chained(after: string, text: string): string {
  return digestOf(`${after}\n${text}`)
}

/** The chain of digests after each chunk. */
export function* chainOf(chunks: Iterable<string>): Generator<string> {
  let digest = chainStart
  for (const chunk of chunks) {
    digest = chained(digest, chunk)
    yield digest
  }
}

function* linesOf(state: State): Generator<string> {
  yield* linesWith(state, 'people')
  yield* linesWith(state, 'log')
  yield* linesWith(state, 'all_cells')
}

function* workOf(state: State): Generator<string> {
  for (const line of headLine.lines(state)) yield JSON.stringify(line)
  yield* linesWith(state, 'log')
}

// What the stages wrote is canonical in the log, so it is here.
function* linesWith(state: State, owner: KeptOf): Generator<string> {
  for (const { of, lines } of allKept) {
    if (of !== owner) continue
    for (const line of lines(state)) {
      yield owner === 'people' ? JSON.stringify(line) : canonical(jsonOf(line))
    }
  }
}

/** A catalog as text: two catalogs are the same if this is. */
export function catalogText(catalog: Catalog): string {
  const state = { ...newState({ realm: 'any', era: 1 }), catalog }
  const lines = catalogLines.flatMap((kept) => [...kept.lines(state)])
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
