// What there is to see of a realm on NATS: streams, mirrors and queues as their server says they
// are. It only asks; what it may not see is told apart from what is not there.
import { Fault } from '#core/fault'
import { queueInfo, streamInfo, streamNamesOf, type QueueInfo, type StreamInfo } from './api.ts'
import { inspectPowers, type PowersSeen } from './inspect-powers.ts'
import { NatsLink } from './link.ts'
import type { NatsAccess } from './access.ts'
import type { Queue } from './operator.ts'
import { Requests } from './requests.ts'
import { streamNames } from './stream.ts'

/** What came of looking; `hidden` is what this credential may not see, or nobody answered. */
export type Seen<T> =
  | { readonly is: 'there'; readonly value: T }
  | { readonly is: 'missing' }
  | { readonly is: 'hidden'; readonly why: string }

export interface EraSeen {
  readonly era: number
  readonly log: Seen<StreamInfo>
  readonly mirror: Seen<StreamInfo>
  readonly queues: readonly QueueSeen[]
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
  /** By number; none where there is no log of the realm. */
  readonly eras: readonly EraSeen[]
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

/** Connects, looks, and lets go. Throws a Fault where there is nothing to look at. */
export async function inspectNats(access: NatsAccess, inspecting: Inspecting): Promise<NatsSeen> {
  const first = await open(access)
  try {
    return await inspect(first, inspecting)
  } catch (error) {
    if (access.api !== undefined || first.link.api === apiAtHome) throw error
    // It may be an operator, who needs no account's imports.
    const second = await open({ ...access, api: apiAtHome })
    try {
      return await inspect(second, inspecting)
    } catch {
      throw error
    } finally {
      await close(second)
    }
  } finally {
    await close(first)
  }
}

async function open(access: NatsAccess): Promise<Requests> {
  return new Requests(await NatsLink.open({ ...access, name: 'warrant doctor' }))
}

async function close(requests: Requests): Promise<void> {
  requests.close()
  await requests.link.close()
}

async function inspect(requests: Requests, inspecting: Inspecting): Promise<NatsSeen> {
  const { link } = requests
  const { realm } = inspecting
  const numbers = erasIn(realm, await streamNamesOf(requests))
  const eras: EraSeen[] = []
  for (const era of numbers.slice(-erasMax)) eras.push(await inspectEra(requests, era, inspecting))
  const last = numbers.at(-1)
  return {
    server: { ...link.server, isEncrypted: link.isEncrypted },
    api: link.api,
    eras,
    clock: last === undefined ? null : await inspectClock(requests, { realm, era: last }),
    powers: last === undefined ? null : await inspectPowers(link, { realm, era: last }),
  }
}

function erasIn(realm: string, names: readonly string[]): readonly number[] {
  const eras = names.map((name) => Number(/-([1-9][0-9]{0,8})$/.exec(name)?.[1] ?? 0))
  return eras
    .filter((era, index) => era > 0 && names[index] === streamNames({ realm, era }).log)
    .toSorted((a, b) => a - b)
}

async function inspectEra(
  requests: Requests,
  era: number,
  { realm, queues }: Inspecting,
): Promise<EraSeen> {
  const { log, mirror } = streamNames({ realm, era })
  const seen: QueueSeen[] = []
  for (const { name, names } of queues(era)) {
    const info = await look(() => queueInfo(requests, log, name))
    seen.push({ name, wanted: names, info })
  }
  return {
    era,
    log: await look(() => streamInfo(requests, log)),
    mirror: await look(() => streamInfo(requests, mirror)),
    queues: seen,
  }
}

async function inspectClock(
  requests: Requests,
  place: { readonly realm: string; readonly era: number },
): Promise<ClockSeen | null> {
  const sentAt = Date.now()
  const info = await look(() => streamInfo(requests, streamNames(place).log))
  const heardAt = Date.now()
  if (info.is !== 'there') return null
  const saidAt = Date.parse(info.value.ts)
  if (!Number.isFinite(saidAt)) return null
  return { aheadMs: saidAt - (sentAt + heardAt) / 2, roundTripMs: heardAt - sentAt }
}

async function look<T>(ask: () => Promise<T | null>): Promise<Seen<T>> {
  try {
    const value = await ask()
    return value === null ? { is: 'missing' } : { is: 'there', value }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { is: 'hidden', why: error.message }
  }
}
