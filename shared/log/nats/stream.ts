// What an operator makes on a NATS server for one realm and era, as plain data: the stream that is
// the log, its mirror for followers, its queues. It talks to no server.
import { cellIn, controlPlace, isControl, shapeOf, shapesOf, type Place } from '#record/names'
import { kindsTakenIn } from '#record/roles'
import { allKinds, type Kind } from '#schemas/kinds'
import {
  intakeName,
  intakeSubjects,
  isInTurn,
  isIntake,
  laneOf,
  laneTransform,
  sourceName,
  sourcesOf,
  sourceStart,
  takesTurns,
} from './intake.ts'
import { entryBytesMax } from '#ports/log'

/** The names of stream and mirror; JetStream's own rules allow letters, digits, `_` and `-`. */
export interface StreamNames {
  readonly log: string
  readonly mirror: string
}

export function streamNames({ realm, era }: Place): StreamNames {
  return { log: `LOG-${realm}-${era}`, mirror: `MIRROR-${realm}-${era}` }
}

export interface StreamOptions {
  /** 1, or 3 in a cluster. */
  readonly replicas: number
  /** The exact shapes of the names; a subject of another shape has no stream. */
  readonly subjects?: readonly string[]
  /** How many streams take in for it what speakers publish; with 0 it takes nothing of theirs. */
  readonly intakes?: number
  /** Whether it is the control log of a realm of cells, and takes nothing else. */
  readonly isControl?: boolean
  /** Of a cell: the position in the control log from which it sources what all cells share. */
  readonly controlFrom?: number
  /** The position in each intake at which it begins; the first if not said. */
  readonly intakesFrom?: readonly number[]
  /** Whether it takes them in turns; it does where it can, if not said. */
  readonly inTurns?: boolean
  /** Whether they have lanes; where it takes them in turns they do, if not said. */
  readonly isLaned?: boolean
  /** Whether the mirror has an account of its own, where no follower reaches the log's queues. */
  readonly mirrorApart?: boolean
  /** The position of the first fact; an era goes on counting where the one before it ended. */
  readonly first?: number
}

/** A field as the server says it; a difference in any of them is refused. */
export type StreamConfig = Readonly<Record<string, unknown>>

const nanosecondsPerMs = 1_000_000

/**
 * Room for what the server adds to a message that it sources: where it came from, with the whole
 * subject, of up to 4096 bytes. What does not fit the log would stop its intake.
 */
const sourcedFromBytes = 8_192

const logFields = {
  retention: 'limits',
  storage: 'file',
  discard: 'new',
  discard_new_per_subject: true,
  max_msgs_per_subject: 1,
  max_msgs: -1,
  max_bytes: -1,
  max_age: 0,
  max_msg_size: entryBytesMax + sourcedFromBytes,
  max_consumers: -1,
  // The smallest there is: a message id is never sent, and one that someone else sends lies.
  duplicate_window: 100 * nanosecondsPerMs,
  deny_delete: true,
  deny_purge: true,
  sealed: false,
  no_ack: false,
  compression: 'none',
  allow_direct: true,
  mirror_direct: false,
  allow_rollup_hdrs: false,
  allow_msg_ttl: false,
  // Appends that wait at the same moment share one sync.
  allow_atomic: true,
  allow_batched: false,
  allow_msg_schedules: false,
  allow_msg_counter: false,
} as const

/** The stream in which every name is bound once. */
export function logStream(place: Place, options: StreamOptions): StreamConfig {
  const { replicas, subjects = shapesAppended(place, options), intakes = 0, first = 1 } = options
  const { intakesFrom = Array.from({ length: intakes }, () => 1), controlFrom } = options
  const { inTurns = takesTurns(replicas), isLaned = inTurns } = options
  const shared = controlFrom === undefined ? [] : [controlSource(place, controlFrom)]
  const sources = [...shared, ...sourcesOf(place, { from: intakesFrom, inTurns, isLaned })]
  return {
    ...logFields,
    name: streamNames(place).log,
    subjects: [...subjects],
    ...(sources.length > 0 && { sources }),
    num_replicas: replicas,
    ...(first > 1 && { first_seq: first }),
  }
}

// What all cells of a realm share is bound in one stream, and the log of each cell sources that.
export function controlShapes(place: Place): readonly string[] {
  return allKinds.filter(isControl).map((kind) => shapeOf(place, kind))
}

/** Whether it is a control log, and so takes nothing that is about an intent. */
export function isControlStream(place: Place, { subjects }: StreamConfig): boolean {
  const own = controlShapes(place).toSorted().join(' ')
  return Array.isArray(subjects) && subjects.map(String).toSorted().join(' ') === own
}

/** The source of a cell's log, from that position of the control log on. */
export function controlSource({ realm }: Place, from: number): unknown {
  return { name: streamNames(controlPlace(realm)).log, opt_start_seq: from }
}

/** Whether that source is the control log, and no intake. */
function isControlSource({ realm }: Place, source: unknown): boolean {
  const { log } = streamNames(controlPlace(realm))
  return sourceName(source) === log
}

/** What is bound in the log itself, and does not come by an intake or from the control log. */
function shapesAppended(place: Place, options: StreamOptions): readonly string[] {
  if (options.isControl === true) return controlShapes(place)
  const isSourced = (kind: Kind): boolean =>
    kindsTakenIn.includes(kind) || (cellIn(place.realm) !== null && isControl(kind))
  return allKinds.filter((kind) => !isSourced(kind)).map((kind) => shapeOf(place, kind))
}

/**
 * The log of that era as it must be, where it differs in nothing but what an operator chooses: how
 * many intakes it has, and where it begins. One made before there were intakes has none, and one
 * made before they took turns takes what arrives.
 */
