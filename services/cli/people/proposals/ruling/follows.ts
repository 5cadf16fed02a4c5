// Binds a ruling and waits for what comes of it: the revision that the graph takes it in, and what
// becomes of the intents that waited. Nothing that comes later than that is waited for.
import type { RulingWord } from '#schemas/learning'
import { readEvent } from '#record/event'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { connect } from '#client/connect'
import type { FollowedIntent } from './print.ts'
import { capabilityNamed } from '#operations/capability-named'
import { settled } from '#cli/agents/ask/settled'
import { until } from './until.ts'
import type { Waiting } from '#runtime/learning/held'

export type WaitedFor = Pick<Waiting, 'intent' | 'attempt'>

export interface Followed {
  readonly fact: Fact
  /** Null where nothing was agreed to, or the graph did not take it in time. */
  readonly revision: number | null
  /** Whether it still waits to be put into the graph. */
  readonly waits: boolean
  readonly intents: readonly FollowedIntent[]
}

const waitMs = 10_000
const intentsMax = 100

export async function boundAndFollowed(
  runtime: Runtime,
  given: {
    readonly proposal: string
    readonly ruling: RulingWord
    readonly waiting: readonly WaitedFor[]
    readonly bind: () => Promise<Fact>
  },
): Promise<Followed> {
  const { follower } = runtime
  const { proposal, ruling } = given
  const waiting = given.waiting.slice(0, intentsMax)
  const tools = await toolsOf(runtime, waiting)
  const revisions = new Map<string, number>()
  const stop = follower.listen((fact, { parts, void: why }) => {
    if (parts?.kind !== 'graph' || why !== null) return
    const reading = readEvent('graph', fact)
    if (!reading.ok || reading.event.data.ruling === undefined) return
    revisions.set(reading.event.data.ruling, reading.event.data.revision)
  })
  try {
    const fact = await given.bind()
    const isAgreement = ruling === 'accepted' || ruling === 'modified'
    await until(runtime, waitMs, () => {
      if (isAgreement && follower.state.learning.open.has(proposal)) return false
      return waiting.every((one) => hasMoved(runtime, one))
    })
    const intents: FollowedIntent[] = []
    const client = await connect({ runtime })
    for (const { intent } of waiting) {
      const now = await settled(client.verdict(intent, 0))
      intents.push({ tool: tools.get(intent) ?? '', settled: now })
    }
    const waits = follower.state.learning.open.has(proposal)
    return { fact, revision: revisions.get(fact.name) ?? null, waits, intents }
  } finally {
    stop()
  }
}

// With its verdict, its opening message is forgotten.
async function toolsOf(
  runtime: Runtime,
  waiting: readonly WaitedFor[],
): Promise<ReadonlyMap<string, string>> {
  const tools = new Map<string, string>()
  for (const { intent } of waiting) {
    const { log, follower } = runtime
    const open = follower.state.intents.get(intent)
    if (open === undefined) continue
    tools.set(intent, await capabilityNamed({ log, state: follower.state }, open))
  }
  return tools
}

/** It has a verdict, people are asked, or it waits again, for something else. */
function hasMoved({ follower }: Runtime, { intent, attempt }: WaitedFor): boolean {
  const open = follower.state.intents.get(intent)
  if (open === undefined || open.review !== null) return true
  return open.hold !== null && open.hold.attempt > attempt
}
