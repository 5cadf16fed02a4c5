// What speakers publish is taken in apart from the log, by streams that the log itself sources: so
// no flood of theirs keeps workers from binding, a message needs no era, and only the server moves
// it. Each stream takes some of the shards, and a speaker is in one of them, so one that
// floods stands in the way of those of its shard alone.
import { createHash } from 'node:crypto'
import { kindsTakenIn } from '#core/kernel/roles'
import { queueOf, type Place } from '#core/kernel/names'
import { kinds, type Kind } from '#schemas/kinds'

/** Every shard, `00` to `ff`; a subject says the one of its speaker. */
export const shards: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, '0'),
)

/** How many streams there may be, each with as many shards. */
export const intakesKnown: readonly number[] = [1, 2, 4, 8, 16]
/** As many as can be, and are if not said otherwise. */
export const intakesMax = 16

/** The shard of a speaker: the first two hexadecimal digits of the SHA-256 of its token. */
export function shardOf(speaker: string): string {
  return createHash('sha256').update(speaker, 'utf8').digest('hex').slice(0, 2)
}

/** Below this subject a speaker publishes: the kind follows, and what stands behind it. */
export function intakePrefix(realm: string, speaker: string): string {
  return `${realm}.in.${shardOf(speaker)}`
}

/** Where the fact of that name is published; null where it is appended to the log itself. */
export function intakeSubject(name: string): string | null {
  const [realm = '', , kind = '', ...tokens] = name.split('.')
  if (!kindsTakenIn.some((one) => one === kind)) return null
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

/** The queue by which the log of an era sources an intake. */
export function intakeQueue(era: number): string {
  return queueOf('log', era)
}

/** Where an intake sends what it holds; nothing but the log's stream listens there. */
function deliverySubject({ realm, era }: Place, index: number): string {
  return `_INTAKE.${realm}.${era}.${index}`
}

// So many of one intake may be on their way into the log at once: the log takes them in turns, so
// this is how long others wait behind a flood.
const underWayMax = 128
const nanosecondsPerSecond = 1_000_000_000

/** That queue, from that position of the intake on. */
export function intakeQueueConfig(
  place: Place,
  index: number,
  first: number,
): Readonly<Record<string, unknown>> {
  return {
    durable_name: intakeQueue(place.era),
    deliver_subject: deliverySubject(place, index),
    deliver_policy: 'by_start_sequence',
    opt_start_seq: first,
    replay_policy: 'instant',
    ack_policy: 'flow_control',
    max_ack_pending: underWayMax,
    flow_control: true,
    idle_heartbeat: nanosecondsPerSecond,
  }
}

/** The subjects of an intake: the shards that fall to it, and in them every kind taken in. */
export function intakeSubjects(realm: string, index: number, intakes: number): readonly string[] {
  const own = shards.filter((_, shard) => shard % intakes === index)
  return own.flatMap((shard) =>
    kindsTakenIn.map((kind) => [realm, 'in', shard, kind, ...stars(kind)].join('.')),
  )
}

/** The sources of the log of that era, as its stream's configuration has them. */
export function sourcesOf(place: Place, intakes: number): unknown[] {
  return Array.from({ length: intakes }, (_, index) => ({
    name: intakeName(place.realm, index),
    subject_transforms: transforms(place),
    consumer: { name: intakeQueue(place.era), deliver_subject: deliverySubject(place, index) },
  }))
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
