// A call of a tool through the proxy: it becomes an intent, and on an allow alone, once, it is
// carried out by the server behind; what came of it is bound before anyone is answered.
import type { ListedTool, Passing, ToolAnswer } from '#gateway/tools/mcp-library'
import { addressOf, agentIn, token } from '#record/names'
import { shownKinds } from '#firewall/shown-kinds'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import { frameConstraints } from '#firewall/frame-constraints'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { Waits } from '#present/story/waits'
import { factAbout } from '#runtime/engine/binding'
import { idempotencyKey, timeoutMsOf } from '#gateway/carried'
import type { AnsweringGateway } from '#gateway/answering'
import { failed } from '#gateway/ending'
import { requestOf } from '#replay/verdicts/request'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Capability, JsonObject } from '#schemas/catalog'
import { requestKey } from '#state/request-key'
import { joining, type Joining } from '#client/guard/joining'
import { Pending } from '#client/pending'
import type { SessionHandle } from '#client/publishing'
import type { Warrant } from '#client/warrant'
import type { Behind } from './behind.ts'
import { matchedTool } from './matched.ts'
import { sameCallKey, recalledOn } from './recalled.ts'
import { deniedAnswer, mismatchAnswer, noToolAnswer, unseenAnswer, faultAnswer } from './answers.ts'
import { toolShown, type SaidProgress } from './said.ts'
import { answerShown } from './shown.ts'

export interface CallParts {
  readonly client: Warrant
  readonly agent: string
  readonly session: SessionHandle | null
  readonly behind: Behind
  readonly gateway: AnsweringGateway
  /** How long a call waits for people before it is answered that it waits, in milliseconds. */
  readonly waitMs: number
  /** How the operator imports the tools of this server. */
  readonly importing: string
}

export interface ToolRequest {
  readonly name: string
  readonly args: JsonObject
  /** Aborts when the caller leaves or cancels. */
  readonly signal: AbortSignal
  readonly onProgress?: Passing['onProgress'] | undefined
  /** The intent that the caller goes on with: may be anything. */
  readonly intent?: string | undefined
  /** Why, in the words of the caller. */
  readonly justification?: string | undefined
}

export type DoorAnswer =
  | { readonly is: 'answered'; readonly answer: ToolAnswer }
  /** People are asked. */
  | { readonly is: 'waiting'; readonly intent: string; readonly waits: Waits }

export interface DoorCalls {
  call(request: ToolRequest): Promise<DoorAnswer>
  /** Waits for an intent of before, however long it takes, and carries it out. */
  finish(intent: string, request: Omit<ToolRequest, 'intent'>): Promise<ToolAnswer>
  /** Resolves when nothing is under way. */
  ended(): Promise<void>
}

/** So long the stages have to decide. */
const stagesMs = 30_000
/** So long a call waits that repeats one which waits: it slows down who asks in a loop. */
const againMs = 20_000
const rememberedMax = 1_024

export function callsOn(parts: CallParts): DoorCalls {
  const waiting = new Map<string, string>()
  const { client, agent, session } = parts
  const recalled = recalledOn({ runtime: client.runtime, agent, session: session?.id ?? null })
  const before: Before = {
    waiting,
    recalled,
    join: joining((one) => (isVerdict(one) ? one.intent : null)),
  }
  const underWay = new Set<Promise<unknown>>()
  const noted = <T>(running: Promise<T>): Promise<T> => {
    const ending: Promise<unknown> = running.then(
      () => underWay.delete(ending),
      () => underWay.delete(ending),
    )
    underWay.add(ending)
    return running
  }
  return {
    call: (request) => noted(callOnce(parts, before, request)),
    finish: (intent, request) => noted(finish(parts, before, { ...request, intent })),
    async ended() {
      await Promise.all(underWay)
    },
  }
}

/** So long one call may take: people or stages, and the tool. */
export function callMsMax({ client, waitMs }: Pick<CallParts, 'client' | 'waitMs'>): number {
  const { capabilities } = client.runtime.follower.state.catalog
  const limits = [{}, ...capabilities.values()].map(timeoutMsOf)
  return Math.max(waitMs, stagesMs) + Math.max(...limits)
}

