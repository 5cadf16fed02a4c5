// Verdicts of the same recording, played twice: what was decided on each call, without the names of
// a run in it.
import { callKey } from '#demo/recorded'
import type { Played } from '#demo/player'

/** By `callKey`: outcome, reasons, and whether someone was asked. */
export type PlayedVerdicts = Map<string, string>

export interface ComparedVerdicts {
  readonly same: number
  readonly different: number
}

export function keepVerdict(kept: PlayedVerdicts, { call, verdict, asked }: Played): void {
  const { outcome, reasons } = verdict
  kept.set(callKey(call), JSON.stringify({ outcome, reasons, asked }))
}

/** A call that only one of them has is different. */
export function comparedVerdicts(one: PlayedVerdicts, other: PlayedVerdicts): ComparedVerdicts {
  const calls = [...new Set([...one.keys(), ...other.keys()])]
  const same = calls.filter((call) => one.get(call) === other.get(call)).length
  return { same, different: calls.length - same }
}