export function logLike(place: Place, found: StreamConfig): StreamConfig {
  const { first_seq: first } = found
  const sources: readonly unknown[] = Array.isArray(found['sources']) ? found['sources'] : []
  const begins = { replicas: 1, ...(typeof first === 'number' && { first }) }
  if (takesFromSpeakers(place, found)) {
    const wanted = logStream(place, { ...begins, subjects: shapesOf(place) })
    return { ...wanted, max_msg_size: entryBytesMax }
  }
  if (isControlStream(place, found)) return logStream(place, { ...begins, isControl: true })
  const shared = sources.find((source) => isControlSource(place, source))
  const intakes = sources.filter((source) => source !== shared)
  return logStream(place, {
    ...begins,
    ...(shared !== undefined && { controlFrom: sourceStart(shared) }),
    intakesFrom: [...byStream(intakes).values()].map(sourceStart),
    inTurns: intakes.some(isInTurn),
    isLaned: intakes.some((source) => laneOf(source) !== null),
  })
}

/** One source of each stream, by its name: those of its lanes begin at the same position. */
function byStream(sources: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(sources.map((source) => [sourceName(source), source]))
}

/** Whether speakers publish to the log itself, as they did before there were intakes. */
export function takesFromSpeakers(place: Place, { subjects }: StreamConfig): boolean {
  const [first] = kindsTakenIn
  return first !== undefined && Array.isArray(subjects) && subjects.includes(shapeOf(place, first))
}

/** How many intakes the log of that configuration takes in, and whether they have lanes. */
export function intakesIn(
  realm: string,
  { sources }: StreamConfig,
): { readonly count: number; readonly isLaned: boolean } {
  const all: readonly unknown[] = Array.isArray(sources) ? sources : []
  const own = all.filter((source) => isIntake(realm, String(sourceName(source))))
  return { count: byStream(own).size, isLaned: own.some((source) => laneOf(source) !== null) }
}

export interface IntakeOptions {
  readonly replicas: number
  readonly intakes: number
  /** Whether it has lanes; where the log can take them in turns it has, if not said. */
  readonly isLaned?: boolean
}

/** A stream in which speakers' messages are taken in, once for each name. */
export function intakeStream(
  realm: string,
  index: number,
  { replicas, intakes, isLaned = takesTurns(replicas) }: IntakeOptions,
): StreamConfig {
  return {
    ...logFields,
    name: intakeName(realm, index),
    subjects: [...intakeSubjects(realm, index, intakes)],
    ...(isLaned && { subject_transform: laneTransform(realm) }),
    num_replicas: replicas,
    max_msg_size: entryBytesMax,
    allow_atomic: false,
    // What an era took in is removed when it has ended, and what a log cannot take by an operator.
    deny_purge: false,
    deny_delete: false,
  }
}

/**
 * A copy of the log to follow: anyone who may make consumers on a stream may also change those of
 * others, so on the log itself no one may. It can be made again from the log at any time.
 */
export function mirrorStream(place: Place, options: StreamOptions): StreamConfig {
  const { log, mirror } = streamNames(place)
  const { replicas, mirrorApart = false } = options
  // A sync for each fact of a copy, too, would halve the rate of the log; it has nothing to lose.
  const storage = replicas === 1 ? { persist_mode: 'async' } : { storage: 'memory' }
  return {
    ...logFields,
    name: mirror,
    mirror: { name: log, ...(mirrorApart && { external: externalOf(place) }) },
    num_replicas: replicas,
    ...storage,
    discard_new_per_subject: false,
    discard: 'old',
    max_msgs_per_subject: -1,
    allow_atomic: false,
    // A stream has room for so many followers, and a durable one would stay there for ever.
    consumer_limits: { inactive_threshold: followerMsMax * nanosecondsPerMs },
  }
}

/** How long the mirror keeps a follower that asks for nothing; the driver's own ask for as much. */
const followerMsMax = 300_000

/** The mirror as it must be, with as many replicas and in such an account as the one there is. */
export function mirrorLike(
  place: Place,
  found: StreamConfig,
  options: Pick<StreamOptions, 'subjects'> = {},
): StreamConfig {
  const { mirror, num_replicas: replicas } = found
  const mirrorApart = typeof mirror === 'object' && mirror !== null && 'external' in mirror
  const wanted = mirrorStream(place, { ...options, replicas: Number(replicas), mirrorApart })
  // That of a log without intakes has no room for where a message came from, and needs none.
  return found['max_msg_size'] === entryBytesMax
    ? { ...wanted, max_msg_size: entryBytesMax }
    : wanted
}

/** Where a server finds the log that it mirrors from another account. */
export function externalOf(place: Place): { readonly api: string; readonly deliver: string } {
  return { api: 'LOG.API', deliver: `MIRROR.${streamNames(place).log}` }
}

/** Jobs that sleep between two tries count too, so there is room for many of them. */
const ackPendingMax = 100_000
const ackWaitMsDefault = 30_000

/** The jobs of a queue: made by an operator, only used by workers. */
export function queueConfig(
  queue: string,
  names: readonly string[],
  ackWaitMs: number = ackWaitMsDefault,
): Readonly<Record<string, unknown>> {
  return {
    durable_name: queue,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    replay_policy: 'instant',
    ack_wait: ackWaitMs * nanosecondsPerMs,
    max_deliver: -1,
    max_ack_pending: ackPendingMax,
    // Each worker asks for every job that it has room for.
    max_waiting: 65_536,
    ...(names.length === 1 ? { filter_subject: names[0] } : { filter_subjects: [...names] }),
  }
}
