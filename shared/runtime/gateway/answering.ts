// What an agent gets of a call: a frame, never the result. The result is kept behind a handle, and
// each further look at it is judged by the rules of that moment, and recorded.
import { z } from 'zod'
import { expand, type ExpansionAnswer } from '#core/firewall/expand'
import { frame, type Frame, type FrameMode, type FrameOptions } from '#core/firewall/frame'
import { frameConstraints } from '#core/firewall/frame-constraints'
import { framed, type Framed } from '#core/firewall/framed'
import type { Json } from '#core/kernel/canonical'
import { digestOfJson } from '#core/kernel/digest'
import { readData } from '#core/kernel/event'
import { assert, Fault } from '#core/kernel/fault'
import { rolesOfAll, rulesBuiltIn } from '#core/catalog/catalog'
import { constraintsOf } from '#core/rules/constraints'
import { revokedBy } from '#core/warrants/revocations'
import { framedHereBytesMax, type Framing } from '#ports/framing'
import type { KeptResult, ResultStore } from '#ports/results'
import type { JsonObject } from '#schemas/catalog'
import { factAbout } from '../engine/binding.ts'
import type { Runtime } from '../engine/runtime.ts'
import { evidenceGiven, publishEvidence, type GatewaySpeaker } from './evidence.ts'
import type { CallResult, DryRun, Gateway, GatewayCall } from './gateway.ts'
import { shownParts } from './shown-parts.ts'
import { bindWord } from './words.ts'

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

export interface ExpandRequest {
  readonly handle: string
  /** Who asks, as authenticated. */
  readonly caller: string
  // From the agent: may be anything.
  readonly query: unknown
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
  return {
    id: gateway.id,
    dryRun: (call) => gateway.dryRun(call),
    call: (call) => answer(parts, call),
    expand: (request) => expanded(parts, request),
    async intentOf(handle) {
      return (await results?.get(handle))?.intent ?? null
    },
    close: () => gateway.close(),
  }
}

