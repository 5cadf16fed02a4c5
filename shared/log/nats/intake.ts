// What speakers publish is taken in apart from the log, by streams that the log itself sources: so
// no flood of theirs keeps workers from binding, a message needs no era, and only the server moves
// it. Each stream takes some of the shards, and a speaker is in one of them. Within a stream the
// server puts each speaker into a lane, and the log takes lanes in turns: what one that floods has
// waiting stands before those of its lane alone.
import { z } from 'zod'
import { sha256Hex } from '#record/crypto/crypto'
import { isTakenIn, kindsTakenIn } from '#record/roles'
import { nameFrom, tokenAt, type Place } from '#record/names'
import { kinds, type Kind } from '#schemas/kinds'

/** Every shard; a subject says the one of its speaker. */
export const shards: readonly string[] = '0123456789abcdef'.split('')

/** How many streams there may be, each with as many shards. */
export const intakesKnown: readonly number[] = [1, 2, 4, 8, 16]
/** As many as can be, and are if not said otherwise. */
export const intakesMax = 16

/** The shard of a speaker: the first hexadecimal digit of the SHA-256 of its token. */
export function shardOf(speaker: string): string {
  return sha256Hex(speaker).charAt(0)
}

/** Below this subject a speaker publishes: the kind follows, and what stands behind it. */
export function intakePrefix(realm: string, speaker: string): string {
  return `${realm}.in.${shardOf(speaker)}`
}

/** Where the fact of that name is published; null where it is appended to the log itself. */
export function intakeSubject(name: string): string | null {
  if (!isTakenIn(tokenAt(name, 2))) return null
  return `${intakePrefix(tokenAt(name, 0), tokenAt(name, 3))}.${nameFrom(name, 2)}`
}

/** The subject of what such a pattern of names covers, in that shard or in all. */
export function intakePattern(pattern: string, shard: string): string {
  const [realm = '', , ...rest] = pattern.split('.')
  return [realm, 'in', shard, ...rest].join('.')
}

export function intakeName(realm: string, index: number): string {
  return `INTAKE-${realm}-${index}`
}

/** Whether the stream of that name is an intake of the realm. */
export function isIntake(realm: string, name: string): boolean {
  return name.startsWith(intakeName(realm, 0).slice(0, -1))
}

/** Whether a server takes that name for any that matches it, and cannot be asked for it alone. */
export function hasWildcard(name: string): boolean {
  return name.split('.').some((one) => one === '*' || one === '>')
}

/**
 * Whether a log may leave that message of an intake out for ever: it takes no name that ends with
 * `>`, and of those with one message id one in a tenth of a second.
 */
export function mayBeLeftOut(name: string, header: string): boolean {
  return hasWildcard(name) || header.includes('Nats-Msg-Id')
}

/** The subjects of an intake: the shards that fall to it, and in them every kind taken in. */
export function intakeSubjects(realm: string, index: number, intakes: number): readonly string[] {
  const own = shards.filter((_, shard) => shard % intakes === index)
  return own.flatMap((shard) =>
    kindsTakenIn.map((kind) => [realm, 'in', shard, kind, ...stars(kind)].join('.')),
  )
}

/** How many intakes there are, by the subjects of one of them; 0 for such as are of none. */
export function intakesBeside(subjects: unknown): number {
  const all: readonly unknown[] = Array.isArray(subjects) ? subjects : []
  const own = new Set(all.map((subject) => String(subject).split('.')[2]))
  return intakesKnown.find((known) => known * own.size === shards.length) ?? 0
}

/**
 * The lanes of an intake. A speaker is in one of them by its token, as the server reckons it. An
 * intake that was made before there were any has none, and so have those on replicas.
 */
const lanesMax = 16
/** One of an intake's lanes; null where it has none. */
export type Lane = number | null

export function lanesOf(isLaned: boolean): readonly Lane[] {
  return isLaned ? Array.from({ length: lanesMax }, (_, lane) => lane) : [null]
}

/** By it an intake stores the lane of a speaker behind its shard. */
export function laneTransform(realm: string): Readonly<Record<string, string>> {
  const lane = `{{partition(${lanesMax},3)}}`
  return {
    src: `${realm}.in.*.*.*.>`,
    dest: `${realm}.in.{{wildcard(1)}}.${lane}.{{wildcard(2)}}.{{wildcard(3)}}.>`,
  }
}

/** What an intake stores of that lane. */
export function lanePattern(realm: string, lane: Lane): string {
  return lane === null ? '>' : `${realm}.in.*.${lane}.>`
}

/** What an intake stores of its kinds without a lane. */
export function unlanedPatterns(realm: string): readonly string[] {
  return kindsTakenIn.map((kind) => `${realm}.in.*.${kind}.>`)
}

/** A subject that an intake stores, as it was published, and whether its lane stood in it. */
export function publishedSubject(stored: string): {
  readonly subject: string
  readonly isLaned: boolean
} {
  const [realm = '', within = '', shard = '', ...rest] = stored.split('.')
  const isLaned = laneIn(rest[0]) !== null
  return { subject: [realm, within, shard, ...(isLaned ? rest.slice(1) : rest)].join('.'), isLaned }
}

