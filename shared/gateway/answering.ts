// What an agent gets of a call: a frame, never the result, which is kept behind a handle.
import { isWritten } from '#rules/drivers/written-json'
import {
  frame,
  type Frame,
  type FrameMode,
  type FrameOptions,
  type FrameConstraints,
} from '#firewall/frame'
import { shownKinds, type ShownKinds } from '#firewall/shown-kinds'
import { frameConstraints } from '#firewall/frame-constraints'
import { framed, type Framed } from '#firewall/framed'
import { warningsInOrder } from '#firewall/warnings'
import type { Json } from '#record/canonical'
import { readData } from '#record/event'
import { assert } from '#record/fault'
import { rolesOfAll } from '#rules/catalog/catalog'
import { framedHereBytesMax, type Framing } from '#ports/framing'
import type { ResultStore } from '#ports/results'
import type { JsonObject } from '#schemas/catalog'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import { evidenceGiven, publishEvidence, type GatewaySpeaker } from './evidence.ts'
import type { CallResult, DryRun, Gateway, GatewayCall } from './gateway.ts'
import { expanded, type ExpandRequest } from './expanding.ts'
import { charactersOf, type SessionBudget, type SessionShare } from './session-budget.ts'
import { slots } from './slots.ts'
import { streamRedactor } from '#firewall/stream'

export interface AnsweringParts {
  readonly runtime: Runtime
  readonly gateway: Gateway
  /** Where whole results are kept; without one no handle is given. */
  readonly results?: ResultStore
  /** How long, in milliseconds; an hour if absent. */
  readonly keepMs?: number
  /** In whose name results become evidence; absent: they do not. */
  readonly speaker?: GatewaySpeaker
  /** Where large results are framed. */
  readonly framing: Framing
  readonly budget: SessionBudget
}

export interface AnswerCall extends Omit<GatewayCall, 'onPart' | 'meanwhile'> {
  /** Takes the parts of a result that streams, redacted. */
  readonly onPart?: (part: Json) => void
  /** `summary` if absent. */
  readonly mode?: FrameMode
  /** What is left of the constraints, where the warrant was narrowed. */
  readonly constraints?: JsonObject
}

/** What the agent gets. */
export interface CallAnswer {
  /** The address of the intent. */
  readonly intent: string
  readonly capability: string
  /** The name of the verdict. */
  readonly verdict: string
  readonly frame: Frame
  /** By which more of the result can be looked at; null where it is not kept. */
  readonly handle: { readonly id: string; readonly expiresAt: string } | null
}

export interface AnsweringGateway {
  readonly id: string
  /** Throws as the gateway does. */
  call(call: AnswerCall): Promise<CallAnswer>
  dryRun(call: Pick<GatewayCall, 'intent' | 'presenter'>): Promise<DryRun>
  /** Throws a Fault `handle_refused` for what may not be shown, with the code in its message. */
  expand(request: ExpandRequest): Promise<Frame>
  /** The address of the intent that a kept result came of; null where none is kept so. */
  intentOf(handle: string): Promise<string | null>
  /** Ends what is under way. */
  close(): Promise<void>
}

const keepMsDefault = 3_600_000

export function answering(parts: AnsweringParts): AnsweringGateway {
  const { gateway, results } = parts
  const places = slots()
  return {
    id: gateway.id,
    dryRun: (call) => gateway.dryRun(call),
    call: (call) => answered(parts, call),
    expand: (request) => expanded({ ...parts, places }, request),
    async intentOf(handle) {
      return (await results?.get(handle))?.intent ?? null
    },
    close: () => gateway.close(),
  }
}

async function answered(parts: AnsweringParts, call: AnswerCall): Promise<CallAnswer> {
  const share = parts.budget.begin(call.intent, parts.runtime.logClock.now())
  try {
    return await answer(parts, share, call)
  } finally {
    share.end()
  }
}

async function answer(
  parts: AnsweringParts,
  share: SessionShare,
  call: AnswerCall,
): Promise<CallAnswer> {
  const { runtime, gateway } = parts
  const { onPart, ...calling } = call
  const { mode = 'summary' } = call
  // What streams is shown as it comes, redacted, and the last of it at the end; nothing of it where
  // no more than a handle may be shown, by then or at all.
  const show = (part: Json): void => {
    if (share.within(mode) === 'handle_only') return
    share.add(charactersOf(part))
    onPart?.(part)
  }
  const streamed = onPart === undefined ? null : shownParts(await boundsOf(runtime, call), show)
  const done: { made: Made | null } = { made: null }
  const { capability, intent, verdict } = await gateway.call({
    ...calling,
    ...(streamed && { onPart: (part) => streamed.push(part) }),
    meanwhile: async (result) => {
      done.made = await madeOf(parts, share, { call, result })
    },
  })
  streamed?.end()
  const { made } = done
  assert(made !== null, 'a call that succeeded has a result')
  const of = { intent: intent.address, capability: capability.id, verdict: verdict.name }
  return { ...of, ...made }
}

type Made = Pick<CallAnswer, 'frame' | 'handle'>

