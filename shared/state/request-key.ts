// By which equal requests are recognised: a client knows it as well, without the rules that say
// what becomes of a request that repeats another.
import type { Intent } from '#schemas/intent'
import { hasRules } from '#rules/catalog/rules-version'
import { digestOfJson } from '#record/digest'
import { agentIn, sessionIn } from '#record/names'
import { isObserved } from '#rules/chain/judged'

/** What makes two requests equal, beside their agent and their session. */
export type Equal = Pick<
  Intent,
  | 'tool'
  | 'args'
  | 'constraints'
  | 'scope'
  | 'delegation'
  | 'distinct'
  | 'observe'
  | 'subject'
  | 'search'
  | 'evaluations'
>

/**
 * By which equal requests of the agent and the session in the address are recognised; null where it
 * may stand beside any other. What is observed permits nothing, and so repeats nothing.
 */
export function requestKey(
  rules: { readonly rules: number },
  address: string,
  request: Equal,
): string | null {
  if (!hasRules(rules, 'equalRequests')) return null
  if (request.distinct === true || isObserved(request)) return null
  const { tool, args, constraints = {}, scope = {}, delegation } = request
  // In the order of their names, in which they are written. For others it is another request than
  // for the agent alone.
  return digestOfJson({
    agent: agentIn(address),
    args,
    constraints,
    ...(delegation !== undefined && { delegation }),
    scope,
    session: sessionIn(address),
    tool,
  })
}
