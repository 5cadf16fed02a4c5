// The table of what the console answers: each path, who may ask, and what it takes and gives. The
// server adds its routes by it, so what is not here is not there.
import type { z } from 'zod'
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
import { sending, type ConsoleRoute, type ConsoleWho } from './route.ts'
import { signedRoutes } from './signed-routes.ts'
import { consoleAsked, type AskedRoutes } from './asked-routes.ts'

const intents = '/intents/{intent}'

function reading<
  const Path extends string,
  const Who extends ConsoleWho,
  Answer extends z.ZodType | null,
  Query extends z.ZodType | undefined = undefined,
>(path: Path, who: Who, answer: Answer, query?: Query) {
  return { method: 'get', path, who, answer, ...(query !== undefined && { query }) } as const
}

const table = {
  session: reading('/session', 'anyone', ConsoleSession),
  passkeyBegin: {
    method: 'post',
    path: '/sign-in/passkey/begin',
    who: 'anyone',
    answer: PasskeyAsked,
  },
  passkeyComplete: sending('/sign-in/passkey/complete', 'anyone', PasskeySignIn, ConsoleSession),
  linkSignIn: sending('/sign-in/link', 'anyone', LinkBody, ConsoleSession),
  issuerSignIn: reading('/sign-in/issuer', 'anyone', null),
  issuerCallback: reading('/sign-in/callback', 'anyone', null),
  leave: { method: 'post', path: '/sign-out', who: 'person', answer: SignedOutThere },
  enrolBegin: sending('/enrol/begin', 'anyone', LinkBody, PasskeyToMake),
  enrolComplete: sending('/enrol/complete', 'anyone', PasskeyMade, EnrolmentAnswer),
  enrolState: sending('/enrol/state', 'anyone', LinkBody, EnrolmentAnswer),
  inbox: reading('/inbox', 'person', InboxAnswer, InboxQuery),
  card: reading('/inbox/{intent}', 'person', CardAnswer),
  contents: reading('/inbox/{intent}/contents', 'person', ContentsAnswer),
  browsers: reading('/browsers', 'person', BrowsersAnswer),
  absence: reading('/absence', 'person', AbsenceAnswer),
  reach: reading('/reach', 'person', ReachAnswer),
  subscribe: sending('/reach/subscribe', 'person', SubscribeBody, ReachAnswer),
  unsubscribe: sending('/reach/unsubscribe', 'person', UnsubscribeBody, ReachAnswer),
  events: reading('/events', 'person', null),
  evidence: reading(`${intents}/evidence`, 'auditor', null),
  derive: reading(`${intents}/derive`, 'auditor', DeriveAnswer, PageQuery),
  catalog: reading('/catalog', 'auditor', CatalogShown, CatalogQuery),
  compare: reading('/compare', 'auditor', CompareAnswer, CompareQuery),
  workers: reading('/workers', 'auditor', WorkersAnswer),
  faultRetry: sending('/faults/retry', 'operator', RetryBody, RetryAnswer),
  findings: reading('/findings', 'operator', FindingsAnswer),
  conditionCheck: sending('/conditions/check', 'author', ConditionBody, ConditionAnswer),
  standingConcepts: sending('/graph/concepts', 'author', ConceptsBody, ConceptsAnswer),
  whatIf: sending('/whatif', 'author', ChangeBody, WhatIfAnswer),
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
