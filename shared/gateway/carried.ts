// One call by its driver: once, unless it is declared idempotent, within its time, and always with
// an end that is known to be known or not.
import { digestOf } from '#record/digest'
import { cellIn } from '#record/names'
import type { State } from '#state/state'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { Timer } from '#ports/clock'
import type { DriverResult, ToolCall, ToolDriver } from '#ports/tools'
import type { Capability, JsonObject, JsonValue } from '#schemas/catalog'
import type { ToolServer } from '#schemas/action/driver'

const timeoutMsDefault = 30_000
/** Of one call that is declared idempotent. */
const attemptsMax = 3
const pauseMs = 200
/** What servers answer to a key of which an attempt is under way. */
const conflict = 409
/** How long a driver may take to notice that it is to stop. */
const graceMs = 2_000

export type CallEnd =
  | { readonly ok: true; readonly result: DriverResult; readonly attempts: number }
  | { readonly ok: false; readonly failure: ToolFailure; readonly attempts: number }

export interface Carrying {
  readonly driver: ToolDriver
  readonly capability: Capability
  readonly server: ToolServer | null
  readonly args: JsonObject
  readonly key: string
  readonly timer: Timer
  /** Aborts when the caller leaves. */
  readonly signal?: AbortSignal
  readonly onPart?: (part: JsonValue) => void
  readonly readApart?: NonNullable<ToolCall['readApart']>
  /** Milliseconds; what the capability says, if absent. */
  readonly timeoutMs?: number
  /** Whether a gateway that is gone may have done it already. */
  readonly mayHaveHappened?: boolean
}

/** The same for each attempt of one call, and of no other: in two cells one address is of two. */
export function idempotencyKey(
  { log, place }: Pick<State, 'log' | 'place'>,
  address: string,
): string {
  const { realm } = place
  const at = cellIn(realm) === null ? address : `${realm} ${address}`
  return digestOf(`${log ?? ''} ${at}`).slice('sha256:'.length)
}

export function timeoutMsOf({ execution }: Pick<Capability, 'execution'>): number {
  return execution?.timeoutMs ?? timeoutMsDefault
}

/** Never throws. */
export async function carryOut(carrying: Carrying): Promise<CallEnd> {
  const { capability, timer, signal: left } = carrying
  const stopping = new AbortController()
  const { timeoutMs = timeoutMsOf(capability) } = carrying
  const cancelTimeout = timer.after(timeoutMs, () => {
    stopping.abort(new DOMException('its time has ended', 'TimeoutError'))
  })
  const leave = (): void => stopping.abort()
  if (left?.aborted === true) leave()
  left?.addEventListener('abort', leave, { once: true })
  try {
    return await attempts(carrying, stopping.signal)
  } finally {
    cancelTimeout()
    left?.removeEventListener('abort', leave)
  }
}

async function attempts(carrying: Carrying, signal: AbortSignal): Promise<CallEnd> {
  const { capability, timer } = carrying
  // What was streamed cannot be taken back.
  const mayTryAgain = capability.execution?.idempotent === true && carrying.onPart === undefined
  const last = mayTryAgain ? attemptsMax : 1
  // Whether an attempt before may have done it: then no later one makes that undone.
  let mayHaveHappened = carrying.mayHaveHappened === true
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOnce(carrying, signal)
    if (!(tried instanceof ToolFailure)) return { ok: true, result: tried, attempts: attempt }
    const { code, detail, happened } = tried
    // An attempt before is still under way: what it will come to is open.
    const isUnderWay = mayHaveHappened && detail['status'] === conflict
    const isKnown = happened === 'yes' && !isUnderWay
    if (isKnown || attempt >= last || signal.aborted) {
      const isOpen = !isKnown && mayHaveHappened
      const failure = isOpen ? new ToolFailure(code, 'unknown', detail) : tried
      return { ok: false, failure, attempts: attempt }
    }
    mayHaveHappened ||= happened === 'unknown'
    await new Promise<void>((resolve) => timer.after(pauseMs * attempt, resolve))
  }
}

async function tryOnce(
  { driver, capability, server, args, key, onPart, readApart, timer }: Carrying,
  signal: AbortSignal,
): Promise<DriverResult | ToolFailure> {
  const running = driver.run({
    capability,
    server,
    args,
    key,
    signal,
    ...(onPart !== undefined && { onPart }),
    ...(readApart !== undefined && { readApart }),
  })
  const settled = running.catch((error: unknown) =>
    error instanceof ToolFailure ? error : new ToolFailure('driver_invalid', 'unknown'),
  )
  return Promise.race([settled, overdue(signal, timer)])
}

/** A driver that does not stop is not waited for. */
function overdue(signal: AbortSignal, timer: Timer): Promise<ToolFailure> {
  return new Promise((resolve) => {
    const give = (): void => {
      const reason: unknown = signal.reason
      const isOverdue = reason instanceof Error && reason.name === 'TimeoutError'
      const failure = new ToolFailure(isOverdue ? 'timed_out' : 'cancelled', 'unknown')
      timer.after(graceMs, () => resolve(failure))
    }
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}
