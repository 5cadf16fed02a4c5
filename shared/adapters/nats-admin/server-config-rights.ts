// What a role means on a NATS server: which subjects of the log's account its users may publish to.
// Reading is a right to ask too. It must never give a right to change a stream or the log's queues.
import { queueOf, type Place } from '#core/kernel/names'
import { isTakenIn, namesBound, namesGot, powersOf, type Role } from '#core/kernel/roles'
import { intakeName, intakePattern, intakesMax, shardOf } from '../nats/intake.ts'
import { streamNames } from '../nats/stream.ts'

/** What the JetStream API of the log's account is called in the accounts of its clients. */
const apiOfClients = 'LOG.API'
const apiOfServer = '$JS.API'

/** A subject of the log's account that clients may publish to. */
export interface Right {
  /** As the log's account knows it. */
  readonly subject: string
  /** As the account of the client knows it. */
  readonly known: string
  /** Whether several answers come to one question. */
  readonly answersMany: boolean
  /** Whom it is asked of. */
  readonly of: 'log' | 'mirror'
}

/**
 * All that a user may ask of the log, era by era; a sealed era refuses appends itself. `own` is the
 * user's token, or `*` for anyone who holds the role.
 */
export function rightsOf(role: Role, places: readonly Place[], own: string): readonly Right[] {
  const { readsAll } = powersOf(role)
  const intakes = Array.from({ length: intakesMax }, (_, index) =>
    intakeName(places[0]?.realm ?? '', index),
  )
  const everywhere = readsAll
    ? [asked('STREAM.NAMES'), ...intakes.map((name) => asked(`STREAM.INFO.${name}`))]
    : []
  const rights = [...everywhere, ...places.flatMap((place) => rightsAt(role, place, own))]
  // What is published without an era is the same in each.
  return [...new Map(rights.map((right) => [right.subject, right])).values()]
}

function rightsAt(role: Role, place: Place, own: string): readonly Right[] {
  const { readsAll, queue } = powersOf(role)
  const { log } = streamNames(place)
  return [
    ...namesBound(role, place, own).map((name) => bound(publishedAs(name, own))),
    ...namesGot(role, place, own).map((name) => asked(`DIRECT.GET.${log}.${name}`)),
    ...(readsAll ? reading(place) : []),
    ...(queue === null ? [] : working(log, queueOf(queue, place.era))),
  ]
}

/** Speakers publish to the intake of their shard, in whatever era. */
function publishedAs(name: string, own: string): string {
  return isTakenIn(name.split('.')[2] ?? '')
    ? intakePattern(name, own === '*' ? '*' : shardOf(own))
    : name
}

function bound(name: string): Right {
  return { subject: name, known: name, answersMany: false, of: 'log' }
}

function asked(what: string, more: Partial<Pick<Right, 'answersMany' | 'of'>> = {}): Right {
  const { answersMany = false, of = 'log' } = more
  return { subject: `${apiOfServer}.${what}`, known: `${apiOfClients}.${what}`, answersMany, of }
}

// Whether a name is bound is asked of the log itself, whose leader knows; everything else of the
// mirror, where making a reader changes no one's queue.
function reading(place: Place): readonly Right[] {
  const { log, mirror } = streamNames(place)
  const of = 'mirror'
  return [
    asked(`STREAM.INFO.${log}`),
    asked(`STREAM.MSG.GET.${log}`),
    asked(`STREAM.INFO.${mirror}`, { of }),
    asked(`DIRECT.GET.${mirror}`, { of, answersMany: true }),
    asked(`CONSUMER.CREATE.${mirror}.>`, { of, answersMany: true }),
    asked(`CONSUMER.INFO.${mirror}.*`, { of }),
    asked(`CONSUMER.DELETE.${mirror}.*`, { of }),
    asked(`CONSUMER.MSG.NEXT.${mirror}.*`, { of, answersMany: true }),
  ]
}

function working(log: string, queue: string): readonly Right[] {
  const jobs = `$JS.ACK.${log}.${queue}.>`
  return [
    asked(`CONSUMER.INFO.${log}.${queue}`),
    asked(`CONSUMER.MSG.NEXT.${log}.${queue}`),
    { subject: jobs, known: jobs, answersMany: false, of: 'log' },
  ]
}
