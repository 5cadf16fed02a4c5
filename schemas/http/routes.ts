// The table of what the HTTP server answers: each path with what it takes and gives. The server
// adds its routes by it, and the OpenAPI document is made from it.
import {
  AskBody,
  CallerAnswer,
  DecidedAnswer,
  DecisionBody,
  HookAnswer,
  HookEventBody,
  IntentAnswer,
  IntentOnlyAnswer,
  MessageAnswer,
  OfferAnswer,
  OutcomeBody,
  PublishedAnswer,
  SessionAnswer,
  SessionMessageBody,
  ShortlistBody,
  SignedOutAnswer,
  SignedMessageBody,
  StartedAnswer,
  WaitingAnswer,
  WithdrawBody,
} from './bodies.ts'
import {
  AuthzenMetadata,
  EvaluationAnswer,
  EvaluationBody,
  EvaluationsAnswer,
  EvaluationsBody,
} from './evaluations.ts'
import { OpaAnswer, OpaBody } from './opa.ts'
import { askedRoutes } from './asked-routes.ts'
import type { AnswerEntry, RouteEntry } from './route.ts'
import { searchRoutes } from './search-routes.ts'
import { workRoutes } from './work-routes.ts'

const waits = ['wait', 'Prefer'] as const
const decided = { title: 'It is decided', body: DecidedAnswer }
const waiting = { title: 'It waits, such as for people', body: WaitingAnswer }
const published = { title: 'It is in the log', body: PublishedAnswer }
const publishedBefore = { title: 'The same was in the log already', body: PublishedAnswer }
const json = (title: string): AnswerEntry => ({ title, body: null })

