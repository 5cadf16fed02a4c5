// What an entry in the table of kinds is made of: the tokens of names, the binders of names, and
// the properties of a kind. It names no kind itself.

/** What stands at one place of a name, as documents for people explain it. */
export const tokenTitles = {
  sender: 'Who speaks: an identifier as a token',
  agent: 'The agent of the intent: an identifier as a token',
  session: 'The session as a token; `-` without one',
  id: 'A ULID, unique within sender and session',
  attempt: 'The n-th grounding of the intent, counting from 1',
  capability: 'The tool as a token',
  review: 'The n-th review of the intent, counting from 1',
  lift: 'The n-th lift for the agent, counting from 1',
  use: 'The n-th use, counting from 1',
  budget: 'The name of the budget as a token',
  key: 'For whom it is added up, as a token; `-` for all together',
  grant: 'A ULID, unique among grants',
  confirmer: 'Who answers: an identifier as a token',
  queue: 'The queue whose worker gave the job up',
  position: 'The position of the fact that was the job',
  notification:
    'Whom, by what and about what, as 26 characters of its digest: who sends the same binds the ' +
    'same name',
  revision: 'The number of the change set, counting from 1',
  proposal:
    'What is asked, as 26 characters of its digest: who asks the same asks under the same name',
  revocation: 'A ULID, unique among revocations',
  drill: 'A ULID, unique among drills',
  word: 'A ULID, unique among those of its kind',
  issuer: 'Who opened the contract: an identifier as a token',
  trial: 'The n-th attempt at the contract, counting from 1',
  number: 'The n-th of its kind there, counting from 1',
} as const

interface Binder {
  readonly roles: readonly string[]
  /** Where the user's own token, or the queue of its role, stands; null where any token may. */
  readonly own: 'first' | 'last' | 'queue' | null
  /** What documents for people call it. */
  readonly title: string
  /** Whether it is a stage, which sends facts; all others send to the stages. */
  readonly isStage: boolean
}

/** Who may bind names: the roles, and where their own token must stand. */
export const binders = {
  // A gateway says in its own name what tools answered, a door what others say through it.
  sender: {
    roles: ['agent', 'tool', 'desk', 'gateway', 'door'],
    own: 'first',
    title: 'that sender',
    isStage: false,
  },
  agent: { roles: ['agent', 'door'], own: 'first', title: 'that agent', isStage: false },
  // What its own guard reports has names of its own, apart from those of a gateway.
  guard: { roles: ['agent', 'door'], own: 'first', title: 'that agent’s guard', isStage: false },
  grounding: { roles: ['grounding'], own: null, title: 'grounding', isStage: true },
  policy: { roles: ['policy'], own: null, title: 'policy', isStage: true },
  confirmation: { roles: ['confirmation'], own: null, title: 'confirmation', isStage: true },
  learning: { roles: ['learning'], own: null, title: 'learning', isStage: true },
  verification: { roles: ['verification'], own: null, title: 'verification', isStage: true },
  queue: {
    roles: ['grounding', 'policy', 'confirmation', 'learning', 'verification', 'projector'],
    own: 'queue',
    title: 'that queue’s worker',
    isStage: true,
  },
  gateway: { roles: ['gateway'], own: null, title: 'the gateway', isStage: false },
  outreach: { roles: ['outreach'], own: null, title: 'outreach', isStage: false },
  asked: { roles: ['confirmer', 'answerer'], own: 'last', title: 'that confirmer', isStage: false },
  confirmer: { roles: ['confirmer'], own: 'last', title: 'that confirmer', isStage: false },
  confirmers: { roles: ['confirmer'], own: null, title: 'confirmers', isStage: false },
  person: { roles: ['confirmer'], own: 'first', title: 'that person', isStage: false },
  // What people signed at it; the fold believes nothing else of it.
  console: { roles: ['console'], own: null, title: 'a console', isStage: false },
  policyAdmins: { roles: ['policy-admin'], own: null, title: 'policy-admins', isStage: false },
  // On the terms of the catalog, which the fold holds it to.
  eraKeepers: { roles: ['era-keeper'], own: null, title: 'era-keepers', isStage: false },
} as const satisfies Readonly<Record<string, Binder>>

type BinderName = keyof typeof binders

/** The roles that bind something. */
export type BindingRole = (typeof binders)[BinderName]['roles'][number]

export function binderOf(name: BinderName): Binder {
  return binders[name]
}

/**
 * What facts can be about. Names about an intent begin with its address; a use names its intent in
 * its content. Lists of permissions follow this order.
 */
export const topics = [
  'use',
  'intent',
  'work',
  'question',
  'knowledge',
  'era',
  'agent',
  'job',
  'drill',
] as const

export interface KindEntry {
  /** What a fact of it says. */
  readonly title: string
  /** What stands in its names behind the kind, in order. */
  readonly tokens: readonly (keyof typeof tokenTitles)[]
  /** Whether its bytes stay as they were published; all else is an event. */
  readonly isMessage?: true
  /** No one where older logs alone have it. */
  readonly boundBy: readonly BinderName[]
  readonly about: (typeof topics)[number]
  /** Whether a stage derives it, so that replay derives it again. */
  readonly derived?: true
  /** Whether its last token counts up without gaps. A void fact uses up its number, too. */
  readonly dense?: true
  /** Whether the agent of the intent may get it by name. */
  readonly agentReads?: true
  /** Whether it may change when a stage must look at the intent again. */
  readonly movesDeadline?: true
  /** Whether it ends its intent. The agent is notified of it. */
  readonly endsIntent?: true
}
