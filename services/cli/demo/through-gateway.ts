// The demo's calls through a gateway: each allowed call is presented twice at the same time, and
// each denied one all the same. What comes of it is counted from the backend and from the log.
import { Fault } from '#record/fault'
import { partsInRealm, patternOf } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'
import { idempotencyKey } from '#gateway/carried'
import type { GatewaySpeaker } from '#gateway/evidence'
import { provingOn } from '#replay/verdicts/proving'
import type { Verdict } from '#replay/verdicts/verdict'
import { gatewayOn } from '#wiring/own-gateway'
import { agentOfSession } from '#demo/members'
import type { CarryOut } from '#demo/player'
import type { Call } from '#demo/recorded'
import { stages } from '#workers/stages'
import { standIn, type RecordedAnswer } from './stand-in.ts'

export interface Presented {
  readonly agent: string
  readonly verdict: Verdict
  /** Whether the call belongs to what was asked for. */
  readonly isRight: boolean
  /** Of a call that was recorded without an answer: null. */
  readonly answer: RecordedAnswer | null
}

export interface GatewayTally {
  /** Of the right calls that were allowed. */
  readonly right: { readonly executedOnce: number; readonly allowed: number }
  readonly executions: number
  readonly executedTwice: number
  readonly startsWithoutOutcome: number
  readonly refused: {
    /** Presented again, at the same time. */
    readonly used: number
    /** Presented though they were not allowed. */
    readonly notAllowed: number
  }
}

export interface DemoGateway {
  present(presented: Presented): Promise<void>
  tally(): Promise<GatewayTally>
  close(): Promise<void>
}

/** With a speaker the gateway publishes what the backend answered in that name, as digests. */
export async function demoGateway(
  runtime: Runtime,
  speaker?: GatewaySpeaker,
): Promise<DemoGateway> {
  const { state } = runtime.follower
  const backend = standIn()
  const ids = [...state.catalog.capabilities.keys()]
  const tools = Object.fromEntries(ids.map((id) => [id, backend.tool]))
  const proving = provingOn(runtime, stages, null)
  const gateway = await gatewayOn({ runtime, proving }, { tools, ...(speaker && { speaker }) })
  const right: string[] = []
  const refused = { used: 0, notAllowed: 0 }
  const call = async (intent: string, presenter: string): Promise<void> => {
    try {
      await gateway.call({ intent, presenter })
    } catch (error) {
      const code = error instanceof Fault ? error.code : ''
      if (code === 'warrant_used') refused.used += 1
      else if (code === 'not_allowed') refused.notAllowed += 1
      // The recorded tool failed, too: the outcome is in the log.
      else if (code !== 'tool_failed') throw error
    }
  }
  return {
    async present({ agent, verdict: { intent, outcome }, isRight, answer }) {
      const key = idempotencyKey(state, intent)
      backend.expect(key, answer ?? { error: false, value: null })
      if (outcome === 'allow' && isRight) right.push(key)
      const presentations = outcome === 'allow' ? 2 : 1
      await Promise.all(Array.from({ length: presentations }, () => call(intent, agent)))
    },
    async tally() {
      const times = [...backend.executions.values()]
      return {
        right: {
          executedOnce: right.filter((key) => backend.executions.get(key) === 1).length,
          allowed: right.length,
        },
        executions: times.reduce((sum, one) => sum + one, 0),
        executedTwice: times.filter((one) => one > 1).length,
        startsWithoutOutcome: await openStarts(runtime),
        refused,
      }
    },
    async close() {
      await gateway.close()
      proving.stop()
    },
  }
}

/** How the calls of recorded sessions come before it. */
export function presenting(gateway: DemoGateway, isRight: (call: Call) => boolean): CarryOut {
  return (call, verdict, answer) => {
    return gateway.present({
      agent: agentOfSession(call.session),
      verdict,
      isRight: isRight(call),
      answer,
    })
  }
}

async function openStarts({ log, place }: Runtime): Promise<number> {
  const started = new Set<string>()
  const patterns = (['start', 'outcome'] as const).map((kind) => patternOf(place, kind, '>'))
  for await (const { name } of log.read({}, patterns)) {
    const parts = partsInRealm(name, place.realm)
    const address = parts?.address ?? ''
    if (parts?.kind === 'start') started.add(address)
    else started.delete(address)
  }
  return started.size
}
