// A gateway: it carries out what was allowed, with what agents do not have, and binds that it has
// begun and what came of it. It decides nothing: the verdict has, and the log says what stops it.
import type { BegunCall } from '#messages/executions/executions'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { ResultValue } from '#rules/drivers/written-json'
import { Fault } from '#record/fault'
import { KeyCounts } from '#record/key-counts'
import type { Framing } from '#ports/framing'
import type { DriverKind, ToolDriver } from '#ports/tools'
import type { Capability, JsonObject, JsonValue } from '#schemas/catalog'
import type { IntentRef } from '#schemas/values'
import type { Runtime } from '#runtime/engine/runtime'
import type { Proving } from '#replay/verdicts/proving'
import type { Verdict } from '#replay/verdicts/verdict'
import { carryOut, idempotencyKey, timeoutMsOf, type Carrying } from './carried.ts'
import { failed, outcomeOfCall } from './ending.ts'
import { gatewayId } from './gateway-id.ts'
import { goingOn } from './going-on.ts'
import { recovering, type CallOutcome, type OwnCalls } from './recovery.ts'
import { begin, permittedOn, stopped, type Permitted } from './permitted.ts'
import { slots, type Slots } from './slots.ts'
import { bindWord } from './words.ts'

export interface GatewayParts {
  readonly runtime: Runtime
  /** Derives verdicts before they are acted on. */
  readonly proving: Proving
  readonly drivers: readonly ToolDriver[]
  /** How many calls run at once, where that is counted with other gateways of this process. */
  readonly places?: Slots
  /** Where large results are read; absent: where the driver runs. */
  readonly framing?: Framing
  /** What it is called in the log, before its machine and process; `gateway` if absent. */
  readonly name?: string
}

export interface GatewayCall {
  /** The address of the intent. */
  readonly intent: string
  /** Who presents it: the agent itself, or who holds its warrant. */
  readonly presenter: string
  /** The digest of the warrant that was presented. */
  readonly token?: string
  /** Aborts when the caller leaves; what has begun is ended and recorded all the same. */
  readonly signal?: AbortSignal
  /** Takes the parts of a result that streams. */
  readonly onPart?: (part: JsonValue) => void
  /**
   * Works on a result while its outcome is being bound; `call` resolves when both are done. Nothing
   * of it may be shown before.
   */
  readonly meanwhile?: (result: CallResult) => Promise<void>
}

/** What a call came to, before any of it is shown to an agent. */
export interface CallResult {
  readonly verdict: Verdict
  readonly capability: Capability
  readonly intent: IntentRef
  /** As they were executed. */
  readonly args: JsonObject
  readonly value: ResultValue
  readonly bytes: number
  /** Milliseconds by the log's clock. */
  readonly startedAt: number
}

/** What a call would do. */
export interface DryRun {
  readonly intent: string
  readonly capability: string
  readonly driver: DriverKind
  readonly args: JsonValue
  readonly constraints: JsonValue
  readonly useBy: string
  /** As the driver describes it, without secrets. */
  readonly would: JsonValue
}

