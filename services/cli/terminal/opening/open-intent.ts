// The open intent that someone means, or why there is none: a verdict that has come ends it for
// ever.
import { principalNamed } from '#rules/catalog/catalog'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import type { OpenIntent } from '#state/intent'
import type { Fact } from '#ports/log'
import { reasonText } from '#present/reason-text'
import { duration, utc } from '#present/wording'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { findIntent, pickIntent } from '#operations/finding/intent-named'

export async function openIntentNamed(runtime: Runtime, meant: string): Promise<OpenIntent> {
  const { follower, place, log } = runtime
  const { intents } = follower.state
  const found = pickIntent(meant, place, intents.keys())
  const intent = found === null ? undefined : intents.get(found)
  if (intent !== undefined) return intent
  const address = await findIntent(log, place, meant)
  const verdict = await factAbout(runtime, 'verdict', address)
  if (verdict !== undefined)
    throw new Fault('not_open', await decidedText(runtime, address, verdict))
  throw new Fault('not_open', `\`${address}\` is a message that asks for nothing`)
}

/** How it ended, for a person whose answer comes too late. */
async function decidedText(
  { log, clock }: Runtime,
  address: string,
  verdict: Fact,
): Promise<string> {
  const data = readData('verdict', verdict)
  const decided = `\`${address}\` is already decided, at position ${verdict.position}`
  if (data === null) return decided
  const { outcome, reasons, review } = data
  if (outcome === 'allow') return `too late: ${decided}: allowed at ${utc(verdict.appendedAt)}`
  const [first] = reasons
  if (first?.code !== 'review_expired') {
    const why = first === undefined ? '' : `: ${reasonText(first)}`
    return `too late: ${decided}${why}`
  }
  const asked = review === null ? undefined : await log.get(review)
  const decideBy = readData('review', asked)?.decideBy
  const agoMs = clock.now() - Date.parse(decideBy ?? new Date(verdict.appendedAt).toISOString())
  return `too late: it expired ${duration(agoMs)} ago and was denied: ${decided}`
}

/** The agent of an open intent in full, where the catalog has it. */
export function agentOf({ follower }: Runtime, { address }: OpenIntent): string {
  const [agent = ''] = address.split('.')
  return principalNamed(follower.state.catalog, agent)?.id ?? agent
}