/** The frame, and then at once the result kept and its evidence published. */
async function madeOf(
  parts: AnsweringParts,
  share: SessionShare,
  { call, result }: { readonly call: AnswerCall; readonly result: CallResult },
): Promise<Made> {
  const { runtime, speaker } = parts
  const { mode: asked = 'summary' } = call
  const mode = share.within(asked)
  const { frame: made, evidence } = await framedOf(parts, { ...call, mode }, result)
  const shown = mode === asked ? made : lowered(made)
  share.add(charactersOf([shown.facts, shown.table, shown.raw]))
  const publishes = speaker !== undefined && evidence !== null
  const [handle] = await Promise.all([
    shown.handle === null ? null : kept(parts, result),
    publishes ? publishEvidence(runtime, speaker, result, evidence) : undefined,
  ])
  return { frame: shown, handle }
}

/** The session’s budget has chosen the mode. */
function lowered(made: Frame): Frame {
  return { ...made, warnings: warningsInOrder([...made.warnings, { code: 'mode', path: '' }]) }
}

async function framedOf(
  { runtime, speaker, framing }: AnsweringParts,
  call: AnswerCall,
  result: CallResult,
): Promise<Framed> {
  const { value, bytes, intent } = result
  const options = framedBy(runtime, result, call)
  const evidence = speaker === undefined ? null : evidenceGiven(runtime, result)
  const given = { value, options, evidence }
  const isNothing = options.mode === 'handle_only' && evidence === null
  const isHere = bytes <= framedHereBytesMax || isNothing
  const made =
    isHere && !isWritten(value)
      ? framed({ ...given, value })
      : await framing.framed(intent.agent, given)
  if (made !== null) return made
  // The call was carried out: what cannot be framed must not hide that.
  runtime.logger.warn({ intent: intent.address, bytes }, 'a result could not be framed')
  const handle = isWritten(value)
    ? { rows: value.rows }
    : frame(value, { mode: 'handle_only' }).handle
  const warnings = [{ code: 'chars' as const, path: '' }]
  return { frame: { mode: 'handle_only', handle, warnings }, evidence: null }
}

/** Of the parts that come before the verdict is at hand. What cannot be read allows nothing. */
async function boundsOf(
  runtime: Runtime,
  { intent, constraints }: AnswerCall,
): Promise<PartBounds> {
  const verdict = readData('verdict', await factAbout(runtime, 'verdict', intent))
  const terms = verdict?.terms ?? null
  const { capabilities } = runtime.follower.state.catalog
  const capability = terms === null ? undefined : capabilities.get(terms.capability)
  const read = frameConstraints(constraints ?? terms?.constraints ?? {})
  const bounds = read.constraints ?? { maxRows: 0, allowedFields: [] }
  return { ...bounds, ...shownKinds(capability ?? {}) }
}

function framedBy(
  { follower }: Runtime,
  { capability, intent, verdict }: CallResult,
  { mode = 'summary', constraints = verdict.terms?.constraints ?? {} }: AnswerCall,
): FrameOptions {
  const read = frameConstraints(constraints)
  // What cannot be read allows nothing.
  const bounds = read.constraints ?? { maxRows: 0, allowedFields: [] }
  const { chain = [intent.agent] } = verdict.terms ?? {}
  const roles = rolesOfAll(follower.state.catalog, chain)
  return { mode, constraints: bounds, roles, ...shownKinds(capability) }
}

async function kept(
  { runtime, results, keepMs = keepMsDefault }: AnsweringParts,
  { intent, capability, value }: CallResult,
): Promise<CallAnswer['handle']> {
  if (results === undefined) return null
  const expiresAt = runtime.logClock.now() + keepMs
  try {
    const { address, agent: owner } = intent
    const of = { intent: address, owner, capability: capability.id, value, expiresAt }
    const { id } = await results.put(of)
    return { id, expiresAt: new Date(expiresAt).toISOString() }
  } catch (error) {
    // The call was carried out: what cannot be kept must not hide that.
    runtime.logger.warn({ intent: intent.address, error }, 'a result could not be kept')
    return null
  }
}

// The parts of a result that streams, as an agent gets them: redacted as they come, with the fields
// and no more than the rows that a frame of them could show.

interface ShownParts {
  push(part: Json): void
  /** Shows what was held back until it was known what follows it. */
  end(): void
}

type PartBounds = FrameConstraints & ShownKinds

function shownParts(
  { maxRows = Infinity, allowedFields, ...shown }: PartBounds,
  onPart: (part: Json) => void,
): ShownParts {
  const redactor = streamRedactor({
    ...shown,
    ...(allowedFields !== undefined && { allowedFields }),
  })
  let rows = 0
  const show = (part: Json): void => {
    if (part !== '' && part !== null) onPart(part)
  }
  return {
    push(part) {
      const isRow = typeof part === 'object' && part !== null
      // A list is as many rows as it holds, and is not shown in part.
      if (isRow) rows += Array.isArray(part) ? part.length : 1
      if (isRow && rows > maxRows) return
      show(redactor.push(part).value)
    },
    end() {
      show(redactor.end().value)
    },
  }
}
