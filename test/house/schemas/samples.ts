// One fact of each kind with every property that it can have, so that a mutation of it reaches
// every corner of its schema.
import type { z } from 'zod'
import type { InputOf } from '#schemas/contents'
import type { EventKind } from '#schemas/kinds'
import type { Policy } from '#schemas/graph'
import { attentionSamples } from './attention-samples.ts'
import { grantSamples } from './grant-samples.ts'
import { workSamples } from './work-samples.ts'
import { learningSamples } from './learning-samples.ts'
import { outreachSamples } from './outreach-samples.ts'
import { peopleSamples, sampleConsole, samplePasskey } from './people-samples.ts'
import { callbacks, gaps, reviewSamples } from './review-samples.ts'
import { address, digest, instant, intent, signature } from './sample-terms.ts'

type Samples = { readonly [K in EventKind]: InputOf<K> }

const edge = {
  source: 'delete',
  target: 'file',
  type: 'APPLIES_TO',
  sourceDepth: 2,
  targetDepth: 2,
} as const
const policy: z.input<typeof Policy> = {
  name: 'ask first',
  requiresConfirmation: true,
  triggerCardinality: 'multiple',
  callback: 'small',
  confirmationMessage: '{action}?',
  confirmation: 'desk',
  metadata: { why: ['rule', 1] },
}
const ground = {
  concepts: ['delete', 'file'],
  minDepth: 1,
  grounded: false,
  resolved: ['delete', 'file'],
  gaps: gaps,
  gapsOmitted: 1,
  visible: [{ name: 'file', level: null }],
  gated: [edge],
  pathway: [edge],
  pathwayOmitted: 1,
  policies: [{ source: 'delete', target: 'file', policy }],
}
const changeSet = { revision: 1, by: 'root', note: 'first', signature }

