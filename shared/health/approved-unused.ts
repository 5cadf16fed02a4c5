// Calls that people approved and that were not begun: still good, or over. Neither the agent nor
// who approved would know by themselves.
import { readData } from '#record/event'
import { nameOf, partsInRealm, patternsOf, type Place } from '#record/names'
import type { Fact, LogReader } from '#ports/log'
import type { AllowWeighing } from '#replay/verdicts/forged'
import { positionSince } from '#runtime/logs/seek'

export interface ApprovedCall {
  /** The address of the intent. */
  readonly intent: string
  readonly position: number
  readonly approvedAt: number
  readonly tool: string
  readonly by: readonly string[]
  /** Until when it may be begun, in milliseconds since 1970. */
  readonly useBy: number
}

export const unusedDays = 7
const dayMs = 86_400_000

/** Those of the last days, the oldest first, without what no stage would have bound. */
export async function approvedUnused(
  log: LogReader,
  place: Place,
  { now, weighing }: { readonly now: number; readonly weighing: AllowWeighing },
): Promise<readonly ApprovedCall[]> {
  const from = await positionSince(log, place, now - unusedDays * dayMs)
  const { position: to } = await log.head()
  if (from > to) return []
  const found: ApprovedCall[] = []
  for await (const fact of log.read({ from, to }, patternsOf(place, 'verdict'))) {
    const call = approvedIn(fact, place)
    if (call === null || (await isBegun(log, place, call))) continue
    if ((await weighing.forged(fact)) === null) found.push(call)
  }
  return found
}

/** What people approved, and that is enforced; null where the verdict is another. */
export function approvedIn(fact: Fact, { realm }: Pick<Place, 'realm'>): ApprovedCall | null {
  if (!hasApprovers(fact)) return null
  const verdict = readData('verdict', fact)
  const address = partsInRealm(fact.name, realm)?.address ?? null
  if (verdict === null || address === null) return null
  const { outcome, terms, release, observed } = verdict
  if (outcome !== 'allow' || terms === null || observed) return null
  const { position, appendedAt: approvedAt } = fact
  const by = release?.confirmedBy ?? []
  const useBy = Date.parse(terms.useBy)
  return { intent: address, position, approvedAt, tool: terms.capability, by, useBy }
}

// Most verdicts have none, and to read one whole costs more than to look.
function hasApprovers({ bytes }: Fact): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"confirmedBy":["')
}

async function isBegun(log: LogReader, { realm, era }: Place, { intent }: ApprovedCall) {
  for (let of = era; of >= 1; of -= 1) {
    for (const kind of ['start', 'ownstart'] as const) {
      if ((await log.get(nameOf({ realm, era: of }, kind, intent))) !== undefined) return true
    }
  }
  return false
}
