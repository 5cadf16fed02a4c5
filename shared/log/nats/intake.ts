// What speakers publish is taken in apart from the log, by streams that the log itself sources: so
// no flood of theirs keeps workers from binding, a message needs no era, and only the server moves
// it. Each stream takes some of the shards, and a speaker is in one of them, so one that
// floods stands in the way of those of its shard alone.
import { createHash } from 'node:crypto'
import { isTakenIn, kindsTakenIn } from '#record/roles'
import type { Place } from '#record/names'
import { kinds, type Kind } from '#schemas/kinds'

/** Every shard; a subject says the one of its speaker. */
export const shards: readonly string[] = '0123456789abcdef'.split('')

/** How many streams there may be, each with as many shards. */
export const intakesKnown: readonly number[] = [1, 2, 4, 8, 16]
/** As many as can be, and are if not said otherwise. */
export const intakesMax = 16

/** The shard of a speaker: the first hexadecimal digit of the SHA-256 of its token. */
export function shardOf(speaker: string): string {
  return createHash('sha256').update(speaker, 'utf8').digest('hex').charAt(0)
}

/** Below this subject a speaker publishes: the kind follows, and what stands behind it. */
export function intakePrefix(realm: string, speaker: string): string {
  return `${realm}.in.${shardOf(speaker)}`
}

/** Where the fact of that name is published; null where it is appended to the log itself. */
export function intakeSubject(name: string): string | null {
  const [realm = '', , kind = '', ...tokens] = name.split('.')
  if (!isTakenIn(kind)) return null
  return [intakePrefix(realm, tokens[0] ?? ''), kind, ...tokens].join('.')
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

/** The queue of an intake by which the log of whichever era is open takes it in its turn. */
export const intakeQueue = 'log'

/** So many of one intake may be on their way into the log at once: others wait for these alone. */
const underWayMax = 128
const nanosecondsPerSecond = 1_000_000_000

/**
 * Whether a log takes intakes in turns, each by its queue, and not as messages arrive. On replicas
 * the server passes over what such a queue sends while a leader changes.
 */
export function takesTurns(replicas: number): boolean {
  return replicas === 1
}

export function intakeQueueConfig(realm: string, index: number): Readonly<Record<string, unknown>> {
  return {
    durable_name: intakeQueue,
    deliver_subject: deliverySubject(realm, index),
    // A rotation sets it to where the next era begins.
    deliver_policy: 'all',
    replay_policy: 'instant',
    ack_policy: 'flow_control',
    max_ack_pending: underWayMax,
    flow_control: true,
    idle_heartbeat: nanosecondsPerSecond,
    filter_subjects: transforms({ realm, era: 1 }).map(({ src }) => src),
  }
}

/** Where an intake sends what it holds; nothing but the log's stream listens there. */
function deliverySubject(realm: string, index: number): string {
  return `_INTAKE.${realm}.${index}`
}

/**
 * The sources of the log of that era, as its stream's configuration has them. From which position
 * of an intake on says its queue, or else the source.
 */
export function sourcesOf(place: Place, from: readonly number[], inTurns: boolean): unknown[] {
  const { realm } = place
  return from.map((first, index) => ({
    name: intakeName(realm, index),
    subject_transforms: transforms(place),
    ...(inTurns
      ? { consumer: { name: intakeQueue, deliver_subject: deliverySubject(realm, index) } }
      : // Without it the server may begin by time, and leave out what was published before.
        { opt_start_seq: first }),
  }))
}

/** Whether that is a source with a queue. */
export function isInTurn(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'consumer' in source
}

/** Of which stream a source is. */
export function sourceName(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'name' in source ? source.name : null
}

/** From where a source begins in its intake. */
export function sourceStart(source: unknown): number {
  const hasStart = typeof source === 'object' && source !== null && 'opt_start_seq' in source
  return hasStart ? Number(source.opt_start_seq) : 1
}

// The kinds and shards of an intake stand in its own subjects: a transform for each number of
// tokens covers them all, and what each message carries of it stays short.
function transforms({ realm, era }: Place) {
  const lengths = [...new Set(kindsTakenIn.map((kind) => kinds[kind].tokens.length))]
  return lengths.map((length) => {
    const dest = Array.from({ length: length + 1 }, (_, index) => `{{wildcard(${index + 2})}}`)
    return {
      src: [realm, 'in', ...Array.from({ length: length + 2 }, () => '*')].join('.'),
      dest: [realm, String(era), ...dest].join('.'),
    }
  })
}

function stars(kind: Kind): readonly string[] {
  return kinds[kind].tokens.map(() => '*')
}