/** Which intents the calls of before were asked about under, by what makes calls equal. */
interface Before {
  /** Of calls of this process that were answered with "waits". */
  readonly waiting: Map<string, string>
  /** Of calls of a process before this one that are allowed by now. */
  readonly recalled: (key: string) => Promise<string | null>
  /** Equal calls that are under way now are one call. */
  readonly join: Joining<Verdict | Waiting, DoorAnswer, SaidProgress>
}

async function callOnce(
  parts: CallParts,
  { waiting, recalled, join }: Before,
  request: ToolRequest,
): Promise<DoorAnswer> {
  const { args, justification, signal } = request
  try {
    const found = await lookedUp(parts, request)
    if ('answer' in found) return { is: 'answered', answer: found.answer }
    const tool = found.intent
    const key = sameCallKey({ tool, args })
    const isApart = request.intent !== undefined || !mayBeEqual(parts, { tool, args })
    const reasoned = justification === undefined ? 'nothing' : 'reason'
    return await join({
      key,
      brings: isApart ? 'intent' : reasoned,
      signal,
      onProgress: request.onProgress,
      ask: async () => {
        const remembered = async () => waiting.get(key) ?? recalled(key)
        const before = await repeated(parts, request, { tool, remembered })
        const verdict = await verdictOn(parts, request, { tool, before })
        if (isVerdict(verdict)) waiting.delete(key)
        else remember(waiting, key, verdict.intent)
        return verdict
      },
      act: (verdict, left, onProgress) =>
        ended(parts, { ...request, ...shared(left, onProgress) }, { verdict, found }),
    })
  } catch (error) {
    return { is: 'answered', answer: failedAnswer(parts, request, error) }
  }
}

/** Whether the rules of the log know equal requests. */
function mayBeEqual(
  { client, agent, session }: CallParts,
  call: { readonly tool: string; readonly args: JsonObject },
): boolean {
  const { catalog } = client.runtime.follower.state
  return requestKey(catalog, addressOf(agent, session?.id ?? null, '-'), call) !== null
}

async function finish(
  parts: CallParts,
  { join }: Before,
  request: ToolRequest & { readonly intent: string },
): Promise<ToolAnswer> {
  const { intent, args, signal } = request
  try {
    const found = await lookedUp(parts, request)
    if ('answer' in found) return found.answer
    const call = { tool: found.intent, args }
    if (!(await isSame(parts, intent, call))) {
      throw new Fault('warrant_differs', `\`${intent}\` is not for this call`)
    }
    const answer = await join({
      key: sameCallKey(call),
      brings: 'intent',
      signal,
      onProgress: request.onProgress,
      ask: (left) => parts.client.verdict(intent, { onReview: () => true, signal: left }),
      act: (verdict, left, onProgress) =>
        ended(parts, { ...request, ...shared(left, onProgress) }, { verdict, found }),
    })
    return answer.is === 'answered' ? answer.answer : unseenAnswer(intent)
  } catch (error) {
    return failedAnswer(parts, request, error)
  }
}

interface Asked {
  readonly verdict: Verdict | Waiting
  readonly found: Found
}

async function ended(
  parts: CallParts,
  request: ToolRequest,
  { verdict, found }: Asked,
): Promise<DoorAnswer> {
  if (!isVerdict(verdict)) return { is: 'waiting', intent: verdict.intent, waits: verdict.waits }
  const { tool, intent } = found
  try {
    return { is: 'answered', answer: await acted(parts, request, { verdict, tool }) }
  } catch (error) {
    const isUsed = error instanceof Fault && error.code === 'warrant_used'
    if (!isUsed || tool?.capability.safetyClass !== 'READ') throw error
    // Another process ran an equal call on it. Reading once more changes nothing.
    const own = await verdictOn(parts, request, { tool: intent, before: null, distinct: true })
    if (!isVerdict(own)) return { is: 'waiting', intent: own.intent, waits: own.waits }
    return { is: 'answered', answer: await acted(parts, request, { verdict: own, tool }) }
  }
}

