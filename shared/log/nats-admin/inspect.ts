// What there is to see of a realm on NATS: streams, mirrors and queues as their server says they
// are. It only asks; what it may not see is distinguished from what is not there.
import { Fault } from '#record/fault'
import {
  look,
  queueInfo,
  streamInfo,
  type QueueInfo,
  type Seen,
  type StreamInfo,
  copyAt,
  messageOf,
} from '../nats/api.ts'
import { erasOf } from '../nats/eras.ts'
import {
  inspectIntakes,
  inspectShared,
  type IntakeSeen,
  type SharedSeen,
} from './inspect-intakes.ts'
import { inspectPowers, mayAsk, type PowersSeen } from './inspect-powers.ts'
import { NatsLink } from '../nats/link.ts'
import type { NatsAccess } from '../nats/access.ts'
import { openOperator, type MirrorPlace, type Operator, type Queue } from './operator.ts'
import { Requests } from '../nats/requests.ts'
import { streamNames } from '../nats/stream.ts'

export interface EraSeen {
  readonly era: number
  readonly log: Seen<StreamInfo>
  readonly mirrors: readonly MirrorSeen[]
  readonly queues: readonly QueueSeen[]
}

export interface MirrorSeen extends CopySeen {
  /** An operator sees every mirror; anyone else the one of its own side. */
  readonly of: MirrorPlace['of'] | 'own'
}

export interface QueueSeen {
  readonly name: string
  /** The patterns that it must have. */
  readonly wanted: readonly string[]
  readonly info: Seen<QueueInfo>
}

/** The server's time against ours, in the middle of a question and its answer. */
export interface ClockSeen {
  readonly aheadMs: number
  readonly roundTripMs: number
}

export interface NatsSeen {
  readonly server: NatsLink['server'] & { readonly isEncrypted: boolean }
  /** How the JetStream API was reached. */
  readonly api: string
  /** By number; none where there is no log of the realm, null where it reads its own alone. */
  readonly eras: readonly EraSeen[] | null
  /** Those that the newest era takes in, in order. */
  readonly intakes: readonly IntakeSeen[]
  /** Where the realm is a cell: the control log, as the newest era takes it in. */
  readonly shared: SharedSeen | null
  readonly clock: ClockSeen | null
  readonly powers: PowersSeen | null
}

export interface Inspecting {
  readonly realm: string
  /** The queues that the log of an era must have. */
  readonly queues: (era: number) => readonly Queue[]
}

const erasMax = 1_000
/** How the log's own account calls the JetStream API: an operator is at home there. */
const apiAtHome = '$JS.API'

/** Connects, looks, and disconnects. Throws a Fault where there is nothing to look at. */
export async function inspectNats(access: NatsAccess, inspecting: Inspecting): Promise<NatsSeen> {
  const named = { ...access, name: 'warrant doctor' }
  if (access.api === apiAtHome) return inspectAsOperator(named, inspecting)
  const requests = new Requests(await NatsLink.open(named))
  const { link } = requests
  try {
    return await inspect({ atLog: requests, mirrors: [{ of: 'own', requests }] }, inspecting)
  } catch (error) {
    if (access.api !== undefined || link.api === apiAtHome) throw error
    // It was seen, and is not whole.
    if (error instanceof Fault && error.code === 'log_tampered') throw error
    try {
      return await inspectAsOperator(named, inspecting)
    } catch {
      // It is not one, so the first value counts.
      return await inspectOwn(link, inspecting, error)
    }
  } finally {
    requests.close()
    await link.close()
  }
}

/**
 * An agent may not ask which streams there are; one that may too much asks, and no one takes it.
 * Rights end with no era, so those of the first show what those of the others are.
 */
async function inspectOwn(
  link: NatsLink,
  { realm }: Inspecting,
  refusal: unknown,
): Promise<NatsSeen> {
  const powers = await inspectPowers(link, { realm, era: 1 })
  const isRefused = refusal instanceof Fault && refusal.code === 'not_permitted'
  if (!isRefused && !mayAsk(powers.others)) throw refusal
  return { ...serverOf(link), eras: null, intakes: [], shared: null, clock: null, powers }
}

function serverOf(link: NatsLink): Pick<NatsSeen, 'server' | 'api'> {
  return { server: { ...link.server, isEncrypted: link.isEncrypted }, api: link.api }
}

