// The table of kinds: every kind of fact, with the shape of its name, who may bind it and what
// readers must know of it. To add a kind, add its entry here; the compiler then asks for its schema
// in contents.ts, for what folds it and for its line in the story.
import { actionKinds } from './action/kinds.ts'
import { attentionKinds } from './attention/kinds.ts'
import type { KindEntry } from './kind-entry.ts'
import { outreachKinds } from './outreach/kinds.ts'
import { peopleKinds } from './people/kinds.ts'
import { workKinds } from './work/kinds.ts'

const intent = ['agent', 'session', 'id'] as const

const table = {
  vlp: {
    title: 'One VLP/1.1 message, its bytes as published',
    tokens: ['sender', 'session', 'id'],
    isMessage: true,
    boundBy: ['sender'],
    about: 'intent',
  },
  withdrawal: {
    title: 'The agent no longer wants it',
    tokens: intent,
    boundBy: ['agent'],
    about: 'intent',
  },
  grounding: {
    title: 'Whether the message was sound, and what it needs is known',
    tokens: [...intent, 'attempt'],
    boundBy: ['grounding'],
    about: 'intent',
    derived: true,
  },
  rate: {
    title: 'The n-th use of a tool by an agent, and by which intent',
    tokens: ['agent', 'capability', 'use'],
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  asked: {
    title: 'The n-th time that people are asked about a tool, and by which intent',
    tokens: ['agent', 'capability', 'use'],
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  budget: {
    title: 'What an intent takes of a budget: the n-th use for a key',
    tokens: ['budget', 'key', 'use'],
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  hold: {
    title: 'Only gaps stand in the way, and it may wait',
    tokens: [...intent, 'attempt'],
    boundBy: ['policy'],
    about: 'intent',
    derived: true,
    movesDeadline: true,
  },
  resume: {
    title: 'Learning has ended: ground it again',
    tokens: [...intent, 'attempt'],
    boundBy: ['learning'],
    about: 'intent',
    derived: true,
    movesDeadline: true,
  },
  review: {
    title: 'People must decide: the questions, what is shown, who may answer, until when',
    tokens: [...intent, 'review'],
    boundBy: ['policy', 'confirmation'],
    about: 'intent',
    derived: true,
    agentReads: true,
    movesDeadline: true,
  },
  decision: {
    title: 'The answer of one confirmer to each question',
    tokens: [...intent, 'review', 'confirmer'],
    boundBy: ['asked', 'console'],
    about: 'intent',
  },
  verdict: {
    title: 'Allow or deny, with every reason and the terms',
    tokens: intent,
    boundBy: ['policy', 'confirmation'],
    about: 'intent',
    derived: true,
    agentReads: true,
    movesDeadline: true,
    endsIntent: true,
  },
  fault: {
    title: 'A job was tried and set aside, and why',
    tokens: ['queue', 'position'],
    boundBy: ['queue'],
    about: 'job',
  },
  ...actionKinds,
  ...outreachKinds,
  ...attentionKinds,
  ...peopleKinds,
  ...workKinds,
  lift: {
    title: 'A person lifts what stops an agent',
    tokens: ['agent', 'lift'],
    boundBy: ['confirmers', 'policyAdmins', 'console'],
    about: 'agent',
    dense: true,
  },
  proposal: {
    title: 'What is missing in the graph, and which agent met it: people are asked',
    tokens: ['proposal'],
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  meeting: {
    title: 'One more agent has met what is asked',
    tokens: ['proposal', 'agent'],
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  // A model's words cannot be derived; the fold checks what counts of them.
  suggestion: {
    title: 'What a model would put there, or why its answer cannot be used',
    tokens: ['proposal', 'number'],
    boundBy: ['learning'],
    about: 'question',
  },
  ruling: {
    title: 'What a person made of a proposal',
    tokens: ['proposal', 'confirmer'],
    boundBy: ['confirmer', 'console'],
    about: 'question',
  },
  expiry: {
    title: 'A proposal was open too long',
    tokens: ['proposal'],
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  reopening: {
    title: 'A person has it asked again',
    tokens: ['proposal', 'confirmer'],
    boundBy: ['confirmer', 'console'],
    about: 'question',
  },
  // What learning adds to the graph the fold derives from the ruling, and takes no other.
  graph: {
    title: 'One change set of the knowledge graph',
    tokens: ['revision'],
    boundBy: ['learning', 'policyAdmins', 'console'],
    about: 'knowledge',
    dense: true,
  },
  catalog: {
    title: 'One change set of the catalog',
    tokens: ['revision'],
    boundBy: ['policyAdmins', 'console'],
    about: 'knowledge',
    dense: true,
  },
  snapshot: {
    title: 'A step of what an era opens with: the seal, the state so far in chunks, the end',
    tokens: ['number'],
    boundBy: ['policyAdmins', 'eraKeepers'],
    about: 'era',
    dense: true,
  },
} as const satisfies Readonly<Record<string, KindEntry>>

export type Kind = keyof typeof table

/** What stands in the log as an event; everything else is a message. */
export type EventKind = {
  readonly [K in Kind]: (typeof table)[K] extends { readonly isMessage: true } ? never : K
}[Kind]

/** Every kind with its properties. */
export const kinds: Readonly<Record<Kind, KindEntry>> = table

export function isKind(text: string): text is Kind {
  return Object.hasOwn(table, text)
}

export function isEvent(kind: Kind): kind is EventKind {
  return kinds[kind].isMessage !== true
}

/** Kinds that count a use: each is only half of what a stage has to say. */
export type UseKind = {
  readonly [K in Kind]: (typeof table)[K]['about'] extends 'use' ? K : never
}[Kind]

export function isUse(kind: Kind): kind is UseKind {
  return kinds[kind].about === 'use'
}

/** Every kind, in the order of the table. */
export const allKinds: readonly Kind[] = Object.keys(table).filter(isKind)

/** The kinds about one of these topics. */
export function kindsAbout(...topics: readonly KindEntry['about'][]): readonly Kind[] {
  return allKinds.filter((kind) => topics.includes(kinds[kind].about))
}