async function answer(parts: AnsweringParts, call: AnswerCall): Promise<CallAnswer> {
  const { runtime, gateway } = parts
  const { onPart, ...calling } = call
  // What streams is shown without a mode: redacted as it comes, and the last of it at the end.
  const streamed = onPart === undefined ? null : shownParts(await boundsOf(runtime, call), onPart)
  const done: { made: Made | null } = { made: null }
  const { capability, intent, verdict } = await gateway.call({
    ...calling,
    ...(streamed && { onPart: (part) => streamed.push(part) }),
    meanwhile: async (result) => {
      done.made = await madeOf(parts, call, result)
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
async function madeOf(parts: AnsweringParts, call: AnswerCall, result: CallResult): Promise<Made> {
  const { runtime, speaker } = parts
  const { frame: shown, evidence } = await framedOf(parts, call, result)
  const publishes = speaker !== undefined && evidence !== null
  const [handle] = await Promise.all([
    shown.handle === null ? null : kept(parts, result),
    publishes ? publishEvidence(runtime, speaker, result, evidence) : undefined,
  ])
  return { frame: shown, handle }
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
  if (bytes <= framedHereBytesMax || isNothing) return framed(given)
  const made = await framing.framed(intent.agent, given)
  if (made !== null) return made
  // The call was carried out: what cannot be framed must not hide that.
  runtime.logger.warn({ intent: intent.address, bytes }, 'a result could not be framed')
  const { handle } = frame(value, { mode: 'handle_only' })
  const warnings = [{ code: 'chars' as const, path: '' }]
  return { frame: { mode: 'handle_only', handle, warnings }, evidence: null }
}

/** Of the parts that come before the verdict is at hand. What cannot be read allows nothing. */
async function boundsOf(runtime: Runtime, { intent, constraints }: AnswerCall) {
  const verdict = readData('verdict', await factAbout(runtime, 'verdict', intent))
  const read = frameConstraints(constraints ?? verdict?.terms?.constraints ?? {})
  return read.constraints ?? { maxRows: 0, allowedFields: [] }
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
  return { mode, constraints: bounds, roles, reveal: capability.reveal ?? [] }
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

async function expanded(parts: AnsweringParts, request: ExpandRequest): Promise<Frame> {
  const { runtime, results, gateway } = parts
  const found = (await results?.get(request.handle)) ?? null
  const { caller, query } = request
  const now = runtime.logClock.now()
  const rules = await rulesNow(runtime, found)
  const reply = expand(found, rules, { caller, now, query })
  // What is not this caller's leaves no trace in the log of another.
  if (found !== null && found.owner === caller) {
    await noteExpansion(runtime, gateway.id, { found, query, reply })
  }
  if (reply.frame !== undefined) return reply.frame
  throw new Fault(
    'handle_refused',
    `nothing more is shown of \`${request.handle}\`: ${reply.refused}`,
  )
}

/** What its owner may see of it now, and no more than the verdict allowed. */
async function rulesNow(runtime: Runtime, found: KeptResult | null) {
  const none = { permitted: false, allowedFields: null, maxRows: null }
  if (found === null) return none
  const fact = await factAbout(runtime, 'verdict', found.intent)
  const verdict = readData('verdict', fact)
  const { state } = runtime.follower
  const capability = state.catalog.capabilities.get(found.capability)
  const terms = verdict?.terms ?? null
  if (fact === undefined || terms === null || capability === undefined) return none
  const { constraints, chain = [found.owner] } = terms
  const of = { verdict: fact.name, capability: capability.id, chain }
  const isRevoked = revokedBy(state, { ...of, decidedAt: fact.position }) !== null
  const before = frameConstraints(constraints).constraints
  const people = chain.map((id) => state.catalog.principals.get(id))
  const builtIn = rulesBuiltIn(state.catalog)
  const judged = { capability, request: { constraints }, violations: [], builtIn }
  const after = people.map((principal) => {
    return frameConstraints(constraintsOf({ ...judged, principal })).constraints
  })
  const all = [before, ...after].filter((one) => one !== undefined)
  if (all.length <= people.length) return none
  return {
    permitted: people.every((principal) => principal?.suspended === false) && !isRevoked,
    allowedFields: all.map((one) => one.allowedFields).reduce(narrower, undefined) ?? null,
    maxRows: all.map((one) => one.maxRows).reduce(least, undefined) ?? null,
    reveal: capability.reveal ?? [],
  }
}

function narrower(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((field) => other.includes(field))
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

const roundsMax = 64

async function noteExpansion(
  runtime: Runtime,
  gateway: string,
  of: { readonly found: KeptResult; readonly query: unknown; readonly reply: ExpansionAnswer },
): Promise<void> {
  const { found, query, reply } = of
  const { intent: address, owner: agent } = found
  const [, session = '-'] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const rows = reply.frame?.table?.length ?? 0
  const asked = z.json().safeParse(query)
  const digest = digestOfJson(asked.success ? asked.data : null)
  const refused = reply.refused === undefined ? {} : { refused: reply.refused }
  const base = { gateway, query: digest, rows, ...refused }
  for (let round = 0; round < roundsMax; round += 1) {
    const number = await nextNumber(runtime, address)
    const said = { ...base, number }
    const { appended } = await bindWord(runtime, 'expansion', { gateway, intent, said })
    if (appended) return
  }
  throw new Fault('conflict', `others look at the result of \`${address}\` at the same time`)
}

/** The first that is free: they are bound without gaps. */
async function nextNumber(runtime: Runtime, address: string): Promise<number> {
  const isBound = async (number: number): Promise<boolean> => {
    return (await factAbout(runtime, 'expansion', `${address}.${number}`)) !== undefined
  }
  let free = 1
  while (await isBound(free)) free *= 2
  let bound = Math.floor(free / 2)
  while (free - bound > 1) {
    const between = Math.floor((free + bound) / 2)
    if (await isBound(between)) bound = between
    else free = between
  }
  return free
}
