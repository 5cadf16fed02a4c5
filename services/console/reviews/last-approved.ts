// The last call of a capability by an agent that people agreed to: what differs from it is what a
// person has to look at. It is looked for once, and then kept as verdicts come.
import { readData } from '#record/event'
import { patternsOf, token } from '#record/names'
import { countsAt } from '#state/eras'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { VerdictData } from '#schemas/facts'
import { inSteps } from '#operations/finding/by-time'

export interface AgreedCall {
  readonly intent: string
  readonly position: number
  readonly decidedAt: number
  readonly confirmedBy: readonly string[]
  /** The name of the review that people agreed to. */
  readonly review: string
}

export interface LastApproved {
  /** Of those before that position, where one is given. */
  of(agent: string, capability: string, before?: number): Promise<AgreedCall | null>
  stop(): void
}

const keptMax = 10_000
/** So far back it is looked for. */
const positionsMax = 200_000

export function lastApprovedOn({ log, follower }: Pick<Runtime, 'log' | 'follower'>): LastApproved {
  const kept = new Map<string, { readonly call: AgreedCall | null }>()
  const keep = (key: string, call: AgreedCall | null): void => {
    const [oldest] = kept.keys()
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { call })
  }
  const stop = follower.listen((fact, { parts, void: why }) => {
    if (parts?.kind !== 'verdict' || why !== null) return
    const found = approvedIn(fact)
    if (found !== null) keep(found.key, found.call)
  })
  const lookFor = async (
    agent: string,
    capability: string,
    position = follower.state.position,
  ): Promise<AgreedCall | null> => {
    const { place } = follower.state
    const names = patternsOf(place, 'verdict', token(agent), '*', '*')
    const wanted = keyOf(agent, capability)
    const back = { from: 1, to: position, newestFirst: true, names }
    for await (const { from, facts } of inSteps(log, back)) {
      for (const fact of facts) {
        const found = countsAt(follower.state, fact) ? approvedIn(fact) : null
        if (found?.key === wanted) return found.call
      }
      if (position - from >= positionsMax) return null
    }
    return null
  }
  return {
    async of(agent, capability, before) {
      const key = keyOf(agent, capability)
      const known = kept.get(key)
      if (before !== undefined) {
        const isEarlier = known !== undefined && (known.call?.position ?? 0) < before
        return isEarlier ? known.call : lookFor(agent, capability, before - 1)
      }
      if (known !== undefined) return known.call
      const call = await lookFor(agent, capability)
      // One that was decided meanwhile is newer.
      const newer = kept.get(key)
      if (newer !== undefined) return newer.call
      keep(key, call)
      return call
    },
    stop,
  }
}

function approvedIn(fact: Fact): { readonly key: string; readonly call: AgreedCall } | null {
  const data = readData('verdict', fact)
  if (data === null || !isApproved(data)) return null
  const { intent, terms, release, review } = data
  if (terms === null || release === null || review === null) return null
  const { confirmedBy } = release
  const { position, appendedAt: decidedAt } = fact
  const call = { intent: intent.address, position, decidedAt, confirmedBy, review }
  return { key: keyOf(intent.agent, terms.capability), call }
}

function isApproved({ outcome, observed, release }: VerdictData): boolean {
  return outcome === 'allow' && !observed && (release?.confirmedBy.length ?? 0) > 0
}

function keyOf(agent: string, capability: string): string {
  return JSON.stringify([token(agent), capability])
}
