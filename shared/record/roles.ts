// What each role may do: which names it binds, by the table of kinds, which queue it works, and
// what it reads. A server that enforces it is configured from here; this knows no server.
import type { Beside, Side } from '#schemas/beside-log'
import { binderOf, topics, type BindingRole } from '#schemas/kind-entry'
import { allKinds, kinds, type Kind } from '#schemas/kinds'
import { nameFrom, patternOf, tokenAt, type Place } from './names.ts'

/** What stands at one token of a name: anything, the user's own token, or the role's queue. */
type Part = '*' | 'own' | 'queue'

/** The names of a kind that a role holds. */
interface Shape {
  readonly kind: Kind
  readonly parts: readonly Part[]
}

export interface Powers {
  readonly side: Side
  readonly readsAll: boolean
  /** The queue whose jobs it works. */
  readonly queue: string | null
  /** The messages beside the log that it gives and receives: a worker all, others their own. */
  readonly gives: readonly Beside[]
  readonly receives: readonly Beside[]
}

const behind: Readonly<Record<Beside, string>> = { notice: '.*.*', toreview: '.>', missed: '' }

/** Under which subjects it is sent about that token; `*` for all. */
export function besidePattern(realm: string, kind: Beside, own: string): string {
  return `${realm}.${kind}.${own}${behind[kind]}`
}

const none = { readsAll: false, queue: null, gives: [], receives: [] } as const

const speaker: Powers = { ...none, side: 'agents' }

const person: Powers = { ...none, side: 'people', readsAll: true }

const asked = { gives: ['missed'], receives: ['toreview'] } as const

/** A worker binds a fault where a job of its queue cannot be done. */
function worker(queue: string, beside: Partial<Pick<Powers, 'gives' | 'receives'>> = {}): Powers {
  return { ...none, side: 'workers', readsAll: true, queue, ...beside }
}

type Roles = Readonly<Record<BindingRole, Powers>> & Readonly<Record<string, Powers>>

/** Every role and its powers beside the names that it binds. A role that is not here has none. */
export const roles = {
  agent: { ...speaker, receives: ['notice'] },
  tool: speaker,
  desk: speaker,
  grounding: worker('grounding'),
  policy: worker('policy', { gives: ['notice'] }),
  confirmation: worker('confirmation', { gives: ['notice', 'toreview'], receives: ['missed'] }),
  learning: worker('learning'),
  verification: worker('verification'),
  projector: worker('projector'),
  gateway: { ...person, side: 'workers' },
  // In the names of the principals that it speaks for, which its user lists one by one.
  door: { ...person, side: 'workers' },
  // It notifies people, and records that; it decides nothing.
  outreach: { ...person, side: 'workers' },
  confirmer: { ...person, ...asked },
  // Answers what it is asked, and reads nothing else of the log.
  answerer: { ...person, ...asked, readsAll: false },
  // Binds what people signed at it, and signs nothing itself.
  console: person,
  // Ends an era, and signs for what the next begins with.
  'policy-admin': person,
  // The same on the terms of the catalog, and nothing else.
  'era-keeper': person,
  auditor: person,
} as const satisfies Roles

export type Role = keyof typeof roles

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text)
}

/** Every role, in the order of the table. */
export const allRoles: readonly Role[] = Object.keys(roles).filter(isRole)

export function powersOf(role: Role): Powers {
  return roles[role]
}

/** The kinds of which it may bind a name that has no token of its own. */
export function kindsBoundForAll(role: Role): readonly Kind[] {
  return shapesBy(role).flatMap(({ kind, parts }) =>
    parts.every((one) => one === '*') ? [kind] : [],
  )
}

/** The shapes of the names it may bind. `own` is the user's token, or `*` for any user of it. */
export function namesBound(role: Role, place: Place, own: string): readonly string[] {
  return shapesBy(role).map((shape) => shapeFor(shape, { role, place, own }))
}

/** The shapes of the names it may get one by one, where it does not read everything. */
export function namesGot(role: Role, place: Place, own: string): readonly string[] {
  const { readsAll, receives } = powersOf(role)
  if (readsAll) return []
  // The kind that ends an intent comes first.
  const read = allKinds.filter((kind) => kinds[kind].agentReads === true).toReversed()
  const ofIntents = receives.includes('notice') ? read.map((kind) => shapeOwn(kind, 'first')) : []
  const shapes = [...shapesBy(role), ...ofIntents]
  return shapes.map((one) => shapeFor(one, { role, place, own }))
}

/**
 * The kinds that speakers bind. Where a server keeps what speakers send apart from the log, it is
 * taken into whichever era is open, so a speaker need not know the era; who else binds such a kind
 * sends it the same way.
 */
export const kindsTakenIn: readonly Kind[] = allKinds.filter((kind) =>
  kinds[kind].boundBy.flatMap((name) => binderOf(name).roles).some(isSpeaker),
)
const takenIn: ReadonlySet<string> = new Set(kindsTakenIn)

function isSpeaker(role: string): boolean {
  return isRole(role) && roles[role].side === 'agents'
}

export function isTakenIn(kind: string): boolean {
  return takenIn.has(kind)
}

/**
 * The names that a fact may give itself, in an event or under a signature: its own, and for kinds
 * that are taken in the name without its era, which comes first and is what is written today.
 */
export function namesInside(name: string): readonly string[] {
  const inside = nameInside(name)
  return inside === name ? [name] : [inside, name]
}

/** The name that it is to give itself. */
export function nameInside(name: string): string {
  return isTakenIn(tokenAt(name, 2)) ? `${tokenAt(name, 0)}.${nameFrom(name, 2)}` : name
}

/** In the order of the topics, and within one of them of the table. */
function shapesBy(role: Role): readonly Shape[] {
  return topics
    .flatMap((topic) => allKinds.filter((kind) => kinds[kind].about === topic))
    .flatMap((kind) =>
      kinds[kind].boundBy
        .map(binderOf)
        .filter(({ roles: bound }) => bound.includes(role))
        .map(({ own }) => shapeOwn(kind, own)),
    )
}

function shapeOwn(kind: Kind, own: 'first' | 'last' | 'queue' | null): Shape {
  const { tokens } = kinds[kind]
  const at = own === 'last' ? tokens.length - 1 : 0
  const part = own === 'queue' ? 'queue' : 'own'
  return { kind, parts: tokens.map((_, index) => (own !== null && index === at ? part : '*')) }
}

interface Holder {
  readonly role: Role
  readonly place: Place
  readonly own: string
}

function shapeFor({ kind, parts }: Shape, { role, place, own }: Holder): string {
  const stands = { '*': '*', own, queue: powersOf(role).queue ?? '' }
  return patternOf(place, kind, ...parts.map((part) => stands[part]))
}
