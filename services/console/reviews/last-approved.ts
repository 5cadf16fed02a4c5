// The last call of a capability by an agent that people agreed to, looked for once and then kept as
// verdicts come.
import { agreedCallIn, callKeyOf, lastApprovedIn } from '#operations/last-approved'
import type { AgreedCall, RealmLog } from '#operations/realm'
import type { Runtime } from '#runtime/engine/runtime'

export interface LastApproved {
  readonly of: NonNullable<RealmLog['lastApproved']>
  stop(): void
}

const keptMax = 10_000

export function lastApprovedOn({ log, follower }: Pick<Runtime, 'log' | 'follower'>): LastApproved {
  const kept = new Map<string, { readonly call: AgreedCall | null }>()
  const keep = (key: string, call: AgreedCall | null): void => {
    const [oldest] = kept.keys()
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { call })
  }
  const stop = follower.listen((fact, { parts, void: why }) => {
    if (parts?.kind !== 'verdict' || why !== null) return
    const found = agreedCallIn(fact)
    if (found !== null) keep(found.key, found.call)
  })
  const lookFor = (agent: string, capability: string, to = follower.state.position) =>
    lastApprovedIn({ log, state: follower.state }, { agent, capability, to })
  return {
    async of(agent, capability, before) {
      const key = callKeyOf({ agent, capability })
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