interface Found {
  /** Null where the catalog has no such capability: then no verdict lets it run. */
  readonly tool: { readonly live: ListedTool; readonly capability: Capability } | null
  /** The tool that the intent names. */
  readonly intent: string
}

/** The answer where nothing is asked: the tool is not what a person approved. */
async function lookedUp(
  { client, behind }: CallParts,
  { name, signal }: Pick<ToolRequest, 'name' | 'signal'>,
): Promise<Found | { readonly answer: ToolAnswer }> {
  const live = (await behind.tools(signal)).find((one) => one.name === name)
  const { capabilities } = client.runtime.follower.state.catalog
  if (live === undefined) {
    // No one is asked for what could not be carried out.
    return capabilities.has(name) ? { answer: noToolAnswer(name) } : { tool: null, intent: name }
  }
  const found = matchedTool(capabilities, live, behind.id)
  switch (found.is) {
    case 'unknown':
      return { tool: null, intent: name }
    case 'known':
      return { tool: { live, capability: found.capability }, intent: found.capability.id }
    case 'changed':
    case 'elsewhere':
    case 'ambiguous': {
      const { logger } = client.runtime
      logger.warn({ tool: name, ...found }, 'a tool is not what the catalog approved')
      return { answer: mismatchAnswer(name, found) }
    }
  }
}

/** The intent of before that this call goes on with, if it is for just this. */
async function repeated(
  parts: CallParts,
  { args, intent }: ToolRequest,
  of: { readonly tool: string; readonly remembered: () => Promise<string | null> },
): Promise<string | null> {
  const { tool, remembered } = of
  if (intent !== undefined && (await isSame(parts, intent, { tool, args }))) return intent
  return remembered()
}

async function isSame(
  { client, agent, session }: CallParts,
  intent: string,
  request: { readonly tool: string; readonly args: JsonObject },
): Promise<boolean> {
  const [, of = '-'] = intent.split('.')
  if (agentIn(intent) !== token(agent) || of !== (session?.id ?? '-')) return false
  const opening = await factAbout(client.runtime, 'vlp', intent)
  if (opening === undefined) return false
  const { tool, args } = requestOf(opening, intent)
  return tool === request.tool && digestOfJson({ ...args }) === digestOfJson(request.args)
}

interface Asking {
  readonly tool: string
  readonly before: string | null
  /** Whether it may stand beside one that is equal. */
  readonly distinct?: true
}

interface Waiting {
  readonly intent: string
  readonly waits: Waits
}

const isVerdict = (one: Verdict | Waiting): one is Verdict => 'outcome' in one

async function verdictOn(
  parts: CallParts,
  { args, justification }: ToolRequest,
  { tool, before, distinct }: Asking,
): Promise<Verdict | Waiting> {
  const { client, session, waitMs } = parts
  const again = before === null ? waitMs : Math.max(waitMs, againMs)
  const wait = { waitMs: again === 0 ? stagesMs : again, onReview: () => again > 0 }
  try {
    const isApart =
      justification !== undefined &&
      before !== null &&
      (await isReplaceable(parts, before, { tool, args }))
    if (before !== null && !isApart) return await client.verdict(before, wait)
    const reason = justification !== undefined && { justification }
    const intent = { tool, args, ...reason, ...(distinct && { distinct }) }
    return await client.ask(intent, { ...wait, ...(session !== null && { session }) })
  } catch (error) {
    if (error instanceof Pending) return { intent: error.intent, waits: error.waits }
    throw error
  }
}

/**
 * Whether a call with a reason is asked about by itself, though an equal one was before: while that
 * is open, and may lack just the reason. If it lacks more, its verdict is waited for all the same.
 */
async function isReplaceable(
  parts: CallParts,
  before: string,
  call: { readonly tool: string; readonly args: JsonObject },
): Promise<boolean> {
  const { runtime } = parts.client
  return mayBeEqual(parts, call) && (await factAbout(runtime, 'verdict', before)) === undefined
}

interface Decided {
  readonly verdict: Verdict
  readonly tool: Found['tool']
}