/** The queue of a lane by which the log of whichever era is open takes it in its turn. */
export function intakeQueue(lane: Lane): string {
  return lane === null ? 'log' : `log-${lane}`
}

/**
 * So many of one lane, or of an intake without lanes, may be on their way into the log at once:
 * others wait for these alone. After the death of a server a lane stands still of which the log has
 * twice as many as its queue knows of (`releaseStalled`), so it is not fewer.
 */
const underWayMax = 256
/** The server gives such a queue a heartbeat of a second, whatever is asked. */
const heartbeatSeconds = 1
const nanosecondsPerSecond = 1_000_000_000

/**
 * Whether a log takes intakes in turns, each by its queues, and not as messages arrive. On replicas
 * the server passes over what such a queue sends while a leader changes.
 */
export function takesTurns(replicas: number): boolean {
  return replicas === 1
}

export function intakeQueueConfig(
  realm: string,
  index: number,
  lane: Lane,
): Readonly<Record<string, unknown>> {
  return {
    durable_name: intakeQueue(lane),
    deliver_subject: deliverySubject(realm, index, lane),
    // A rotation sets it to where the next era begins.
    deliver_policy: 'all',
    replay_policy: 'instant',
    ack_policy: 'flow_control',
    max_ack_pending: underWayMax,
    flow_control: true,
    idle_heartbeat: heartbeatSeconds * nanosecondsPerSecond,
    filter_subjects: transforms({ realm, era: 1 }, lane).map(({ src }) => src),
  }
}

/** Where an intake sends what it holds of a lane; nothing but the log's stream listens there. */
function deliverySubject(realm: string, index: number, lane: Lane): string {
  const all = `_INTAKE.${realm}.${index}`
  return lane === null ? all : `${all}.${lane}`
}

/** How a log takes its intakes. */
export interface Taking {
  /** From which position of each on; where it takes turns, its queues say that. */
  readonly from: readonly number[]
  readonly inTurns: boolean
  /** Whether each has lanes; where it does not take turns, none has. */
  readonly isLaned: boolean
}

/** The sources of the log of that era, as its stream's configuration has them. */
export function sourcesOf(place: Place, { from, inTurns, isLaned }: Taking): unknown[] {
  const { realm } = place
  return from.flatMap((first, index) =>
    lanesOf(isLaned).map((lane) => {
      const queue = {
        name: intakeQueue(lane),
        deliver_subject: deliverySubject(realm, index, lane),
      }
      return {
        name: intakeName(realm, index),
        subject_transforms: transforms(place, lane),
        // Without a start the server may begin by time, and leave out what was published before.
        ...(inTurns ? { consumer: queue } : { opt_start_seq: first }),
      }
    }),
  )
}

/** Whether that is a source with a queue. */
export function isInTurn(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'consumer' in source
}

const Transformed = z.looseObject({
  subject_transforms: z.array(z.looseObject({ src: z.string() })).default([]),
})

/** Which lane a source takes, as it is configured or as a server says it. */
export function laneOf(source: unknown): Lane {
  const { data } = Transformed.safeParse(source)
  return laneIn(data?.subject_transforms[0]?.src.split('.')[3])
}

/** The lane that stands behind a shard; null where a kind does. */
function laneIn(behind = ''): Lane {
  return /^[0-9]+$/.test(behind) ? Number(behind) : null
}

/** Of which stream a source is. */
export function sourceName(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'name' in source ? source.name : null
}

/** Up to where the log says that it has taken a lane of an intake. */
export interface Taken {
  readonly name: string
  readonly lane: Lane
  readonly seq: number
}

/** How far a log has taken each lane, by what the server says of its sources. */
export function takenOf(
  { realm }: Pick<Place, 'realm'>,
  { sources }: { readonly sources: readonly Omit<Taken, 'lane'>[] },
): readonly Taken[] {
  const intakes = sources.filter(({ name }) => isIntake(realm, name))
  return intakes.map((source) => ({ name: source.name, lane: laneOf(source), seq: source.seq }))
}

/** From where a source begins in its intake. */
export function sourceStart(source: unknown): number {
  const hasStart = typeof source === 'object' && source !== null && 'opt_start_seq' in source
  return hasStart ? Number(source.opt_start_seq) : 1
}

// The kinds and shards of an intake stand in its own subjects: a transform for each number of
// tokens covers them all, and what each message carries of it stays short. A lane is written out:
// what an intake stores as it came, since its subject is no literal one, has a kind there.
function transforms({ realm, era }: Place, lane: Lane) {
  const lengths = [...new Set(kindsTakenIn.map((kind) => kinds[kind].tokens.length))]
  const before = lane === null ? ['*'] : ['*', String(lane)]
  return lengths.map((length) => {
    const rest = Array.from({ length: length + 1 }, (_, index) => `{{wildcard(${index + 2})}}`)
    return {
      src: [realm, 'in', ...before, ...rest.map(() => '*')].join('.'),
      dest: [realm, String(era), ...rest].join('.'),
    }
  })
}

function stars(kind: Kind): readonly string[] {
  return kinds[kind].tokens.map(() => '*')
}
