// What an intent asks for, for those who act on its verdict.
import { newestRules } from '#rules/catalog/rules-version'
import { Fault } from '#record/fault'
import { openingOf } from '#messages/opening'
import type { Fact } from '#ports/log'
import type { Intent } from '#schemas/intent'

/** Out of the message that opened it. Throws a Fault `no_intent` where it opens none. */
export function requestOf(opening: Fact | undefined, address: string): Intent {
  const by = { knownConstraints: [], rules: newestRules, exact: false }
  const request = opening === undefined ? null : (openingOf(opening, by)?.request ?? null)
  if (request === null) throw new Fault('no_intent', `\`${address}\` opens no intent`)
  return request
}
