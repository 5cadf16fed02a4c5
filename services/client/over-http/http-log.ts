// The log as an agent reaches it through a server over HTTP: it looks at its own alone, and what it
// publishes here is signed. Who has no key speaks by the requests of `plain-words`.
import { z } from 'zod'
import { systemClock } from '#system/clock'
import { ulidIds } from '#system/ids'
import { newestRules } from '#rules/catalog/rules-version'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { addressOf, nameOf } from '#record/names'
import { writeLine } from '#record/ndjson'
import { nameInside } from '#record/roles'
import { requestKey } from '#state/request-key'
import type { Fact } from '#ports/log'
import type { SaidFact } from '#runtime/engine/binding'
import type { Bound, IntentLog } from '../intent-log.ts'
import { CallerShown, InLog, PublishedMessage } from './reading.ts'
import { readAs, type HttpServer } from './server.ts'
import type { Waiter } from './waiting.ts'

export type CallerHere = z.infer<typeof CallerShown>

/** Who the token is of, and on which log. */
export async function callerAt(server: HttpServer): Promise<CallerHere> {
  return readAs(CallerShown, await server.send({ method: 'GET', path: '/v1/caller', isSafe: true }))
}

export function httpLog(server: HttpServer, caller: CallerHere, wait: Waiter): IntentLog {
  const ids = ulidIds()
  return {
    clock: systemClock,
    nextId: () => ids.next(server.now()),
    // What it knows of the log is what the server answers.
    basis: () => 0,
    id: () => caller.log,
    // Earlier messages cannot be listed: the numbers begin again, which is noted and refuses
    // nothing.
    lastSeq: () => Promise.resolve(0),
    bind: (said, waitMs) => relayed(server, { said, realm: caller.realm, waitMs }),
    requestKey: (sender, session, intent) =>
      requestKey({ rules: newestRules }, addressOf(sender, session, '-'), intent),
    // The stages say which request is repeated.
    equalOpen: () => null,
    opening: (address) => ownMessage(server, address),
    wait,
  }
}

interface Relaying {
  readonly said: SaidFact
  readonly realm: string
  readonly waitMs: number | undefined
}

const Message = z.record(z.string(), z.unknown())

async function relayed(server: HttpServer, { said, realm, waitMs }: Relaying): Promise<Bound> {
  const { kind, tokens } = said
  if (kind !== 'vlp') {
    throw new Fault('not_over_http', `an agent with a key binds only messages, and no ${kind}`)
  }
  // Its signature covers the name without the era.
  const name = nameInside(nameOf({ realm, era: 1 }, kind, ...tokens))
  const message = Message.parse(parseJson(Buffer.from(said.bytes(name)).toString('utf8')))
  const answered = await server.send({
    method: 'POST',
    path: '/v1/messages',
    body: { address: tokens.join('.'), message },
    // The same bytes again change nothing.
    isSafe: true,
    ...(waitMs !== undefined && { tryMs: waitMs }),
  })
  const { name: bound, position } = readAs(InLog, answered)
  return { appended: answered.status === 201, name: bound, position }
}

/** Undefined where the caller has none there. */
async function ownMessage(server: HttpServer, address: string): Promise<Fact | undefined> {
  const path = `/v1/messages/${encodeURIComponent(address)}`
  try {
    const found = readAs(PublishedMessage, await server.send({ method: 'GET', path, isSafe: true }))
    const { name, position, appendedAt, message } = found
    return { name, position, appendedAt, bytes: Buffer.from(writeLine(message).trimEnd(), 'utf8') }
  } catch (error) {
    if (error instanceof Fault && error.code === 'no_intent') return undefined
    throw error
  }
}
