// What a role means on a NATS server: which subjects of the log's account its users may publish to.
// Reading is a right to ask too. It must never give a right to change a stream or the log's queues.
import { controlPlace, queueOf, realmOfCell, type Place } from '#record/names'
import { isTakenIn, namesBound, namesGot, powersOf, type Role } from '#record/roles'
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

/** What there is on a server. */
export interface Deployment {
  readonly realm: string
  /** The newest era; users may ask every one up to it. */
  readonly era: number
  /** How many cells the realm has; absent means one log. */
  readonly cells?: number | undefined
}

/** A log of a deployment. */
export interface Site {
  readonly place: Place
  /**
   * Whether it has intakes, queues and notices. What all cells share has none: it is read, and its
   * names are among those of each cell.
   */
  readonly isWorked: boolean
}

/** Every log of a deployment, or what someone in that cell needs of them. */
export function sitesOf({ realm, era, cells }: Deployment, cell?: number): readonly Site[] {
  const erasOf = (of: string) =>
    Array.from({ length: era }, (_, before) => ({
      place: { realm: of, era: before + 1 },
      isWorked: true,
    }))
  if (cells === undefined) return erasOf(realm)
  const all = cell === undefined ? Array.from({ length: cells }, (_, index) => index) : [cell]
  return [
    ...all.flatMap((index) => erasOf(realmOfCell({ of: realm, index }))),
    { place: controlPlace(realm), isWorked: false },
  ]
}

/** The realm of each cell, or the one realm. */
export function realmsOf(sites: readonly Site[]): readonly string[] {
  return [...new Set(sites.flatMap(({ place, isWorked }) => (isWorked ? [place.realm] : [])))]
}

/** Whether such a user is in one cell. All others may be trusted in each. */
export function isInOneCell(role: Role | 'operator'): boolean {
  return role === 'agent'
}

/**
 * All that a user may ask of these logs; a sealed era refuses appends itself. `own` is the user's
 * token, or `*` for anyone who holds the role.
 */
export function rightsOf(role: Role, sites: readonly Site[], own: string): readonly Right[] {
  const { readsAll } = powersOf(role)
  const intakes = realmsOf(sites).flatMap((realm) =>
    Array.from({ length: intakesMax }, (_, index) => intakeName(realm, index)),
  )
  const everywhere = readsAll
    ? [asked('STREAM.NAMES'), ...intakes.map((name) => asked(`STREAM.INFO.${name}`))]
    : []
  const rights = [...everywhere, ...sites.flatMap((site) => rightsAt(role, site, own))]
  // What is published without an era is the same in each, and what cells share is of each.
  return [...new Map(rights.map((right) => [right.subject, right])).values()]
}

/** The same without the names that it binds: for a door that speaks for no one. */
export function readingRights(role: Role, sites: readonly Site[]): readonly Right[] {
  return rightsOf(role, sites, '*').filter(({ known }) => known.startsWith(apiOfClients))
}

function rightsAt(role: Role, { place, isWorked }: Site, own: string): readonly Right[] {
  const { readsAll, queue } = powersOf(role)
  const { log } = streamNames(place)
  if (!isWorked) return readsAll ? reading(place) : []
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
