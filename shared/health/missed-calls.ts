// Calls that were to be observed and are not in the log: counted on this machine, where the log
// cannot be reached. One line for each, in a file of the user's own, to which many processes add.
import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#record/json'
import type { Settings } from '#schemas/settings/settings'
import { keyPlaces } from '#runtime/keys/key-files'

export interface MissedCalls {
  readonly count: number
  /** Whether there may be more: the file takes no more of them. */
  readonly isFull: boolean
  /** The last of them: milliseconds since 1970, through what it came, and why it was missed. */
  readonly last: { readonly at: number; readonly door: string; readonly why: string }
}

const Missed = z.object({ at: z.int(), door: z.string(), why: z.string() })
const bytesMax = 1024 * 1024
const whyMax = 400

/** Beside the user's keys, which are in no project. */
export function missedCallsFile(settings: Settings): string {
  const { home } = keyPlaces(null, settings)
  return join(settings.keys === undefined ? dirname(home) : home, 'missed-calls.ndjson')
}

/** It never throws: what cannot be counted must not stop the call either. */
export function noteMissed(file: string, { at, door, why }: MissedCalls['last']): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (sizeOf(file) >= bytesMax) return
    appendFileSync(file, `${JSON.stringify({ at, door, why: why.slice(0, whyMax) })}\n`)
  } catch {
    // It is on standard error all the same.
  }
}

/** Those since that time; null where there is none. A line that cannot be read counts for none. */
export function missedCalls(file: string, since = 0): MissedCalls | null {
  let last: MissedCalls['last'] | null = null
  let count = 0
  for (const line of textOf(file).split('\n')) {
    const missed = Missed.safeParse(valueOf(line))
    if (!missed.success || missed.data.at < since) continue
    count += 1
    last = missed.data
  }
  return last === null ? null : { count, last, isFull: sizeOf(file) >= bytesMax }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function valueOf(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return null
  }
}
