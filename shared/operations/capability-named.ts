// The tool that an open intent asks for, as its message names it.
import { openingOf } from '#messages/opening'
import type { OpenIntent } from '#state/intent'
import type { LogReader } from '#ports/log'
import type { State } from '#state/state'

export async function capabilityNamed(
  { log, state }: { readonly log: LogReader; readonly state: Pick<State, 'catalog'> },
  intent: OpenIntent,
): Promise<string> {
  const fact = await log.get(intent.name)
  const opening = fact === undefined ? null : openingOf(fact, state.catalog)
  return opening?.request?.tool ?? 'something unreadable'
}
