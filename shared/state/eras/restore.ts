// A state out of the chunks of a snapshot. It believes nothing of who wrote them: anyone who reads
// a snapshot must know its digest from a trusted source.
import { z } from 'zod'
import { utf8 } from '#platform/bytes'
import { Fault } from '#record/fault'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { newState, type State } from '../state.ts'
import { allKept } from './genesis.ts'
import type { LineReading } from '../part-lines.ts'
import { sealAt } from './seal.ts'

interface Written {
  readonly realm: string
  readonly rootKey?: string | null
}

/** The state that was written in these chunks. Throws a Fault for chunks that no state wrote. */
export function readSnapshot(chunks: Iterable<string>, { realm, rootKey = null }: Written): State {
  const readings = new Map(allKept.map((kept) => [kept.line, kept.reading()]))
  let rest = ''
  for (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(readings, line)
  }
  if (rest !== '') throw unreadable('its last line is not whole')
  const state = newState({ realm, era: 1 }, rootKey)
  for (const reading of readings.values()) reading.end(state)
  if (state.sealed !== null) sealAt(state, state.sealed)
  return state
}

// One intent may hold several facts, and each nests deeper here than where it was.
const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 160, inexact: 'change' } as const

const Line = z.looseObject({ line: z.string() })

function take(readings: ReadonlyMap<string, LineReading>, text: string): void {
  const json = readJson(utf8(text), limits)
  if (!json.ok) throw unreadable(describeJsonFault(json))
  const parsed = Line.safeParse(json.value)
  const { line = '', ...body } = parsed.data ?? {}
  const reading = readings.get(line)
  if (reading === undefined) throw unreadable('/line Invalid input')
  const why = reading.take(body)
  if (why !== null) throw unreadable(why)
}

function unreadable(why: string): Fault {
  return new Fault('snapshot_unreadable', `the snapshot cannot be read: ${why}`)
}
