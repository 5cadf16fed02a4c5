// When each stage last bound something that counts, as far as this server has seen it: a stage for
// which much waits and that binds nothing is missing or stuck.
import { kinds } from '#schemas/kinds'
import type { Runtime } from '#runtime/engine/runtime'

export interface StageActivity {
  /** Milliseconds since 1970; null where it has bound nothing since this server began. */
  lastAt(stage: string): number | null
  stop(): void
}

/** A stage stamps what it binds with its own name, behind its content. */
const stamp = '"source":"warrant/'
const named = /^(?<stage>[a-z]{1,32})\//
const stageBytesMax = 33

export function stageActivityOn({ follower }: Pick<Runtime, 'follower'>): StageActivity {
  const last = new Map<string, number>()
  const stop = follower.listen(({ appendedAt, bytes }, { parts, void: why }) => {
    if (parts === null || why !== null || kinds[parts.kind].derived !== true) return
    const stage = stageIn(bytes)
    if (stage !== undefined) last.set(stage, appendedAt)
  })
  return { lastAt: (stage) => last.get(stage) ?? null, stop }
}

/** Looks from the end, since the content may be long; what stands behind the stamp is short. */
function stageIn(bytes: Uint8Array): string | undefined {
  const fact = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = fact.lastIndexOf(stamp)
  if (at < 0) return undefined
  const from = at + stamp.length
  return named.exec(fact.toString('latin1', from, from + stageBytesMax))?.groups?.['stage']
}
