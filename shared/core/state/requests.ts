// Which requests of an agent are open, so that asking again for the same is recognised: one
// approval is one run. Only a log under rules that have this keeps it.
import type { Intent } from '#schemas/intent'
import { hasRules } from '../catalog/rules-version.ts'
import { jsonOf } from '../kernel/canonical.ts'
import { digestOfJson } from '../kernel/digest.ts'
import { isObserved } from '../rules/judged.ts'
import { agentIn } from '../kernel/names.ts'
import { sessionIn } from './agents.ts'
import type { OpenIntent } from './intent.ts'
import type { State } from './state.ts'

type Requests = Pick<State, 'requests' | 'catalog' | 'intents'>

/** What makes two requests equal, beside their agent and their session. */
type Equal = Pick<
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

/** What an intent that opens now is recognised by, and to which open one it is equal. */
export function equalRequest(
  state: Requests,
  address: string,
  request: Equal | null,
): Pick<OpenIntent, 'request' | 'equalTo'> {
  const key = request === null ? null : requestKey(state.catalog, address, request)
  if (key === null) return {}
  const first = state.intents.get(state.requests.get(key) ?? '')
  return { request: key, ...(first !== undefined && { equalTo: first.name }) }
}

/** The open intent that asking for this would repeat; `address` says the agent and the session. */
export function equalOpen(state: Requests, address: string, request: Equal): OpenIntent | null {
  const key = requestKey(state.catalog, address, request)
  return key === null ? null : (state.intents.get(state.requests.get(key) ?? '') ?? null)
}

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
  const by = { agent: agentIn(address), session: sessionIn(address) }
  // For others it is another request than for the agent alone.
  const acting = delegation === undefined ? {} : { delegation }
  return digestOfJson(jsonOf({ ...by, tool, args, constraints, scope, ...acting }))
}

/** From now on an equal request repeats this one. */
export function expectEqual({ requests }: Pick<State, 'requests'>, intent: OpenIntent): void {
  const { address, request, equalTo, withdrawn } = intent
  if (request === undefined || equalTo !== undefined || withdrawn !== null) return
  requests.set(request, address)
}

export function expectNoEqual(
  { requests }: Pick<State, 'requests'>,
  { address, request }: OpenIntent,
): void {
  if (request !== undefined && requests.get(request) === address) requests.delete(request)
}

/** The intent once its agent has taken it back: it may be asked for again before its verdict. */
export function takenBack(
  state: Pick<State, 'requests'>,
  intent: OpenIntent,
  how: NonNullable<OpenIntent['withdrawn']>,
): OpenIntent {
  expectNoEqual(state, intent)
  return { ...intent, withdrawn: how }
}
