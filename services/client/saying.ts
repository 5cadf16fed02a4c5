// How a client says something under its own name, whether it folds the log or sees its own alone.
import { writeEvent } from '#core/kernel/event'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { patternsOf, sessionToken, token } from '#core/kernel/names'
import { checkBytes } from '#core/messages/check'
import type { Clock } from '#ports/clock'
import type { Ids } from '#ports/ids'
import { bindInEra, type Said } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'

export interface Saying {
  readonly clock: Clock
  readonly ids: Ids
  /** The position up to which this client knows the log. */
  basis(): number
  /** The log's identity, which a signature covers. */
  log(): string | null
  /** The highest number that this sender has used in the session, as far as it can be read. */
  lastSeq(sender: string, session: string): Promise<number>
  /** Binds it in the era that is current; `appended` is false where it was said already. */
  bind(said: Said): Promise<Bound>
}

export interface Bound {
  readonly appended: boolean
  readonly name: string
  readonly position: number
}

export function sayingOn(runtime: Runtime): Saying {
  const { clock, ids, follower } = runtime
  return {
    clock,
    ids,
    basis: () => follower.world.position,
    log: () => follower.world.log,
    lastSeq: (sender, session) => lastSeqIn(runtime, sender, session),
    bind: async (said) => {
      const { appended, fact } = await bindInEra(runtime, said)
      return { appended, name: fact.name, position: fact.position }
    },
  }
}

/** What an agent itself says of a warrant that it was given. */
export function ownWord(
  { clock, basis }: Pick<Saying, 'clock' | 'basis'>,
  kind: 'ownstart' | 'ownoutcome',
  address: string,
  { data, source }: { readonly data: { readonly [key: string]: Json }; readonly source: string },
): Said {
  const [agent = '', session = ''] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const content = jsonOf({ ...data, intent })
  const bytes = (name: string): Uint8Array => {
    const time = new Date(clock.now()).toISOString()
    return writeEvent(kind, name, content, { source, time, basis: basis() })
  }
  return { kind, tokens: [address], bytes }
}

async function lastSeqIn(
  { log, place }: Pick<Runtime, 'log' | 'place'>,
  sender: string,
  session: string,
): Promise<number> {
  let last = 0
  const names = patternsOf(place, 'vlp', token(sender), sessionToken(session), '*')
  for await (const fact of log.read({}, names)) {
    const { message } = checkBytes(fact.bytes, { knownConstraints: [] })
    last = Math.max(last, message?.seq ?? 0)
  }
  return last
}
