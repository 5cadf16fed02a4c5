// The table of what the console answers: each path, who may ask, and what it takes and gives. The
// server adds its routes by it, so what is not here is not there.
import {
  ChangeBody,
  ConceptsAnswer,
  ConceptsBody,
  ConditionAnswer,
  ConditionBody,
  WhatIfAnswer,
} from './authoring.ts'
import { ReachAnswer, SubscribeBody, UnsubscribeBody } from './attending.ts'
import { FindingsAnswer, RetryAnswer, RetryBody, WorkersAnswer } from './operating.ts'
import {
  ConsoleSession,
  EnrolmentAnswer,
  LinkBody,
  PasskeyAsked,
  PasskeyMade,
  PasskeySignIn,
  PasskeyToMake,
  SignedOutThere,
} from './people.ts'
import {
  CatalogQuery,
  CatalogShown,
  CompareAnswer,
  CompareQuery,
  DeriveAnswer,
  PageQuery,
} from './reading.ts'
import { AbsenceAnswer, BrowsersAnswer } from './people-said.ts'
import { CardAnswer, ContentsAnswer, InboxAnswer, InboxQuery } from './reviews.ts'
import type { ConsoleRoute } from './route.ts'
import { signedRoutes } from './signed-routes.ts'
import { consoleAsked, type AskedRoutes } from './asked-routes.ts'

const intents = '/intents/{intent}'

const table = {
  session: { method: 'get', path: '/session', who: 'anyone', answer: ConsoleSession },
  passkeyBegin: {
    method: 'post',
    path: '/sign-in/passkey/begin',
    who: 'anyone',
    answer: PasskeyAsked,
  },
  passkeyComplete: {
    method: 'post',
    path: '/sign-in/passkey/complete',
    who: 'anyone',
    body: PasskeySignIn,
    answer: ConsoleSession,
  },
  linkSignIn: {
    method: 'post',
    path: '/sign-in/link',
    who: 'anyone',
    body: LinkBody,
    answer: ConsoleSession,
  },
  issuerSignIn: { method: 'get', path: '/sign-in/issuer', who: 'anyone', answer: null },
  issuerCallback: { method: 'get', path: '/sign-in/callback', who: 'anyone', answer: null },
  leave: { method: 'post', path: '/sign-out', who: 'person', answer: SignedOutThere },
  enrolBegin: {
    method: 'post',
    path: '/enrol/begin',
    who: 'anyone',
    body: LinkBody,
    answer: PasskeyToMake,
  },
  enrolComplete: {
    method: 'post',
    path: '/enrol/complete',
    who: 'anyone',
    body: PasskeyMade,
    answer: EnrolmentAnswer,
  },
  enrolState: {
    method: 'post',
    path: '/enrol/state',
    who: 'anyone',
    body: LinkBody,
    answer: EnrolmentAnswer,
  },
  inbox: { method: 'get', path: '/inbox', who: 'person', query: InboxQuery, answer: InboxAnswer },
  card: { method: 'get', path: '/inbox/{intent}', who: 'person', answer: CardAnswer },
  contents: {
    method: 'get',
    path: '/inbox/{intent}/contents',
    who: 'person',
    answer: ContentsAnswer,
  },
  browsers: { method: 'get', path: '/browsers', who: 'person', answer: BrowsersAnswer },
  absence: { method: 'get', path: '/absence', who: 'person', answer: AbsenceAnswer },
  reach: { method: 'get', path: '/reach', who: 'person', answer: ReachAnswer },
  subscribe: {
    method: 'post',
    path: '/reach/subscribe',
    who: 'person',
    body: SubscribeBody,
    answer: ReachAnswer,
  },
  unsubscribe: {
    method: 'post',
    path: '/reach/unsubscribe',
    who: 'person',
    body: UnsubscribeBody,
    answer: ReachAnswer,
  },
  events: { method: 'get', path: '/events', who: 'person', answer: null },
  evidence: { method: 'get', path: `${intents}/evidence`, who: 'auditor', answer: null },
  derive: {
    method: 'get',
    path: `${intents}/derive`,
    who: 'auditor',
    query: PageQuery,
    answer: DeriveAnswer,
  },
  catalog: {
    method: 'get',
    path: '/catalog',
    who: 'auditor',
    query: CatalogQuery,
    answer: CatalogShown,
  },
  compare: {
    method: 'get',
    path: '/compare',
    who: 'auditor',
    query: CompareQuery,
    answer: CompareAnswer,
  },
  workers: { method: 'get', path: '/workers', who: 'auditor', answer: WorkersAnswer },
  faultRetry: {
    method: 'post',
    path: '/faults/retry',
    who: 'operator',
    body: RetryBody,
    answer: RetryAnswer,
  },
  findings: { method: 'get', path: '/findings', who: 'operator', answer: FindingsAnswer },
  conditionCheck: {
    method: 'post',
    path: '/conditions/check',
    who: 'author',
    body: ConditionBody,
    answer: ConditionAnswer,
  },
  standingConcepts: {
    method: 'post',
    path: '/graph/concepts',
    who: 'author',
    body: ConceptsBody,
    answer: ConceptsAnswer,
  },
  whatIf: {
    method: 'post',
    path: '/whatif',
    who: 'author',
    body: ChangeBody,
    answer: WhatIfAnswer,
  },
  ...signedRoutes,
} as const satisfies Readonly<Record<string, ConsoleRoute>>

/** With the body and the answer of each. */
export type ConsoleTable = typeof table & AskedRoutes

export type ConsoleRouteName = keyof ConsoleTable

export const consoleRoutes: Readonly<Record<ConsoleRouteName, ConsoleRoute>> = {
  ...table,
  ...consoleAsked,
}

/** Where the routes are on the server. */
export const consoleApi = '/console/api'

function isConsoleRoute(text: string): text is ConsoleRouteName {
  return Object.hasOwn(consoleRoutes, text)
}

/** In the order of the table. */
export const allConsoleRoutes: readonly ConsoleRouteName[] =
  Object.keys(consoleRoutes).filter(isConsoleRoute)
