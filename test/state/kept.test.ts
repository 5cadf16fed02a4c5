// How parts of the state are kept, by every log that a released version wrote: what is written is
// read back to the byte, and where the log's clock is set back nothing but times of the log moves.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson } from '#record/json'
import { emptyCatalog } from '#rules/catalog/catalog'
import { writeSnapshot } from '#state/eras/genesis'
import { resetClock } from '#state/eras/reset'
import { readSnapshot } from '#state/eras/restore'
import { evolve } from '#state/fold/evolve'
import { newState, type State } from '#state/state'
import { catalogLines } from '#state/eras/catalog-lines'
import { placeIn, readGolden } from '../golden/golden-log.ts'

const golden = fileURLToPath(new URL('../golden/', import.meta.url))
const versions = readdirSync(golden).filter((name) => /^\d+\.\d+\.\d+/.test(name))

interface Kept {
  readonly realm: string
  readonly text: string
}

const written = (state: State): string => [...writeSnapshot(state)].join('')
const read = ({ realm, text }: Kept): State => readSnapshot([text], { realm })

const statesOfLog = 12

let all: readonly Kept[]

beforeAll(async () => {
  const logs = await Promise.all(versions.map((version) => readGolden(join(golden, version))))
  all = logs.flatMap((facts) => {
    const place = placeIn(facts)
    const state = newState(place)
    const seen: Kept[] = []
    const step = Math.ceil(facts.length / statesOfLog)
    for (const fact of facts) {
      evolve(state, fact)
      const isShown = fact.position % step === 0 && state.sealed === null
      if (isShown) seen.push({ realm: place.realm, text: written(state) })
    }
    return seen
  })
})

test('what is written is read back, and written the same', () => {
  expect(all.length).toBeGreaterThan(100)
  for (const kept of all) expect(written(read(kept))).toBe(kept.text)
})

test('a clock that is set back to where it was changes nothing', () => {
  for (const kept of all) {
    const state = read(kept)
    resetClock(state, { from: state.appendedAt, to: state.appendedAt })
    expect(written(state)).toBe(kept.text)
  }
})

/** All that the clock moves, as golden logs have it. */
const instants = [
  'answers/times/*',
  'asks/times/*',
  'budgetUses/uses/*/at',
  'contract/contract/appendedAt',
  'contract/contract/pastAt',
  'contract/contract/pending/*/appendedAt',
  'contract/contract/started/until',
  'drill/drill/appendedAt',
  'drill/drill/decideBy',
  'history/asked/appendedAt',
  'intent/intent/appendedAt',
  'intent/intent/decisions/*/appendedAt',
  'intent/intent/hold/until',
  'intent/intent/review/appendedAt',
  'intent/intent/review/decideBy',
  'proposal/proposal/agreed/appendedAt',
  'proposal/proposal/appendedAt',
  'proposal/proposal/suggestions/lastAt',
  'standing/standing/steps/*/appendedAt',
  'standing/standing/suspendedBy/appendedAt',
  'uses/times/*',
]

const Line = z.looseObject({ line: z.string() })

/** Where two values differ, with `*` for the places of a list. */
function differences(one: unknown, other: unknown, path: string): readonly string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.flatMap((each, index) => differences(each, other[index], `${path}/*`))
  }
  const [left, right] = [Members.safeParse(one).data, Members.safeParse(other).data]
  if (left === undefined || right === undefined) return one === other ? [] : [path]
  return Object.keys(left).flatMap((key) => differences(left[key], right[key], `${path}/${key}`))
}

const Members = z.record(z.string(), z.unknown())

function linesOf(text: string): readonly z.infer<typeof Line>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(parseJson(line)))
}

test('a clock that is set back moves when facts were appended, and what waits for a time', () => {
  const moved = all.flatMap((kept) => {
    const state = read(kept)
    resetClock(state, { from: state.appendedAt, to: state.appendedAt - 86_400_000_000 })
    const after = linesOf(written(state))
    return linesOf(kept.text).flatMap((line, index) => {
      return differences(line, after[index], line.line)
    })
  })
  expect([...new Set(moved)].toSorted()).toEqual(instants)
})

test('of the entries of a catalog no more is made at once than is written', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `agent-${index}`)
  const entries = ids.map((id) => ({ id, roles: [], attributes: {}, keys: [], suspended: false }))
  let made = 0
  class Counted extends Map<string, (typeof entries)[number]> {
    override *values(): MapIterator<(typeof entries)[number]> {
      for (const entry of super.values()) {
        made += 1
        yield entry
      }
      return undefined
    }
  }
  const principals = new Counted(entries.map((entry) => [entry.id, entry]))
  const state = { ...newState({ realm: 'main', era: 1 }), catalog: { ...emptyCatalog, principals } }
  const kept = catalogLines.find(({ line }) => line === 'principal')
  let written = 0
  for (const _ of kept?.lines(state) ?? []) expect(made).toBe((written += 1))
  expect(written).toBe(ids.length)
})
