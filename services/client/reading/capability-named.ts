// The tool that an open intent asks for, as its message names it.
import { openingOf } from '#messages/opening'
import type { OpenIntent } from '#state/intent'
import type { LogReader } from '#ports/log'
import type { State } from '#state/state'

interface Folding {
  readonly state: Pick<State, 'catalog'>
}

export async function capabilityNamed(
  { log, follower }: { readonly log: LogReader; readonly follower: Folding },
  intent: OpenIntent,
): Promise<string> {
  const fact = await log.get(intent.name)
  const { catalog } = follower.state
  const opening = fact === undefined ? null : openingOf(fact, catalog)
  return opening?.request?.tool ?? 'something unreadable'
}
