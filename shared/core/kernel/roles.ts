// The one table of powers: which role may bind which names, works which queue, reads what. A server
// that enforces it is configured from here; it must never know which server that is.
import { kindTokens, patternOf, type Kind, type Place } from './names.ts'

/** Whose side a role is on. Those of one side trust each other more than the others do. */
export type Side = 'agents' | 'workers' | 'people'

/** What stands at one token of a name: anything, the user's own token, or this one. */
type Part = '*' | { readonly own: true } | { readonly is: string }

/** The names of a kind that a role holds. */
interface Shape {
  readonly kind: Kind
  readonly parts: readonly Part[]
}

export interface Powers {
  readonly side: Side
  readonly binds: readonly Shape[]
  /** What it may get by name beside what it binds, where it does not read everything. */
  readonly gets: readonly Shape[]
  readonly readsAll: boolean
  /** The queue whose jobs it works. */
  readonly queue: string | null
  /** Notices are hints: those who bind verdicts give them, and an agent hears its own. */
  readonly notices: 'gives' | 'hears' | null
}

/** Names of that kind, whosever they are. */
function any(kind: Kind): Shape {
  return { kind, parts: Array.from({ length: kindTokens[kind] }, () => '*' as const) }
}

/** Names of that kind whose first token is the user's own: sender or agent. */
function ownFirst(kind: Kind): Shape {
  return { kind, parts: [{ own: true }, ...any(kind).parts.slice(1)] }
}

/** Names of that kind whose last token is the user's own: the confirmer. */
function ownLast(kind: Kind): Shape {
  return { kind, parts: [...any(kind).parts.slice(1), { own: true }] }
}

const speaker: Powers = {
  side: 'agents',
  binds: [ownFirst('vlp')],
  gets: [],
  readsAll: false,
  queue: null,
  notices: null,
}

const person: Powers = {
  side: 'people',
  binds: [],
  gets: [],
  readsAll: true,
  queue: null,
  notices: null,
}

/** A worker binds its own kinds, and a fault where a job of its queue can not be done. */
function worker(queue: string, ...kinds: readonly Kind[]): Powers {
  const fault: Shape = { kind: 'fault', parts: [{ is: queue }, '*'] }
  return {
    side: 'workers',
    binds: [...kinds.map(any), fault],
    gets: [],
    readsAll: true,
    queue,
    notices: kinds.includes('verdict') ? 'gives' : null,
  }
}

/** Every role and its powers. What is not here nobody may do. */
export const roles = {
  agent: {
    ...speaker,
    // What its own guard reports has names of its own, apart from those of a gateway.
    binds: [ownFirst('vlp'), ownFirst('withdrawal'), ownFirst('ownstart'), ownFirst('ownoutcome')],
    gets: [ownFirst('verdict'), ownFirst('review')],
    notices: 'hears',
  },
  tool: speaker,
  desk: speaker,
  grounding: worker('grounding', 'grounding'),
  policy: worker('policy', 'rate', 'asked', 'hold', 'review', 'verdict'),
  // What has changed since people were asked is asked again.
  confirmation: worker('confirmation', 'rate', 'asked', 'review', 'verdict'),
  // The catalog says whose word counts: only people change it.
  learning: worker('learning', 'resume', 'proposal', 'meeting', 'suggestion', 'expiry', 'graph'),
  projector: worker('projector'),
  gateway: {
    ...person,
    side: 'workers',
    binds: [any('start'), any('outcome')],
  },
  confirmer: {
    ...person,
    binds: [ownLast('decision'), ownLast('ruling'), ownLast('reopening'), any('lift')],
  },
  // Only a policy admin ends an era, and signs for what the next begins with.
  'policy-admin': {
    ...person,
    binds: [any('graph'), any('catalog'), any('snapshot'), any('lift')],
  },
  auditor: person,
} as const satisfies Readonly<Record<string, Powers>>

export type Role = keyof typeof roles

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text)
}

/** Every role, in the order of the table. */
export const allRoles: readonly Role[] = Object.keys(roles).filter(isRole)

export function powersOf(role: Role): Powers {
  return roles[role]
}

/** The shapes of the names it may bind. `own` is the user's token, or `*` for whoever it is. */
export function namesBound(role: Role, place: Place, own: string): readonly string[] {
  return roles[role].binds.map((shape) => shapeFor(shape, place, own))
}

/** The shapes of the names it may get one by one, where it does not read everything. */
export function namesGot(role: Role, place: Place, own: string): readonly string[] {
  const { readsAll, binds, gets } = powersOf(role)
  return readsAll ? [] : [...binds, ...gets].map((shape) => shapeFor(shape, place, own))
}

/** Under which subjects notices about intents of that agent are given; `*` for all agents. */
export function noticesAbout(realm: string, agent: string): string {
  return `${realm}.notice.${agent}.*.*`
}

function shapeFor({ kind, parts }: Shape, place: Place, own: string): string {
  const tokens = parts.map((part) => (part === '*' ? '*' : 'own' in part ? own : part.is))
  return patternOf(place, kind, ...tokens)
}
