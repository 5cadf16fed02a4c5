// What a verdict came to, with what was asked and who approved it, as one row and as one line: for
// those who want to know who allowed what, and not how it came about.
import { canonicalBytes, type JsonMap } from '#record/canonical'
import { readData } from '#record/event'
import { partsInRealm } from '#record/names'
import type { Fact } from '#ports/log'
import { addressAbout } from '#present/story/story'
import { lineArguments } from '#present/console/row-text'
import { listed } from '#record/quote'
import type { DecisionRow } from '#schemas/operations/facts'
import type { IntentsAsked } from './asked-for.ts'

const argsBytesMax = 4_096

/** Null for what is no verdict. */
export async function decidedIn(
  fact: Fact,
  realm: string,
  asked: IntentsAsked,
): Promise<DecisionRow | null> {
  const parts = partsInRealm(fact.name, realm)
  const verdict = parts?.kind === 'verdict' ? readData('verdict', fact) : null
  if (parts === null || verdict === null) return null
  const [of, request] = [await asked.of(fact), await asked.requestOf(fact)]
  const { args = {}, reason = '' } = request ?? {}
  const isShort = of?.tools === undefined && bytesOf(args) <= argsBytesMax
  return {
    intent: addressAbout(fact, parts) ?? '',
    agent: of?.agent ?? '',
    args: isShort ? args : null,
    outcome: verdict.outcome,
    reasons: verdict.reasons.map(({ code }) => code),
    approvedBy: [...(verdict.release?.confirmedBy ?? [])],
    reason,
  }
}

/** From the agent: a number may be one that no fact takes, such as `1e999`. */
function bytesOf(args: JsonMap): number {
  try {
    return canonicalBytes(args).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Outcome, who asked for what, why not, who approved it, and why it was asked for. */
export function decidedText(
  { agent, args, outcome, reasons, approvedBy, reason }: DecisionRow,
  tool: string,
): string {
  const given = args === null ? '' : lineArguments({ args, argsBytes: 0 })
  const shown = given === '' || given === '{}' ? '' : ` (${given})`
  const [why] = reasons
  return [
    `${outcome.padEnd(5)}  ${agent}  ${tool}${shown}`,
    ...(outcome === 'deny' && why !== undefined ? [why] : []),
    ...(approvedBy.length > 0 ? [`approved by ${listed(approvedBy, 'and')}`] : []),
    ...(reason === '' ? [] : [`“${reason}”`]),
  ].join('  ')
}
