// The part of the table of kinds that is about people beside their answers: kinds.ts spreads it in.
import type { KindEntry } from '../kind-entry.ts'

export const peopleKinds = {
  handover: {
    title: 'One who may answer a review asks another to look at it',
    tokens: ['agent', 'session', 'id', 'review', 'confirmer'],
    boundBy: ['asked', 'console'],
    about: 'intent',
  },
  enrolment: {
    title: 'A passkey lets the key of a browser answer for a few days',
    tokens: ['confirmer', 'word'],
    boundBy: ['person', 'console'],
    about: 'question',
  },
  absence: {
    title: 'A person is away, and another may answer meanwhile',
    tokens: ['confirmer', 'word'],
    boundBy: ['person', 'console'],
    about: 'question',
  },
  note: {
    title: 'What a person notes about an intent or a position',
    tokens: ['word', 'confirmer'],
    boundBy: ['confirmer', 'console'],
    about: 'agent',
  },
} as const satisfies Readonly<Record<string, KindEntry>>
