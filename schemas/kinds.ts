// The table of kinds: every kind of fact, with the shape of its name, its schema, who may bind it
// and what readers must know of it. To add a kind, add its entry here; the compiler then asks for
// what folds it and for its line in the story.
import type { z } from 'zod'
import { actionKinds } from './action/kinds.ts'
import { attentionKinds } from './attention/kinds.ts'
import {
  BudgetData,
  CatalogChangeData,
  FaultData,
  GraphChangeData,
  GroundingData,
  HoldData,
  LiftData,
  RateData,
  ResumeData,
  VerdictData,
  WithdrawalData,
} from './facts.ts'
import type { KindEntry } from './kind-entry.ts'
import {
  ExpiryData,
  MeetingData,
  ProposalData,
  ReopeningData,
  RulingData,
  SuggestionData,
} from './learning.ts'
import { outreachKinds } from './outreach/kinds.ts'
import { peopleKinds } from './people/kinds.ts'
import { DecisionData, ReviewData } from './review.ts'
import { SnapshotData } from './snapshot.ts'
import { workKinds } from './work/kinds.ts'

const intent = ['agent', 'session', 'id'] as const

const table = {
  vlp: {
    title: 'One VLP/1.1 message, its bytes as published',
    tokens: ['sender', 'session', 'id'],
    schema: null,
    boundBy: ['sender'],
    about: 'intent',
  },
  withdrawal: {
    title: 'The agent no longer wants it',
    tokens: intent,
    schema: WithdrawalData,
    boundBy: ['agent'],
    about: 'intent',
  },
  grounding: {
    title: 'Whether the message was sound, and what it needs is known',
    tokens: [...intent, 'attempt'],
    schema: GroundingData,
    boundBy: ['grounding'],
    about: 'intent',
    derived: true,
  },
  rate: {
    title: 'The n-th use of a tool by an agent, and by which intent',
    tokens: ['agent', 'capability', 'use'],
    schema: RateData,
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  asked: {
    title: 'The n-th time that people are asked about a tool, and by which intent',
    tokens: ['agent', 'capability', 'use'],
    schema: RateData,
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  budget: {
    title: 'What an intent takes of a budget: the n-th use for a key',
    tokens: ['budget', 'key', 'use'],
    schema: BudgetData,
    boundBy: ['policy', 'confirmation'],
    about: 'use',
    derived: true,
    dense: true,
  },
  hold: {
    title: 'Only gaps stand in the way, and it may wait',
    tokens: [...intent, 'attempt'],
    schema: HoldData,
    boundBy: ['policy'],
    about: 'intent',
    derived: true,
    movesDeadline: true,
  },
  resume: {
    title: 'Learning has ended: ground it again',
    tokens: [...intent, 'attempt'],
    schema: ResumeData,
    boundBy: ['learning'],
    about: 'intent',
    derived: true,
    movesDeadline: true,
  },
  review: {
    title: 'People must decide: the questions, what is shown, who may answer, until when',
    tokens: [...intent, 'review'],
    schema: ReviewData,
    boundBy: ['policy', 'confirmation'],
    about: 'intent',
    derived: true,
    agentReads: true,
    movesDeadline: true,
  },
  decision: {
    title: 'The answer of one confirmer to each question',
    tokens: [...intent, 'review', 'confirmer'],
    schema: DecisionData,
    boundBy: ['confirmer', 'console'],
    about: 'intent',
  },
  verdict: {
    title: 'Allow or deny, with every reason and the terms',
    tokens: intent,
    schema: VerdictData,
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
    schema: FaultData,
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
    schema: LiftData,
    boundBy: ['confirmers', 'policyAdmins', 'console'],
    about: 'agent',
    dense: true,
  },
  proposal: {
    title: 'What is missing in the graph, and which agent met it: people are asked',
    tokens: ['proposal'],
    schema: ProposalData,
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  meeting: {
    title: 'One more agent has met what is asked',
    tokens: ['proposal', 'agent'],
    schema: MeetingData,
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  // A model's words cannot be derived; the fold checks what counts of them.
  suggestion: {
    title: 'What a model would put there, or why its answer cannot be used',
    tokens: ['proposal', 'number'],
    schema: SuggestionData,
    boundBy: ['learning'],
    about: 'question',
  },
  ruling: {
    title: 'What a person made of a proposal',
    tokens: ['proposal', 'confirmer'],
    schema: RulingData,
    boundBy: ['confirmer', 'console'],
    about: 'question',
  },
  expiry: {
    title: 'A proposal was open too long',
    tokens: ['proposal'],
    schema: ExpiryData,
    boundBy: ['learning'],
    about: 'question',
    derived: true,
  },
  reopening: {
    title: 'A person has it asked again',
    tokens: ['proposal', 'confirmer'],
    schema: ReopeningData,
    boundBy: ['confirmer', 'console'],
    about: 'question',
  },
  // What learning adds to the graph the fold derives from the ruling, and takes no other.
  graph: {
    title: 'One change set of the knowledge graph',
    tokens: ['revision'],
    schema: GraphChangeData,
    boundBy: ['learning', 'policyAdmins', 'console'],
    about: 'knowledge',
    dense: true,
  },
  catalog: {
    title: 'One change set of the catalog',
    tokens: ['revision'],
    schema: CatalogChangeData,
    boundBy: ['policyAdmins', 'console'],
    about: 'knowledge',
    dense: true,
  },
  snapshot: {
    title: 'A step of what an era opens with: the seal, the state so far in chunks, the end',
    tokens: ['number'],
    schema: SnapshotData,
    boundBy: ['policyAdmins'],
    about: 'era',
    dense: true,
  },
} as const satisfies Readonly<Record<string, KindEntry>>

export type Kind = keyof typeof table

/** What stands in the log as an event; everything else is a message. */
export type EventKind = {
  readonly [K in Kind]: (typeof table)[K]['schema'] extends z.ZodType ? K : never
}[Kind]

type Schema<K extends EventKind> = (typeof table)[K]['schema']

/** The content of a fact of that kind, as it is read. */
export type ContentOf<K extends EventKind> = z.output<Schema<K>>

/** The same as it is written. */
export type InputOf<K extends EventKind> = z.input<Schema<K>>

/** Every kind with its properties. */
export const kinds: Readonly<Record<Kind, KindEntry>> = table

const events: { readonly [K in EventKind]: { readonly schema: z.ZodType<ContentOf<K>> } } = table

/** The schema of the content of a kind. */
export function schemaOf<K extends EventKind>(kind: K): z.ZodType<ContentOf<K>> {
  return events[kind].schema
}

export function isKind(text: string): text is Kind {
  return Object.hasOwn(table, text)
}

export function isEvent(kind: Kind): kind is EventKind {
  return kinds[kind].schema !== null
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
