// The tool that an open intent asks for, as its message names it.
import { openingOf } from '#core/messages/opening'
import type { OpenIntent } from '#core/state/intent'
import type { Runtime } from '#runtime/engine/runtime'

export async function capabilityNamed(
  { log, follower }: Pick<Runtime, 'log' | 'follower'>,
  intent: OpenIntent,
): Promise<string> {
  const fact = await log.get(intent.name)
  const { catalog } = follower.state
  const opening = fact === undefined ? null : openingOf(fact, catalog)
  return opening?.request?.tool ?? 'something unreadable'
}
