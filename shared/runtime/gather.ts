// Reads from the log, up to a basis, what a decider needs beside the fold: the opening message, the
// session, and the answers of callbacks. A worker and a replay gather by these same functions.
import type { CallbackAnswer } from '#schemas/facts'
import { partsOf, patternOf, token } from '#core/names'
import { openingOf, type Opening } from '#core/stage/opening'
import { callbackAnswers, type CallbackCall } from '#core/stage/policies'
import { noContext, type Context, type View } from '#core/stage/view'
import { checkBytes } from '#core/vlp/check'
import { namesReferred, type SessionMessage } from '#core/vlp/session'
import type { World } from '#core/world/world'
import type { Callbacks } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'

/** What gathering needs of a log. */
export type Reader = Pick<Log, 'get' | 'read'>

/** More messages than these are not read, and an intent in such a session is refused. */
export const sessionMessagesMax = 1_024

/** The message that opened the intent. */
export async function gatherOpening(
  log: Reader,
  world: World,
  intent: { readonly name: string; readonly position: number },
): Promise<Opening | null> {
  const { knownConstraints } = world.catalog
  const found = world.openings.peek(intent.position, knownConstraints)
  if (found !== undefined) return found
  const fact = await log.get(intent.name)
  return fact === undefined ? null : openingOf(fact, knownConstraints)
}

/** Whether the intent stands alone: in no session, and referring to nothing. */
export function standsAlone({ intent, opening }: View): boolean {
  const refersTo = opening.check.message?.refers_to ?? null
  return refersTo === null && sessionOf(intent.address) === '-'
}

/** The session of the intent and what its message refers to, up to the basis of the view. */
export async function gatherContext(log: Reader, view: View): Promise<Context> {
  if (standsAlone(view)) return noContext
  const { message } = view.opening.check
  const session = sessionOf(view.intent.address)
  const refs = message === null ? [] : namesReferred(message)
  const messages = session === '-' ? [] : await readSession(log, view, session)
  return {
    session: messages.slice(0, sessionMessagesMax),
    referred: await readReferred(log, view, refs),
    overlong: messages.length > sessionMessagesMax,
  }
}

/** The answers to the calls, in their order. */
export async function gatherAnswers(
  callbacks: Callbacks,
  view: View,
  calls: readonly CallbackCall[],
): Promise<CallbackAnswer[]> {
  if (calls.length === 0) return []
  const module = view.catalog.callbacks
  const replies = await Promise.all(
    calls.map(({ callback, context }) => callbacks.run(module, callback, context)),
  )
  return callbackAnswers(calls, replies)
}

function sessionOf(address: string): string {
  const dot = address.indexOf('.')
  return address.slice(dot + 1, address.indexOf('.', dot + 1))
}

async function readSession(log: Reader, view: View, session: string): Promise<SessionMessage[]> {
  const [agent = ''] = view.intent.address.split('.')
  const trusted = view.catalog.trustedEvidence.map(({ sender }) => token(sender))
  const senders = new Set([agent, ...trusted])
  const names = [...senders].map((sender) => patternOf(view.place, 'vlp', sender, session, '*'))
  const messages: SessionMessage[] = []
  for await (const fact of log.read({ to: view.basis }, names)) {
    messages.push(sessionMessage(view, fact))
    if (messages.length > sessionMessagesMax) break
  }
  return messages
}

async function readReferred(
  log: Reader,
  view: View,
  refs: readonly string[],
): Promise<SessionMessage[]> {
  const messages: SessionMessage[] = []
  for (const name of refs) {
    if (partsOf(name, view.place)?.kind !== 'vlp') continue
    const fact = await log.get(name)
    if (fact !== undefined && fact.position <= view.basis) messages.push(sessionMessage(view, fact))
  }
  return messages.toSorted((a, b) => a.position - b.position)
}

function sessionMessage(view: View, fact: Fact): SessionMessage {
  const check = checkBytes(fact.bytes, { knownConstraints: view.catalog.knownConstraints })
  const named = fact.name.split('.')[3] ?? ''
  const said = check.message?.sender
  const sender = said !== undefined && token(said) === named ? said : named
  return { name: fact.name, sender, position: fact.position, check }
}
