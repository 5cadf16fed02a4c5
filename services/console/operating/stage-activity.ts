// When each stage last bound something that counts, as far as this server has seen it: a stage for
// which much waits and that binds nothing is missing or stuck.
import { kinds } from '#schemas/kinds'
import type { Runtime } from '#runtime/engine/runtime'

export interface StageActivity {
  /** Milliseconds since 1970; null where it has bound nothing since this server began. */
  lastAt(stage: string): number | null
  stop(): void
}

/** A stage stamps what it binds with its own name. */
const stamped = /"source":"warrant\/(?<stage>[a-z]{1,32})\//

export function stageActivityOn({ follower }: Pick<Runtime, 'follower'>): StageActivity {
  const last = new Map<string, number>()
  const stop = follower.listen(({ appendedAt, bytes }, { parts, void: why }) => {
    if (parts === null || why !== null || kinds[parts.kind].derived !== true) return
    const stage = stamped.exec(Buffer.from(bytes).toString('utf8'))?.groups?.['stage']
    if (stage !== undefined) last.set(stage, appendedAt)
  })
  return { lastAt: (stage) => last.get(stage) ?? null, stop }
}