export interface Gateway {
  /** Of this gateway in this process. */
  readonly id: string
  /**
   * Carries the call out, once. Throws a Fault for what may not be run, `tool_failed` where the
   * tool failed, and `outcome_unknown` where no one knows whether it was done.
   */
  call(call: GatewayCall): Promise<CallResult>
  /** What the call would do; nothing is bound, and nothing is done. */
  dryRun(call: Pick<GatewayCall, 'intent' | 'presenter'>): Promise<DryRun>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Ids of the gateways of this process. */
const own = new Set<string>()

interface Opened extends GatewayParts {
  readonly id: string
  readonly byKind: ReadonlyMap<DriverKind, ToolDriver>
  readonly places: Slots
  readonly closing: AbortSignal
  readonly calls: OwnCalls
}

export function openGateway(parts: GatewayParts): Gateway {
  const { runtime, drivers, name = 'gateway', places = slots() } = parts
  const id = gatewayId(name)
  own.add(id)
  const closing = new AbortController()
  const calls: OwnCalls = { running: new KeyCounts(), owed: new Map() }
  const opened: Opened = {
    ...parts,
    id,
    byKind: new Map(drivers.map((driver) => [driver.kind, driver])),
    places,
    closing: closing.signal,
    calls,
  }
  const underWay = new Set<Promise<unknown>>()
  const noted = <T>(running: Promise<T>): Promise<T> => {
    const one: Promise<unknown> = running.then(
      () => underWay.delete(one),
      () => underWay.delete(one),
    )
    underWay.add(one)
    return running
  }
  const going = goingOn({
    ...opened,
    carrying: (found) => carrying(opened, found),
    end: (intent, said) => end(opened, intent, said),
  })
  const goOn = (call: BegunCall): void => {
    if (!closing.signal.aborted) void noted(going(call))
  }
  const recovery = recovering(runtime, { id, own, calls, goOn })
  return {
    id,
    call: (call) => noted(run(opened, call)),
    dryRun: (call) => dryRun(opened, call),
    async close() {
      closing.abort(new Fault('gateway_closed', 'this gateway is closing'))
      await Promise.all(underWay)
      await recovery.stop()
      own.delete(id)
    },
  }
}

async function permitted(
  { runtime, proving, closing }: Opened,
  { intent, presenter }: Pick<GatewayCall, 'intent' | 'presenter'>,
): Promise<Permitted> {
  if (closing.aborted) throw new Fault('gateway_closed', 'this gateway is closing')
  const found = await permittedOn(runtime, proving, intent)
  if (presenter === found.intent.agent) return found
  throw new Fault('not_yours', `\`${intent}\` is not an intent of \`${presenter}\``)
}

function carrying(
  { runtime, byKind, framing }: Opened,
  { capability, args, intent }: Permitted,
  { signal, onPart }: Partial<GatewayCall> = {},
): Carrying {
  const { driver } = capability
  const { state } = runtime.follower
  const found = driver === undefined ? undefined : byKind.get(driver.kind)
  if (driver === undefined || found === undefined) {
    throw new Fault('driver_missing', `this gateway has no driver \`${driver?.kind ?? 'none'}\``)
  }
  const server =
    driver.kind === 'mcp'
      ? state.catalog.servers.find((one) => one.id === driver.server)
      : undefined
  return {
    driver: found,
    capability,
    server: server ?? null,
    args,
    key: idempotencyKey(state, intent.address),
    timer: runtime.timer,
    ...(framing && { readApart: (given) => framing.read(intent.agent, given) }),
    ...(signal !== undefined && { signal }),
    ...(onPart !== undefined && { onPart }),
  }
}

async function run(opened: Opened, call: GatewayCall): Promise<CallResult> {
  const found = await permitted(opened, call)
  const { capability, intent, verdict, args } = found
  const carried = carrying(opened, found, call)
  const of = { capability: capability.id, agent: intent.agent, execution: capability.execution }
  const signals = [opened.closing, ...(call.signal === undefined ? [] : [call.signal])]
  const leave = await opened.places.enter(of, AbortSignal.any(signals))
  const { running } = opened.calls
  running.add(intent.address)
  try {
    const startedAt = await start(opened, found, call.token)
    const ended = await carryOut(carried)
    const outcome = end(opened, intent, outcomeOfCall(ended))
    if (!ended.ok) {
      await outcome
      throw failed(intent.address, ended.failure)
    }
    const { value, bytes } = ended.result
    const result = { verdict, capability, intent, args, value, bytes, startedAt }
    await Promise.all([outcome, call.meanwhile?.(result)])
    return result
  } finally {
    running.remove(intent.address)
    leave()
  }
}

/** When it began; what is refused where its start stands is ended, and thrown. */
async function start(opened: Opened, found: Permitted, token?: string): Promise<number> {
  const { runtime, id: gateway } = opened
  const { capability, intent } = found
  const until = runtime.logClock.now() + timeoutMsOf(capability) + marginMs
  const said = { gateway, until, ...(token !== undefined && { token }) }
  const { startedAt, refusal } = await begin(runtime, found, said)
  if (refusal === null) return startedAt
  await end(opened, intent, { outcome: 'refused', code: refusal })
  throw stopped(refusal, intent.address, 'was stopped before it was carried out')
}

// Where the log cannot be reached it stays owed, and is bound when that is back.
async function end(
  { runtime, id: gateway, calls: { owed } }: Opened,
  intent: IntentRef,
  said: CallOutcome,
): Promise<void> {
  owed.set(intent.address, said)
  const { appended } = await bindWord(runtime, 'outcome', { gateway, intent, said })
  owed.delete(intent.address)
  if (appended) return
  runtime.logger.error({ intent: intent.address }, 'the outcome was bound by another gateway')
}

async function dryRun(
  opened: Opened,
  call: Pick<GatewayCall, 'intent' | 'presenter'>,
): Promise<DryRun> {
  const found = await permitted(opened, call)
  const { capability, args, terms } = found
  const { driver, ...of } = carrying(opened, found)
  const would = described(() => {
    return driver.describe({ ...of, signal: new AbortController().signal })
  }, call.intent)
  const { constraints, useBy } = terms
  const { intent } = call
  const kind = driver.kind
  return { intent, capability: capability.id, driver: kind, args, constraints, useBy, would }
}

/** What a driver refuses of a call that was not made is a failure of the tool like any other. */
function described(show: () => JsonValue, intent: string): JsonValue {
  try {
    return show()
  } catch (error) {
    throw error instanceof ToolFailure ? failed(intent, error) : error
  }
}

/** What the log and the clocks may take beside the call itself. */
const marginMs = 10_000