const samples: Samples = {
  withdrawal: { intent, note: 'done by hand', signature },
  grounding: {
    intent,
    attempt: 1,
    earlier: 'main.1.vlp.bot.-.x',
    message: {
      position: 1,
      digest,
      malformed: false,
      senderMatches: true,
      outcome: 'review',
      issues: [{ code: 'safety_review', severity: 'warning', path: '/safety', params: {} }],
      issuesOmitted: 1,
      integrity: 62,
      depth: 2,
      gate: 'review',
      safetyLevel: 'review',
      requiresHuman: false,
      unearnedConfidence: false,
    },
    capability: 'files.delete',
    cardinality: 'single',
    ground,
    graphRevision: 0,
    catalogRevision: 1,
  },
  rate: { intent, agent: 'bot', capability: 'files.delete', use: 1, uses: 2, windowMs: 60_000 },
  hold: {
    intent,
    attempt: 1,
    grounding: `main.1.grounding.${address}.1`,
    gaps: gaps,
    until: instant,
  },
  asked: { intent, agent: 'bot', capability: 'files.delete', use: 1, uses: 2, windowMs: 60_000 },
  budget: {
    intent,
    budget: 'payments',
    key: 'olga',
    use: 1,
    amount: '12.5',
    max: '1000',
    windowMs: 86_400_000,
  },
  ...grantSamples,
  ...outreachSamples,
  ...workSamples,
  resume: { intent, attempt: 1, reason: { code: 'graph_changed', params: { graphRevision: 2 } } },
  ...reviewSamples,
  verdict: {
    intent,
    outcome: 'deny',
    reasons: [
      { code: 'ungrounded', recover: 'learn', params: { gaps, gapsOmitted: 1 } },
      { code: 'rate_limited', recover: 'wait', params: { waitMs: 10 } },
      { code: 'invalid_arguments', recover: 'fix', params: { path: '/args/a' } },
      {
        code: 'policy_blocked',
        recover: 'never',
        params: { message: 'no', policy: 'p', source: 'a', target: 'b' },
      },
    ],
    reasonsOmitted: 1,
    message: { position: 1, digest },
    grounding: `main.1.grounding.${address}.1`,
    review: null,
    release: { ground, confirmedBy: ['piet'], deputies: [{ by: 'rosa', for: 'piet' }] },
    terms: {
      capability: 'files.delete',
      argsDigest: digest,
      constraints: { max_rows: 5 },
      scope: { memory_scope: 'own' },
      useBy: instant,
    },
    observed: false,
    callbacks,
    callbackModule: digest,
    graphRevision: 1,
    catalogRevision: 1,
  },
  fault: { queue: 'policy', position: 1, name: 'main.1.x', attempts: 5, code: 'x', message: 'y' },
  start: {
    intent,
    verdict: `main.1.verdict.${address}`,
    gateway: 'gw',
    capability: 'files.delete',
    executed: digest,
    until: instant,
    token: digest,
  },
  outcome: {
    intent,
    outcome: 'refused',
    code: 'ENOSPC',
    detail: 'TypeError',
    result: { digest, bytes: 12 },
    attempts: 2,
  },
  ownstart: { intent, verdict: `main.1.verdict.${address}` },
  ownoutcome: { intent, outcome: 'failed', code: 'ENOSPC', detail: 'no room' },
  expansion: {
    intent,
    number: 1,
    gateway: 'gw',
    query: digest,
    rows: 2,
    refused: 'handle_expired',
  },
  settlement: { intent, happened: true, by: 'olga', note: 'the customer has it', signature },
  routing: {
    agent: 'bot',
    session: null,
    goal: digest,
    candidates: [{ id: 'files.read', score: 7.25 }],
    catalog: 3,
    ranker: 1,
    model: 'small',
    signature,
  },
  ...peopleSamples,
  lift: { agent: 'bot', through: 7, by: 'olga', note: 'it is fine', signature },
  revocation: { target: { capability: 'files.delete' }, by: 'root', note: 'leaked', signature },
  ...attentionSamples,
  ...learningSamples,
  graph: {
    ...changeSet,
    ruling: 'main.1.ruling.01J0000000000000000000000A.piet',
    operations: [
      { op: 'add', name: 'file', provenance: { source: 'authored', by: 'root', at: instant } },
      { op: 'rename', name: 'file', to: 'document' },
      { op: 'remove', name: 'file' },
      { op: 'describe', name: 'file', level: 1, properties: { what: 'bytes' } },
      { op: 'erase', name: 'file', level: 1 },
      {
        op: 'relate',
        name: 'delete',
        level: 2,
        relatum: {
          type: 'APPLIES_TO',
          target: 'file',
          targetDepth: 2,
          metadata: { a: null },
          policies: [policy],
        },
      },
      { op: 'unrelate', name: 'delete', level: 2, type: 'APPLIES_TO', target: 'file' },
    ],
  },
  catalog: {
    ...changeSet,
    operations: [
      {
        op: 'put',
        collection: 'principals',
        entry: { id: 'bot', owner: 'olga', attributes: { a: 'b' }, passkeys: [samplePasskey] },
      },
      { op: 'put', collection: 'groups', entry: { id: 'desk', members: ['olga'] } },
      {
        op: 'put',
        collection: 'capabilities',
        entry: { id: 'files.read', safetyClass: 'READ', minDepth: 1 },
      },
      { op: 'put', collection: 'confirmations', entry: { id: 'desk', tier: 'confirm', quorum: 1 } },
      {
        op: 'set',
        key: 'limits',
        value: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 1 }],
      },
      { op: 'set', key: 'trustedEvidence', value: [{ sender: 'tools', for: ['orders'] }] },
      { op: 'set', key: 'consoles', value: [sampleConsole] },
      { op: 'set', key: 'now', value: null },
      { op: 'remove', collection: 'groups', id: 'desk' },
      { op: 'suspend', id: 'bot' },
      { op: 'unsuspend', id: 'bot' },
      { op: 'leave', id: 'bot' },
      { op: 'stay', id: 'bot' },
      {
        op: 'arrive',
        id: 'bot',
        from: 1,
        at: instant,
        uses: [{ capability: 'look', times: [1_767_225_600_000] }],
        asks: [],
        block: { name: 'main-c1.1.vlp.guard.-.stop', sender: 'guard' },
      },
    ],
  },
  snapshot: {
    step: 'end',
    by: 'root',
    position: 12,
    parts: 2,
    digest,
    catalogs: { parts: 1, digest },
    signature,
  },
}

/** As it stands in the log. */
export function factOf(kind: EventKind): Readonly<Record<string, unknown>> {
  return {
    specversion: '1.0',
    id: `main.1.${kind}.x`,
    type: `warrant.${kind}.v1`,
    source: 'policy/worker-1',
    time: instant,
    datacontenttype: 'application/json',
    basis: '12',
    data: samples[kind],
  }
}

export const vlpSample = {
  id: 'MSG-1',
  protocol: 'VLP/1.1',
  type: 'query',
  timestamp: instant,
  sender: 'bot',
  content: { text: 'x' },
  confidence: 0.5,
  session_id: null,
  seq: 1,
  receiver: 'olga',
  topic: null,
  provenance: [
    'https://example.org',
    { ref: 'a', kind: 'url', hash: 'h', excerpt: 'e', fetched_at: 't' },
  ],
  constraints: ['a'],
  safety: { level: 'safe', issues: [{ code: 'c', detail: 'd' }], requires_human: false },
  refers_to: ['MSG-0'],
  keywords: ['a'],
  payload: { intent: { tool: 'files.read' } },
  _extras: {},
}

export const intentSample = {
  tool: 'files.read',
  args: { path: 'a' },
  goal: 'g',
  justification: 'j',
  concepts: ['file'],
  cardinality: 'single',
  minDepth: 2,
  scope: {},
  constraints: { max_rows: 5 },
  freshAt: '3',
  onGap: 'learn',
  replyBy: instant,
  observe: true,
}