async function inspectAsOperator(access: NatsAccess, inspecting: Inspecting): Promise<NatsSeen> {
  const operator = await openOperator(access)
  try {
    return await inspect(operator, inspecting)
  } finally {
    await operator.close()
  }
}

interface Places extends Pick<Operator, 'atLog'> {
  readonly mirrors: readonly (Pick<MirrorSeen, 'of'> & Pick<MirrorPlace, 'requests'>)[]
}

async function inspect(places: Places, inspecting: Inspecting): Promise<NatsSeen> {
  const { atLog: requests } = places
  const { link } = requests
  const { realm } = inspecting
  const numbers = await erasOf(requests, realm)
  const eras: EraSeen[] = []
  for (const era of numbers.slice(-erasMax)) eras.push(await inspectEra(places, era, inspecting))
  const last = numbers.at(-1)
  return {
    ...serverOf(link),
    eras,
    intakes: last === undefined ? [] : await inspectIntakes(requests, { realm, era: last }),
    shared: last === undefined ? null : await inspectShared(requests, { realm, era: last }),
    clock: last === undefined ? null : await inspectClock(requests, { realm, era: last }),
    powers: last === undefined ? null : await inspectPowers(link, { realm, era: last }),
  }
}

async function inspectEra(
  { atLog: requests, mirrors }: Places,
  era: number,
  { realm, queues }: Inspecting,
): Promise<EraSeen> {
  const { log, mirror } = streamNames({ realm, era })
  const copies: MirrorSeen[] = []
  for (const { of, requests: at } of mirrors) {
    copies.push({ of, ...(await inspectMirror(requests, at, { log, mirror })) })
  }
  const seen: QueueSeen[] = []
  for (const { name, names } of queues(era)) {
    const info = await look(() => queueInfo(requests, log, name))
    seen.push({ name, wanted: names, info })
  }
  return {
    era,
    log: await look(() => streamInfo(requests, log)),
    mirrors: copies,
    queues: seen,
  }
}

async function inspectClock(
  requests: Requests,
  place: { readonly realm: string; readonly era: number },
): Promise<ClockSeen | null> {
  const sentAt = Date.now()
  const info = await look(() => streamInfo(requests, streamNames(place).log))
  const receivedAt = Date.now()
  if (info.is !== 'there') return null
  const saidAt = Date.parse(info.value.ts)
  if (!Number.isFinite(saidAt)) return null
  return { aheadMs: saidAt - (sentAt + receivedAt) / 2, roundTripMs: receivedAt - sentAt }
}

// Whether a mirror is a copy of the log that is there: where the log was restored from a backup,
// the mirror may still have what came after the backup, and the server does not compare them.

interface CopySeen {
  readonly info: Seen<StreamInfo>
  /** A position at which it has another fact than the log; null where none was found. */
  readonly strayedAt: number | null
}

async function inspectMirror(
  atLog: Requests,
  at: Requests,
  { log, mirror }: { readonly log: string; readonly mirror: string },
): Promise<CopySeen> {
  const info = await look(() => streamInfo(at, mirror))
  if (info.is !== 'there') return { info, strayedAt: null }
  const { first_seq: first, last_seq: last } = info.value.state
  for (let back = 0; last - back >= Math.max(first, 1); back = back * 2 + 1) {
    const seq = last - back
    const copy = await look(() => copyAt(at, mirror, seq))
    // INVARIANT: a log is asked after its mirror, which never has a fact before it.
    const fact = await look(() => messageOf(atLog, log, { seq }))
    if (copy.is === 'hidden' || fact.is === 'hidden') break
    if (copy.is === 'missing') continue
    const isSame = fact.is === 'there' && isOne(copy.value, fact.value)
    if (!isSame) return { info, strayedAt: seq }
  }
  return { info, strayedAt: null }
}

interface Placed {
  readonly name: string
  readonly bytes: Uint8Array
  readonly appendedAt: number
}

function isOne(copy: Placed, fact: Placed): boolean {
  const isSameTime = copy.appendedAt === fact.appendedAt
  return copy.name === fact.name && isSameTime && Buffer.compare(copy.bytes, fact.bytes) === 0
}
