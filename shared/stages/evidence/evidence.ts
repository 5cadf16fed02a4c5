// What counts as evidence: messages in the intent's session, under their own senders' names, of
// those whom the catalog trusts, addressed to the agent that asks.
import type { Ground } from '#schemas/facts'
import { isFrom, isInSession } from '#messages/sender'
import { corrections, standingMessages, type SessionMessage } from '#messages/session'
import { capabilityOf, type Context, type View } from '../view.ts'
import { isFor, isReceiver, trustedSenders } from './trust.ts'

/** What the callbacks that receive the same senders are given. */
export interface Listening {
  /** What counts as evidence if it is signed as it must be. */
  readonly claims: readonly SessionMessage[]
  /** What JSON can say, and properties that are `undefined` where they are absent. */
  context(): object
}

// Only senders that the catalog trusts for this callback or this capability count, only in the
// session of the intent, under their own names, and only for the agent that they address: what an
// agent leaves out, cites or joins changes nothing.
export function listeningOf(
  view: View,
  { session }: Context,
  of: { readonly ground: Ground | null; readonly callback: string; readonly time: string },
): Listening {
  const capability = capabilityOf(view)?.id
  const trusted = trustedSenders(view, (what) => isFor(what, of.callback, capability))
  const claims = claimsOf(view, session, trusted)
  return { claims, context: () => contextOf(view, of, evidenceIn(view, claims, trusted)) }
}

/** What those say whom the catalog trusts for this capability, or for everything. */
export function evidenceFor(view: View, { session }: Context): readonly unknown[] {
  const capability = capabilityOf(view)?.id
  const trusted = trustedSenders(view, (what) => isFor(what, null, capability))
  return evidenceIn(view, claimsOf(view, session, trusted), trusted)
}

function claimsOf(
  { ref }: View,
  session: Context['session'],
  trusted: ReadonlyMap<string, unknown>,
): readonly SessionMessage[] {
  if (ref.session === null) return []
  return session.filter(({ name, sender, check }) => {
    return trusted.has(sender) && check.outcome !== 'fail' && isInSession(name, check.message)
  })
}

/** The messages to the agent of all whom the catalog trusts for anything, in log order. */
export function evidenceOf(view: View, { session }: Context): readonly SessionMessage[] {
  const claims = claimsOf(
    view,
    session,
    trustedSenders(view, () => true),
  )
  return countedFor(
    view,
    claims.filter(({ name, check }) => isFrom(name, check.message, view)),
  )
}

/** Whom the catalog trusts for the capability as such. */
export function sendersFor(view: View): ReadonlySet<string> {
  const capability = capabilityOf(view)?.id
  return new Set(trustedSenders(view, (what) => isFor(what, null, capability)).keys())
}

function contextOf(
  { opening, ref, judged: agent, catalog }: View,
  { ground, time }: { readonly ground: Ground | null; readonly time: string },
  evidence: readonly unknown[],
): object {
  const { session } = ref
  const { request, position } = opening
  const { now } = catalog
  return callbackContext({ agent, session, position, request, ground, now, time, evidence })
}

/** Of what a callback is given: an intent in a log, or a line that is judged alone. */
interface CallbackSubject {
  readonly agent: string
  readonly session: string | null
  readonly position: number
  // From the agent: may be anything.
  readonly request: CallbackRequest | null
  readonly ground: Pick<Ground, 'minDepth' | 'resolved'> | null
  /** The present of recorded work. */
  readonly now: string | null
  readonly time: string
  readonly evidence: readonly unknown[]
}

interface CallbackRequest {
  readonly tool?: string | undefined
  readonly args?: unknown
  readonly constraints?: object | undefined
  readonly goal?: string | undefined
  readonly justification?: string | undefined
  readonly scope?: object | undefined
}

/** What JSON can say, and properties that are `undefined` where they are absent. */
export function callbackContext(of: CallbackSubject): object {
  const { agent, session, position, request, ground, now, time, evidence } = of
  return {
    catalog: { now },
    evidence,
    grounding: { minDepth: ground?.minDepth, resolved: ground?.resolved ?? [] },
    intent: {
      agent,
      args: request?.args ?? {},
      constraints: request?.constraints ?? {},
      goal: request?.goal,
      justification: request?.justification,
      position,
      scope: request?.scope ?? {},
      session,
      tool: request?.tool ?? '',
    },
    now: now ?? time,
  }
}

function evidenceIn(
  view: View,
  claims: readonly SessionMessage[],
  trusted: ReadonlyMap<string, readonly string[]>,
): unknown[] {
  const believed = claims.filter(({ name, check }) => isFrom(name, check.message, view))
  return countedFor(view, believed).map(({ name, sender, position, check }) => ({
    content: check.message?.content ?? null,
    for: trusted.get(sender) ?? [],
    name,
    payload: check.message?.payload ?? null,
    position,
    receiver: check.message?.receiver ?? null,
    sender,
    session: check.message?.session_id ?? null,
    type: check.message?.type ?? '',
  }))
}

/** What stands of the messages, as far as it, or what it corrects, is addressed to the agent. */
function countedFor(view: View, messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const addressed = new Set<string>()
  const places = corrections(messages)
  for (const { name, check } of messages) {
    if (!isReceiver(view, check.message?.receiver ?? null)) continue
    addressed.add(places.get(name)?.name ?? name)
  }
  return standingMessages(messages, places).filter(({ name }) => addressed.has(name))
}

/** Which entries of the catalog's trusted evidence are for this callback. */
export function entriesFor(view: View, callback: string): string {
  const capability = capabilityOf(view)?.id
  return view.catalog.trustedEvidence
    .flatMap((one, index) =>
      one.for.some((what) => isFor(what, callback, capability)) ? index : [],
    )
    .join(' ')
}