async function acted(
  parts: CallParts,
  request: Omit<ToolRequest, 'intent'>,
  { verdict, tool }: Decided,
): Promise<ToolAnswer> {
  if (verdict.outcome !== 'allow' || tool === null) {
    return deniedAnswer(verdict, { tool: request.name, importing: parts.importing })
  }
  const { client, behind } = parts
  const { capability, live } = tool
  const key = idempotencyKey(client.runtime.follower.state, verdict.intent)
  behind.expect(key, request.onProgress)
  try {
    await carriedOut(parts, request, { verdict, capability, key })
    const answer = behind.answered(key)
    if (answer === null) return unseenAnswer(verdict.intent)
    return shownTo(verdict, { answer, live, capability })
  } catch (error) {
    const answer = behind.answered(key)
    // The server answered with an error of the tool: that is an answer like any other.
    if (answer?.isError === true) return shownTo(verdict, { answer, live, capability })
    throw error instanceof ToolFailure ? failed(verdict.intent, error) : error
  }
}

function shownTo(
  { terms, intent }: Verdict,
  { answer, live, capability }: { answer: ToolAnswer; live: ListedTool; capability: Capability },
): ToolAnswer {
  const { constraints: read } = frameConstraints(terms?.constraints ?? {})
  // What cannot be read allows nothing.
  const constraints = read ?? { maxRows: 0, allowedFields: [] }
  const tool = toolShown(live, capability.imported !== undefined) ?? {}
  return answerShown(answer, { constraints, ...shownKinds(capability), intent, tool })
}

async function carriedOut(
  { client, agent, behind, gateway }: CallParts,
  { name, signal }: Pick<ToolRequest, 'name' | 'signal'>,
  of: { readonly verdict: Verdict; readonly capability: Capability; readonly key: string },
): Promise<void> {
  const { verdict, capability, key } = of
  const { intent } = verdict
  if (signal.aborted) throw cancelled(intent)
  if (capability.driver !== undefined) {
    await gateway.call({ intent, presenter: agent, signal })
    return
  }
  const timeout = AbortSignal.timeout(timeoutMsOf(capability))
  const run = async (args: object): Promise<void> => {
    const call = { capability, key, signal: AbortSignal.any([signal, timeout]) }
    await behind.run({ ...call, args: { ...args } }, name)
  }
  await client.guard(capability.id, run, { describe: describeToolFailure }).redeem(intent)
}

function describeToolFailure(error: unknown) {
  if (!(error instanceof ToolFailure)) return { code: 'unexpected', isUnknown: true }
  return { code: error.code, isUnknown: error.happened === 'unknown' }
}

/** What those have in common that are joined to one run. */
function shared(signal: AbortSignal, onProgress: Passing['onProgress']) {
  return { signal, onProgress }
}

function remember(waiting: Map<string, string>, key: string, intent: string): void {
  const [oldest] = waiting.keys()
  if (waiting.size >= rememberedMax && oldest !== undefined) waiting.delete(oldest)
  waiting.set(key, intent)
}

function cancelled(what: string): Fault {
  return new Fault('call_cancelled', `the caller of \`${what}\` has left`)
}

// Why a call came to nothing: for the model in words that it may read, and for who runs the proxy
// in its log.

function failedAnswer(
  { client, behind }: { readonly client: Warrant; readonly behind: Behind },
  { name: tool, signal }: Pick<ToolRequest, 'name' | 'signal'>,
  thrown: unknown,
): ToolAnswer {
  const { logger } = client.runtime
  const isOurs = thrown instanceof Fault || thrown instanceof ToolFailure
  const error = signal.aborted && !isOurs ? cancelled(tool) : thrown
  const cause = error instanceof Fault ? error.cause : error
  const code = cause instanceof ToolFailure ? cause.code : null
  if (error instanceof Fault) logger.warn({ tool, fault: error.code, code }, 'a call failed')
  else logger.error({ tool, code, error }, 'a call failed inside the proxy')
  if (code === 'unknown_tool') return noToolAnswer(tool)
  if (code !== 'tool_changed') return faultAnswer(error)
  // It is not listed any more.
  behind.forget()
  return mismatchAnswer(tool, { is: 'changed' })
}
