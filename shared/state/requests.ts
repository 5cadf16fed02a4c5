// Which requests of an agent are open, so that asking again for the same is recognised: one
// approval is one run. Only a log under rules that have this keeps it.
import type { Intent } from '#schemas/intent'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import { hasRules } from '#rules/catalog/rules-version'
import { isJustified } from '#rules/chain/justification'
import { lacksJustification } from '#rules/chain/questions'
import type { OpenIntent } from './intent.ts'
import { requestKey, type Equal } from './request-key.ts'
import type { State } from './state.ts'

type Requests = Pick<State, 'requests' | 'catalog' | 'catalogRevision' | 'intents'>

type Reasoned = Equal & Pick<Intent, 'justification'>

export interface EqualRequest {
  /** What an intent that opens now is recognised by, and to which open one it is equal. */
  readonly of: Pick<OpenIntent, 'request' | 'equalTo' | 'unreasoned'>
  /** The open one whose place it takes. */
  readonly replaced: OpenIntent | null
}

const unequal: EqualRequest = { of: {}, replaced: null }

/** `isOwn`: whether what asks is the agent's own word, without which nothing is replaced. */
export function equalRequest(
  state: Requests,
  address: string,
  request: Reasoned | null,
  isOwn: () => boolean,
): EqualRequest {
  const key = request === null ? null : requestKey(state.catalog, address, request)
  if (key === null || request === null) return unequal
  const { catalog, catalogRevision: revision } = state
  const isKept = hasRules(catalog, 'replacedRequests')
  const of = {
    request: key,
    ...(isKept && lacksReason(catalog, request) && { unreasoned: revision }),
  }
  const first = state.intents.get(state.requests.get(key) ?? '')
  if (first === undefined) return { of, replaced: null }
  const isReplaced = isKept && givesWay(state, first, request) && isOwn()
  return isReplaced
    ? { of, replaced: first }
    : { of: { ...of, equalTo: first.name }, replaced: null }
}

/**
 * Whether the open request lacks the reason that this equal one brings, and nothing but that. Once
 * a person has answered it does not; nor where it could have been allowed meanwhile without one.
 */
function givesWay(
  { catalog, catalogRevision }: Requests,
  { review, decisions, unreasoned, withdrawn }: OpenIntent,
  { justification }: Reasoned,
): boolean {
  const { justificationCharacters } = rulesBuiltIn(catalog)
  if (withdrawn !== null || !isJustified(justification, justificationCharacters)) return false
  if (review === null) return unreasoned === catalogRevision
  return review.asksReason && review.questions === 1 && decisions.length === 0
}

function lacksReason(catalog: State['catalog'], { tool, justification }: Reasoned): boolean {
  const capability = catalog.capabilities.get(tool)
  return lacksJustification({
    violations: [],
    builtIn: rulesBuiltIn(catalog),
    request: { justification },
    ...(capability !== undefined && { capability }),
  })
}

export interface EqualOpen {
  readonly intent: OpenIntent
  /** Whether asking takes its place: by the rules of the log, or once its agent takes it back. */
  readonly givesWay: 'by_rule' | 'once_withdrawn' | null
}

/** The open intent that asking for this would repeat; `address` says the agent and the session. */
export function equalOpen(state: Requests, address: string, request: Reasoned): EqualOpen | null {
  const key = requestKey(state.catalog, address, request)
  const intent = key === null ? undefined : state.intents.get(state.requests.get(key) ?? '')
  if (intent === undefined) return null
  if (!givesWay(state, intent, request)) return { intent, givesWay: null }
  const isRule = hasRules(state.catalog, 'replacedRequests')
  return { intent, givesWay: isRule ? 'by_rule' : 'once_withdrawn' }
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
  how: Exclude<OpenIntent['withdrawn'], 'replaced' | null>,
): OpenIntent {
  expectNoEqual(state, intent)
  return { ...intent, withdrawn: how }
}

/** The intent once another one, under that name, has taken its place. */
export function replacedBy(
  state: Pick<State, 'requests'>,
  intent: OpenIntent,
  name: string,
): OpenIntent {
  expectNoEqual(state, intent)
  return { ...intent, withdrawn: 'replaced', replacedBy: name }
}
