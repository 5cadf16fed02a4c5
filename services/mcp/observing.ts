// The proxy where nothing is enforced: each call is passed to the server behind at once and as it
// is, and judged beside that. No log, however slow or far, may stop a call or keep it waiting.
import type { ListedTool } from '#gateway/tools/mcp-library'
import { timeoutMsOf } from '#gateway/carried'
import type { Json } from '#record/canonical'
import { Fault } from '#record/fault'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import type { Verdict } from '#replay/verdicts/verdict'
import type { JsonObject } from '#schemas/catalog'
import { noteOutcome } from '#client/guard/finishing'
import { redeemingOn, type Redeeming } from '#client/guard/redeeming'
import type { SessionHandle, Speaker } from '#client/publishing'
import type { Warrant } from '#client/warrant'
import type { Timer } from '#ports/clock'
import type { Behind } from './behind.ts'
import { matchedTool } from './matched.ts'
import { toolAnswerOf, type Front, type FrontCall } from './protocol.ts'

/** A log that is open, and who asks on it. */
export interface ObservedLog {
  readonly client: Warrant
  readonly speaker: Speaker
  readonly session: SessionHandle | null
  /** The server behind as the catalog knows it; null where it does not. */
  readonly server: string | null
}

export interface ObservingOptions {
  readonly behind: Behind
  readonly timer: Timer
  /** The log as soon as it is open. Rejects where it cannot be opened now. */
  readonly opened: () => Promise<ObservedLog>
  /** Gets why a call is not in the log with a verdict. */
  readonly onMissed: (tool: string, why: string) => void
  /** Gets what an enforcing proxy refuses without asking, whatever the verdict is. */
  readonly onUnlike: (tool: string, is: string) => void
}

export interface ObservingDoor {
  readonly front: Front
  /** How many calls came. */
  calls(): number
  /** Resolves when all that came is recorded or missed. */
  ended(): Promise<void>
}

/** So long after a call its verdict is waited for. */
const recordedMs = 30_000
/** So many calls are recorded at once; more are missed, and passed all the same. */
const underWayMax = 1_024

interface Came {
  readonly name: string
  readonly args: JsonObject
  readonly justification?: string | undefined
}

type Outcome = { readonly [key: string]: Json }

export function observingDoor(options: ObservingOptions): ObservingDoor {
  const { behind } = options
  const underWay = new Set<Promise<void>>()
  let calls = 0
  const note = (came: Came, outcome: Promise<Outcome>): void => {
    calls += 1
    if (underWay.size >= underWayMax) {
      options.onMissed(came.name, `${underWayMax} calls are being recorded already`)
      return
    }
    const recording = recorded(options, came, outcome).finally(() => underWay.delete(recording))
    underWay.add(recording)
  }
  return {
    calls: () => calls,
    front: {
      about: (signal) => behind.about(signal),
      tools: (signal) => behind.tools(signal),
      call: async (call) => {
        let end = (_outcome: Outcome): void => undefined
        const outcome = new Promise<Outcome>((resolve) => (end = resolve))
        // What is recorded is what came, whatever becomes of the object meanwhile.
        const { name, justification } = call
        note({ name, args: structuredClone(call.args), justification }, outcome)
        return passed(behind, call, end)
      },
      pass: (request, passing) => behind.pass(request, passing),
      listen: (listener) => behind.listen(listener),
      answerMsMax: () => timeoutMsOf({}),
    },
    async ended() {
      await Promise.all(underWay)
    },
  }
}

async function passed(
  behind: Behind,
  { name, args, signal, onProgress }: FrontCall,
  end: (outcome: Outcome) => void,
): Promise<{ readonly is: 'answer'; readonly answer: ReturnType<typeof toolAnswerOf> }> {
  try {
    const passing = { signal, ...(onProgress && { onProgress }) }
    const said = await behind.pass(
      { method: 'tools/call', params: { name, arguments: args } },
      passing,
    )
    const answer = toolAnswerOf(said)
    end(
      answer.isError === true
        ? { outcome: 'failed', code: 'tool_error' }
        : { outcome: 'succeeded' },
    )
    return { is: 'answer', answer }
  } catch (error) {
    end({ outcome: 'unknown', code: 'call_failed' })
    throw error
  }
}

/** It never rejects: what goes wrong is a call that is missed. */
async function recorded(
  options: ObservingOptions,
  came: Came,
  outcome: Promise<Outcome>,
): Promise<void> {
  try {
    const found = await withTimeout(options.timer, recordedMs, judged(options, came))
    if (found === timedOut) throw new Error(`no verdict came within ${recordedMs / 1_000} s`)
    const { log, verdict } = found
    const { runtime } = log.client
    const redeeming = redeemingOn(runtime, neverProven, log.speaker)
    await noteOutcome({ redeeming, logger: runtime.logger }, verdict, await outcome)
  } catch (error) {
    options.onMissed(came.name, error instanceof Error ? error.message : 'it failed')
  }
}

/** Nothing that is observed is acted on by its verdict. */
const neverProven: Pick<Redeeming, 'prove'> = {
  prove: () => Promise.reject(new Fault('not_allowed', 'an observed verdict permits nothing')),
}

async function judged(
  { behind, opened, onUnlike }: ObservingOptions,
  { name, args, justification }: Came,
): Promise<{ readonly log: ObservedLog; readonly verdict: Verdict }> {
  const log = await opened()
  const { client, session, server } = log
  const tools = await behind.tools(AbortSignal.timeout(recordedMs))
  const live = tools.find((one) => one.name === name)
  const found = live === undefined ? null : foundIn(client.runtime, live, server)
  if (found !== null && found.is !== 'known' && found.is !== 'unknown') onUnlike(name, found.is)
  const tool = found !== null && 'capability' in found ? found.capability.id : name
  const intent = { tool, args, ...(justification !== undefined && { justification }) }
  const verdict = await client.ask(
    { ...intent, observe: true },
    { waitMs: recordedMs, onReview: () => false, ...(session !== null && { session }) },
  )
  return { log, verdict }
}

function foundIn({ follower }: Runtime, live: ListedTool, server: string | null) {
  return matchedTool(follower.state.catalog.capabilities, live, server)
}
