// What a credential may do, found out by trying what cannot succeed: a body that is no JSON, an
// entry for a stream that is not there. It must never try what a server could carry out.
import { randomUUID } from 'node:crypto'
import { nameOf, type Place } from '#record/names'
import { binderOf } from '#schemas/kind-entry'
import { allKinds, kinds, type Kind } from '#schemas/kinds'
import { intakeSubject } from '../nats/intake.ts'
import type { NatsLink } from '../nats/link.ts'
import { streamNames } from '../nats/stream.ts'

/** `unheard`: the server lets it ask, and no one takes it; `unknown`: no one answered in time. */
export type Tried = 'may' | 'unheard' | 'may_not' | 'unknown'

export interface PowersSeen {
  /** Changing the stream: an operator's power. */
  readonly stream: Tried
  /** Making readers on the log itself: anyone who may also changes the queues of others. */
  readonly readers: Tried
  /** Asking the log for one name that is not its own, as only an agent asks for its own. */
  readonly others: Tried
  /** The kinds of which it may publish some name that is not its own. */
  readonly binds: readonly Kind[]
  /** Whether every kind got an answer. */
  readonly isWhole: boolean
}

const noJson = '!'
/** The server compares the name of the stream before it looks at anything else. */
const forNoStream = { 'Nats-Expected-Stream': 'NONE' }
const triedToken = 'doctor'
const tryMsMax = 2_000
const noResponders = 503

/** Every kind that some role binds for others; the rest is bound under an own token only. */
const kindsTried: readonly Kind[] = allKinds.filter(isTried)

// What stands under the name of a queue only the stage of that queue may bind.
function isTried(kind: Kind): boolean {
  return kinds[kind].boundBy.some((name) => binderOf(name).own !== 'queue')
}

export async function inspectPowers(link: NatsLink, place: Place): Promise<PowersSeen> {
  const { log } = streamNames(place)
  const tried = await Promise.all(
    kindsTried.map((kind) => {
      const tokens = kinds[kind].tokens.map(() => triedToken)
      const name = nameOf(place, kind, ...tokens)
      return tryOut(link, intakeSubject(name) ?? name, forNoStream)
    }),
  )
  const other = nameOf(place, 'vlp', ...kinds.vlp.tokens.map(() => triedToken))
  return {
    binds: kindsTried.filter((_, index) => mayAsk(tried[index])),
    others: await tryOut(link, `${link.api}.DIRECT.GET.${log}.${other}`),
    isWhole: !tried.includes('unknown'),
    stream: await tryOut(link, `${link.api}.STREAM.UPDATE.${log}`),
    readers: await tryOut(link, `${link.api}.CONSUMER.CREATE.${log}.${triedToken}`),
  }
}

/** Whether the server lets it ask, also where no one takes it. */
export function mayAsk(tried: Tried | undefined): boolean {
  return tried === 'may' || tried === 'unheard'
}

/** Whether the server lets it through to anyone who answers it. */
function tryOut(
  link: NatsLink,
  subject: string,
  header: Readonly<Record<string, string>> = {},
): Promise<Tried> {
  return new Promise((resolve) => {
    // Each is answered apart: several are tried at once.
    const reply = `${link.inbox}.${triedToken}.${randomUUID()}`
    const end = (tried: Tried): void => {
      clearTimeout(timer)
      leave()
      stop()
      resolve(tried)
    }
    const timer = setTimeout(() => end('unknown'), tryMsMax)
    const leave = link.subscribe(reply, ({ status, bytes }) => {
      end(status === noResponders && bytes.length === 0 ? 'unheard' : 'may')
    })
    const stop = link.listen({
      onLost: () => end('unknown'),
      onBack: () => undefined,
      onRefused: (refused) => {
        if (refused === subject) end('may_not')
      },
    })
    link.publish(subject, noJson, { reply, header })
  })
}
