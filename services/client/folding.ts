// The intent log of a client that folds all of it: it waits on the fold. One listener serves all
// who wait, however many there are.
import { Fault } from '#record/fault'
import { readData } from '#record/event'
import { addressOf, patternsOf, sessionToken, token, nameOf } from '#record/names'
import { nameInside } from '#record/roles'
import { messageOfFact } from '#messages/check'
import { knownText } from '#present/grounding'
import { waitsOn, type Waits } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import type { Folded } from '#state/folded'
import { requestKey } from '#state/request-key'
import { equalOpen } from '#state/requests'
import type { Fact } from '#ports/log'
import { bindInEra, factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { verdictOf, verdictSaying, type Verdict } from '#replay/verdicts/verdict'
import { isAsked, type IntentLog, type IntentStanding, type Wait } from './intent-log.ts'
import { whileOutOfReach } from './reaching.ts'

/** So long one read is tried. */
const readMsMax = 60_000

interface Waiter {
  readonly see: (fact: Fact, folded: Folded) => void
  /** Ends the wait, with the verdict or without one. */
  readonly end: (verdict: Fact | null) => void
}

type Waiting = Map<string, Set<Waiter>>

/** Until `stop` is called, which ends every wait. */
export function foldingLog(runtime: Runtime): IntentLog & { stop(): void } {
  const { clock, ids, follower, logClock } = runtime
  const waiting: Waiting = new Map()
  const stop = follower.listen((fact, folded) => {
    for (const { see } of waiting.get(folded.parts?.address ?? '') ?? []) see(fact, folded)
  })
  return {
    clock,
    nextId: () => ids.next(logClock.now()),
    basis: () => follower.state.position,
    id: () => follower.state.log,
    lastSeq: (sender, session) => lastSeqIn(runtime, sender, session),
    bind: async (said, waitMs = 0) => {
      const { appended, fact } = await whileOutOfReach(runtime, waitMs, () =>
        bindInEra(runtime, said),
      )
      const { name, position, bytes } = fact
      // A try whose answer was lost may have bound it.
      const isOwn = appended || Buffer.compare(bytes, said.bytes(nameInside(name))) === 0
      return { appended: isOwn, name, position }
    },
    requestKey: (sender, session, intent) =>
      requestKey(follower.state.catalog, addressOf(sender, session, '-'), intent),
    equalOpen: (sender, session, intent) => {
      const open = equalOpen(follower.state, addressOf(sender, session, '-'), intent)
      return open && { address: open.intent.address, givesWay: open.givesWay }
    },
    opening: (address) => {
      return whileOutOfReach(runtime, readMsMax, () => factAbout(runtime, 'vlp', address))
    },
    wait: (address, wait) => waitOn(runtime, waiting, { address, ...wait }),
    stop() {
      stop()
      for (const waiters of waiting.values()) for (const { end } of waiters) end(null)
    },
  }
}

async function waitOn(
  runtime: Runtime,
  waiting: Waiting,
  wait: Wait & { readonly address: string },
): Promise<IntentStanding> {
  const { address, since, onAsked, waitMs } = wait
  const { state } = runtime.follower
  // What opens nothing gets no verdict, which is known once its message is folded.
  const isFolded = (): boolean => since !== undefined && state.position >= since.position
  const isNothing = (): boolean => isFolded() && !state.intents.has(address)
  let grounding: Fact | undefined
  const known = (): string | null => {
    const data = readData('grounding', grounding)
    return data === null ? null : knownText(state.graph, data.ground)
  }
  const isLeft = (): boolean => {
    const waits = onAsked === undefined ? null : waitsNow(runtime, address)
    return waits !== null && isAsked(waits) && onAsked?.(waits, known) === false
  }
  let end: Waiter['end'] = () => undefined
  const ended = new Promise<Fact | null>((resolve) => (end = resolve))
  const see: Waiter['see'] = (fact, { parts, void: why, voids }) => {
    if (parts?.kind === 'grounding' && why === null) grounding = fact
    if (parts?.kind === 'verdict' && why === null) end(fact)
    else if (voids !== undefined || isNothing() || isLeft()) end(null)
  }
  const cancel = whenOver(runtime, wait, () => end(null))
  const remove = addTo(waiting, address, { see, end })
  try {
    grounding ??= await groundingThere(runtime, wait)
    const mayBeOver = since === undefined || isFolded()
    const bound =
      mayBeOver && !state.intents.has(address)
        ? await whileOutOfReach(runtime, waitMs, () => verdictOn(runtime, address))
        : null
    // Someone who has no time learns how it stands.
    const fact = bound ?? (waitMs === 0 || isLeft() || isNothing() ? null : await ended)
    if (fact !== null) return { state: 'verdict', verdict: await verdictIn(runtime, fact) }
    const waits = waitsNow(runtime, address)
    if (waits !== null) return { state: 'waits', waits }
    await whileOutOfReach(runtime, waitMs, () => refuseRepeated(runtime, address))
    if (isFolded()) throw new Fault('no_intent', `\`${address}\` opens no intent`)
    return { state: 'waits', waits: waitsOn(since === undefined ? 'message' : 'log') }
  } finally {
    cancel()
    remove()
  }
}

/** That of an intent that was grounded before it is waited for, where someone wants to know it. */
async function groundingThere(
  runtime: Runtime,
  { address, onAsked, waitMs }: Wait & { readonly address: string },
): Promise<Fact | undefined> {
  const name = runtime.follower.state.intents.get(address)?.grounding?.name
  if (name === undefined || onAsked === undefined) return undefined
  return whileOutOfReach(runtime, waitMs, () => runtime.log.get(name))
}

/**
 * Calls it when the wait has ended. One that is patient is looked at again and again: it ends where
 * nothing has had a last moment twice, so that what comes at that moment is waited for, too.
 */
function whenOver(
  runtime: Runtime,
  { address, waitMs, isPatient }: Wait & { readonly address: string },
  end: () => void,
): () => void {
  let hadTime = false
  const look = (): void => {
    const { until = null } = (isPatient ? waitsNow(runtime, address) : null) ?? {}
    const hasTime = until !== null && runtime.clock.now() <= until
    if (!hasTime && !hadTime) {
      end()
      return
    }
    hadTime = hasTime
    cancel = runtime.timer.after(waitMs, look)
  }
  let cancel = runtime.timer.after(waitMs, look)
  return () => cancel()
}

function waitsNow({ follower, clock }: Runtime, address: string): Waits | null {
  const open = follower.state.intents.get(address)
  return open === undefined ? null : waitsOf(follower.state, open, clock.now())
}

function verdictIn(runtime: Runtime, fact: Fact): Promise<Verdict> {
  const get = (name: string): Promise<Fact | undefined> =>
    whileOutOfReach(runtime, readMsMax, () => runtime.log.get(name))
  // What this process has drawn up itself need not be read again.
  const own = runtime.follower.caches.drawnUp.of(fact)
  return own === null ? verdictOf({ get }, fact) : verdictSaying({ get }, fact, own)
}

/** The verdict that ended it. Throws a Fault where its address was used before. */
async function verdictOn(runtime: Runtime, address: string): Promise<Fact | null> {
  const bound = await factAbout(runtime, 'verdict', address)
  if (bound === undefined) await refuseRepeated(runtime, address)
  return bound ?? null
}

function addTo(waiting: Waiting, address: string, waiter: Waiter): () => void {
  const waiters = waiting.get(address) ?? new Set()
  waiting.set(address, waiters.add(waiter))
  return () => {
    waiters.delete(waiter)
    if (waiters.size === 0) waiting.delete(address)
  }
}

async function lastSeqIn(
  { log, place }: Pick<Runtime, 'log' | 'place'>,
  sender: string,
  session: string,
): Promise<number> {
  let last = 0
  const names = patternsOf(place, 'vlp', token(sender), sessionToken(session), '*')
  for await (const fact of log.read({}, names)) {
    const message = messageOfFact(fact)
    last = Math.max(last, message?.seq ?? 0)
  }
  return last
}

// Whether a message opened nothing since its address had been used in an era before: then no
// verdict comes of it, and anyone who waits for one is reported.

const attemptsMax = 10_000

/** Throws a Fault `address_used` where a grounding recorded it for that address. */
async function refuseRepeated(runtime: Runtime, address: string): Promise<void> {
  const { place, intents } = runtime.follower.state
  if (intents.has(address)) return
  for (let { era } = place; era > 1; era -= 1) {
    const earlier = await earlierIn(runtime, address, era)
    if (earlier === null) continue
    const what = `\`${address}\` was used before, as \`${earlier}\``
    const message = `${what}, and what came later opens nothing: ask under a new one`
    throw new Fault('address_used', message)
  }
}

async function earlierIn(
  { log, place: { realm } }: Runtime,
  address: string,
  era: number,
): Promise<string | null> {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    const fact = await log.get(nameOf({ realm, era }, 'grounding', address, attempt))
    if (fact === undefined) return null
    const earlier = readData('grounding', fact)?.earlier
    if (earlier !== undefined) return earlier
  }
  return null
}
