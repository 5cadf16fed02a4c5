// What people are asked and answer, with every property that it can have.
import type { z } from 'zod'
import type { CallbackAnswer } from '#schemas/callbacks'
import type { Gap } from '#schemas/graph'
import type { DecisionData, ReviewData } from '#schemas/review'
import { address, digest, instant, intent, signature } from './sample-terms.ts'

export const gaps: Gap[] = [
  { kind: 'EXISTENCE', primitive: 'disc', candidates: ['disk'] },
  { kind: 'DEPTH', primitive: 'file', required: 2, current: null },
  { kind: 'RELATIONAL', source: 'delete', target: 'file', required: 2, current: 1 },
  { kind: 'REACHABILITY', primitive: 'user' },
]
export const callbacks: CallbackAnswer[] = [
  { policy: 'ask first', source: 'delete', target: 'file', callback: 'small', passed: false },
  {
    policy: 'b',
    source: 'c',
    target: 'd',
    callback: 'e',
    fault: { code: 'threw', params: { error: 'Error' } },
    recorded: true,
  },
  { policy: 'b', source: 'c', target: 'd', callback: 'e', applies: false, message: 'no' },
]

export const reviewSamples: {
  readonly review: z.input<typeof ReviewData>
  readonly decision: z.input<typeof DecisionData>
} = {
  review: {
    intent,
    grounding: `main.1.grounding.${address}.1`,
    number: 2,
    previous: `main.1.review.${address}.1`,
    tier: 'four_eyes',
    confirmation: 'desk',
    confirmers: ['piet', 'quin'],
    excluded: ['olga'],
    quorum: 2,
    questions: [
      {
        kind: 'policy',
        message: 'delete?',
        policy: 'ask first',
        source: 'delete',
        target: 'file',
        confirmation: 'desk',
        callback: { passed: false, message: 'too many' },
      },
      { kind: 'justification', callback: null },
      {
        kind: 'value_unknown',
        value: {
          arg: '/to/0',
          kind: 'email',
          value: 'eve@y.org',
          found: 'untrusted',
          message: 'main.1.vlp.tools.s.x',
          sender: 'tools',
          tool: 'inbox',
          pointer: '/payload/value/0/body',
        },
      },
    ],
    terms: {
      capability: 'files.delete',
      args: { path: 'a' },
      argsDigest: digest,
      constraints: { max_rows: 5 },
      scope: {},
      useWithinMs: 300_000,
    },
    gaps,
    policies: [
      {
        policy: 'ask first',
        source: 'delete',
        target: 'file',
        requiresConfirmation: true,
        confirmation: 'desk',
        result: { passed: false, message: 'too many' },
      },
      {
        policy: 'checked',
        source: 'delete',
        target: 'file',
        requiresConfirmation: false,
        result: null,
      },
    ],
    values: [
      {
        arg: '/from',
        kind: 'email',
        value: 'olga@x.com',
        found: 'attribute',
        principal: 'olga',
        attribute: 'mail',
      },
    ],
    shown: {
      owner: 'olga',
      description: 'takes a file away',
      safetyClass: 'DESTRUCTIVE',
      sensitivity: 'NONE',
      goal: null,
      justification: 'it is old and no one reads it',
    },
    demands: {
      signedWith: 'passkey',
      reason: 'decline',
      differentServers: true,
      deputies: true,
    },
    side: ['bot', 'olga'],
    log: digest,
    digest,
    decideBy: instant,
    callbacks,
  },
  decision: {
    intent,
    review: `main.1.review.${address}.2`,
    digest,
    confirmer: 'piet',
    answers: [true, false],
    note: 'as agreed',
    batch: [`main.1.review.${address}.2`, 'main.1.review.bot.-.other.1'],
    for: 'quin',
    shown: { digest, language: 'en' },
    signature,
  },
}