const table = {
  ask: {
    method: 'post',
    path: '/v1/intents',
    title: 'Ask whether a tool may run',
    body: AskBody,
    reads: [...waits, 'Idempotency-Key'],
    answers: { 200: decided, 202: waiting },
    problems: [400, 409, 422],
  },
  intent: {
    method: 'get',
    path: '/v1/intents/{id}',
    title: 'Look at an intent of one’s own, or wait for its verdict',
    reads: [...waits, 'If-None-Match'],
    answers: {
      200: { title: 'How it stands', body: IntentAnswer },
      304: { title: 'As the caller knows it', body: null },
    },
    problems: [404, 409],
  },
  start: {
    method: 'post',
    path: '/v1/intents/{id}/start',
    title: 'Redeem the warrant, once, right before the tool runs',
    answers: { 200: { title: 'Run it now', body: StartedAnswer } },
    problems: [403, 404, 409, 422],
  },
  outcome: {
    method: 'post',
    path: '/v1/intents/{id}/outcome',
    title: 'Report what came of it',
    body: OutcomeBody,
    answers: { 200: { title: 'It is recorded', body: IntentOnlyAnswer } },
    problems: [400, 404, 409],
  },
  withdraw: {
    method: 'post',
    path: '/v1/intents/{id}/withdraw',
    title: 'Take an intent back',
    body: WithdrawBody,
    isBodyOptional: true,
    answers: { 200: { title: 'It is recorded', body: IntentOnlyAnswer } },
    problems: [400, 404, 422],
  },
  say: {
    method: 'post',
    path: '/v1/sessions/{id}/messages',
    title: 'Say something to an agent in its session, as a user, a desk or a tool',
    body: SessionMessageBody,
    reads: ['Idempotency-Key'],
    answers: { 200: publishedBefore, 201: published },
    problems: [400, 422],
  },
  message: {
    method: 'post',
    path: '/v1/messages',
    title: 'Publish a whole message that its sender has signed',
    body: SignedMessageBody,
    answers: { 200: publishedBefore, 201: published },
    problems: [400, 409, 422],
  },
  own: {
    method: 'get',
    path: '/v1/messages/{id}',
    title: 'A message of one’s own as it is in the log, such as the one that opened an intent',
    answers: { 200: { title: 'The message', body: MessageAnswer } },
    problems: [404],
  },
  events: {
    method: 'get',
    path: '/v1/events',
    title: 'The verdicts on one’s own intents as they come',
    reads: ['Last-Event-ID'],
    answers: {
      200: {
        title: 'Events `verdict`, each with its position as its id',
        body: null,
        type: 'text/event-stream',
      },
    },
    problems: [400],
  },
  shortlist: {
    method: 'post',
    path: '/v1/shortlist',
    title: 'The tools that fit a goal best',
    body: ShortlistBody,
    answers: { 200: { title: 'The cards, best first', body: OfferAnswer } },
    problems: [400],
  },
  decide: {
    method: 'post',
    path: '/v1/decisions',
    title: 'Answer a review, by an answer that the person has signed',
    body: DecisionBody,
    answers: { 200: publishedBefore, 201: published },
    problems: [400, 404, 409, 422],
  },
  ...workRoutes,
  ...askedRoutes,
  evaluation: {
    method: 'post',
    path: '/access/v1/evaluation',
    title: 'Ask whether a subject might do something, as AuthZEN 1.0 has it',
    body: EvaluationBody,
    reads: ['X-Request-ID'],
    answers: { 200: { title: 'It is decided, and nothing is permitted', body: EvaluationAnswer } },
    problems: [400, 409, 422],
  },
  evaluations: {
    method: 'post',
    path: '/access/v1/evaluations',
    title: 'Ask several of these at once',
    body: EvaluationsBody,
    reads: ['X-Request-ID'],
    answers: { 200: { title: 'Each is decided, in their order', body: EvaluationsAnswer } },
    problems: [400, 409, 422],
  },
  ...searchRoutes,
  authzenMetadata: {
    method: 'get',
    path: '/.well-known/authzen-configuration',
    title: 'Where AuthZEN is answered',
    isOpen: true,
    answers: { 200: { title: 'The metadata of this decision point', body: AuthzenMetadata } },
  },
  opaData: {
    method: 'post',
    path: '/v1/data/{path}',
    title:
      'Ask as of OPA: `warrant/allow` or `warrant/decision`, of any other path there is nothing',
    body: OpaBody,
    answers: { 200: { title: 'The result, where there is one', body: OpaAnswer } },
    problems: [400, 409, 422],
  },
  hook: {
    method: 'post',
    path: '/v1/hooks/{host}',
    title: 'Judge what a coding agent is about to run, as its hook; a refusal is a denial',
    body: HookEventBody,
    reads: ['as', 'observe'],
    answers: { 200: { title: 'The decision, or that it is recorded', body: HookAnswer } },
    problems: [404],
  },
  caller: {
    method: 'get',
    path: '/v1/caller',
    title: 'Who the credential is of, and on which log',
    answers: { 200: { title: 'The caller', body: CallerAnswer } },
  },
  signIn: {
    method: 'get',
    path: '/auth/sign-in',
    title: 'Sign in, in a browser',
    isOpen: true,
    reads: ['return_to'],
    answers: { 302: json('Where the issuer signs people in'), 404: json('None does') },
    problems: [400, 503],
  },
  signInCallback: {
    method: 'get',
    path: '/auth/callback',
    title: 'Where a browser comes back from the issuer',
    isOpen: true,
    answers: { 303: json('Back to where it began, with a session'), 404: json('None is') },
    problems: [401, 403, 429, 503],
  },
  session: {
    method: 'get',
    path: '/auth/session',
    title: 'Who is signed in, and until when',
    answers: { 200: { title: 'The session', body: SessionAnswer } },
  },
  signOut: {
    method: 'post',
    path: '/auth/sign-out',
    title: 'Sign out',
    reads: ['x-csrf-token'],
    answers: { 200: { title: 'The session has ended', body: SignedOutAnswer } },
  },
  jwks: {
    method: 'get',
    path: '/.well-known/jwks.json',
    title: 'The public keys that warrants verify with',
    isOpen: true,
    answers: { 200: json('A JSON Web Key Set') },
  },
  openapi: {
    method: 'get',
    path: '/openapi.json',
    title: 'This document',
    isOpen: true,
    answers: { 200: json('OpenAPI 3.1') },
  },
  health: {
    method: 'get',
    path: '/healthz',
    title: 'Whether the process lives',
    isOpen: true,
    answers: { 200: json('It does'), 503: json('It does not') },
  },
  ready: {
    method: 'get',
    path: '/readyz',
    title: 'Whether it keeps up with the log',
    isOpen: true,
    answers: { 200: json('It does'), 503: json('It does not') },
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    title: 'The metrics of the process, where it listens to its own machine alone',
    isOpen: true,
    answers: {
      200: { title: 'As Prometheus reads them', body: null, type: 'text/plain' },
      404: json('They are not served here'),
    },
  },
} as const satisfies Readonly<Record<string, RouteEntry>>

export type RouteName = keyof typeof table

export const routes: Readonly<Record<RouteName, RouteEntry>> = table

function isRouteName(text: string): text is RouteName {
  return Object.hasOwn(table, text)
}

/** In the order of the document. */
export const allRoutes: readonly RouteName[] = Object.keys(table).filter(isRouteName)
