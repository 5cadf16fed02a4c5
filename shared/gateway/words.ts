// What a gateway binds: that it has begun a call, and what came of it.
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import type { Appended } from '#ports/log'
import type { IntentRef } from '#schemas/values'
import type { ExpansionData } from '#schemas/action/expansion'
import type { OutcomeData, StartData } from '#schemas/facts'
import { bindInEra } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

type Words = {
  readonly start: Omit<StartData, 'intent'>
  readonly outcome: Omit<OutcomeData, 'intent'>
  readonly expansion: Omit<ExpansionData, 'intent'>
}

/** Binds it in the gateway's name; `appended` is false where the name was bound before. */
export function bindWord<K extends keyof Words>(
  runtime: Runtime,
  kind: K,
  { gateway, intent, said }: { gateway: string; intent: IntentRef; said: Words[K] },
): Promise<Appended> {
  const { logClock, follower } = runtime
  const content: Json = jsonOf({ ...said, intent })
  return bindInEra(runtime, {
    kind,
    tokens: [intent.address, ...('number' in said ? [String(said.number)] : [])],
    bytes: (name) => {
      const time = new Date(logClock.now()).toISOString()
      const stamp = { source: `gateway/${gateway}`, time, basis: follower.state.position }
      return writeEvent(kind, name, content, stamp)
    },
  })
}
