// The console as one app: what every request passes before its route, the routes of the table, and
// the page itself.
import type { Hono } from 'hono'
import { Fault } from '#record/fault'
import type { Metrics } from '#health/metrics'
import { addReadiness } from '#health/ready'
import { appServed, onlyAnswered, type ServedBy } from '#serving/app'
import { refuseStray, type AnsweredFor } from '#serving/origin'
import { requestInvalid } from '#serving/problem'
import { allConsoleRoutes, consoleApi, consoleRoutes } from '#schemas/console/routes'
import { addOperations } from './asked.ts'
import type { ConsoleOn } from './console.ts'
import { addCounts } from './counting.ts'
import { addEventStream } from './events.ts'
import { addPages, consoleHeaders } from './page-answers.ts'
import type { PageFiles } from './pages.ts'
import {
  addAbsences,
  addHandovers,
  addNotes,
  addReinstating,
  addUnblocking,
  addBrowsers,
} from './people/acts-of-people.ts'
import { addPasskeyRoutes, type Challenges } from './people/passkey-routes.ts'
import { addEnrolRoutes } from './people/enrol-routes.ts'
import { addIssuerRoutes } from './people/issuer-routes.ts'
import { addSessionRoutes } from './people/session-routes.ts'
import { addReach, type ReachHere } from './reach-routes.ts'
import { addCard } from './reviews/card.ts'
import { addContents } from './reviews/contents.ts'
import { addChanges, addProposals } from './changes.ts'
import { addWork } from './operating/work-routes.ts'
import { addDoctor, type LookAround } from './operating/findings-route.ts'
import { addIntentViews, addKnown } from './intent-routes.ts'
import { addAnswers } from './reviews/answers.ts'
import { addGrants } from './reviews/grants.ts'
import { addInbox } from './reviews/inbox-routes.ts'
import { consolePath, methodOf } from './routed.ts'

export interface ConsoleAppOf {
  readonly on: ConsoleOn
  readonly files: PageFiles
  readonly challenges: Challenges
  /** Null where no one is notified by what is kept here. */
  readonly reach: ReachHere | null
  readonly look: LookAround | null
  readonly answersFor: () => AnsweredFor
  /** Null where they are not to be seen. */
  readonly metrics: Metrics | null
}

const apiPaths = /^\/console\/api\//
/** A change set may be larger than what is asked elsewhere. */
const bodyBytesMax = 1024 * 1024

export function consoleApp(of: ConsoleAppOf): Hono {
  const { on, files, answersFor, metrics } = of
  const { runtime, closing } = on
  const by: ServedBy = {
    logger: runtime.logger,
    challenge: () => 'Cookie realm="warrant"',
    asked: apiPaths,
    longer: { path: `${consoleApi}/`, bytesMax: bodyBytesMax },
    admit() {
      if (closing.aborted) throw new Fault('door_closed', 'this server is closing')
    },
  }
  const app = appServed(by)
  if (metrics !== null) addCounts(app, on, metrics)
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(consoleHeaders(on.url()))) c.header(name, value)
    // Who probes may know it by another name, and learns nothing of anyone.
    if (!isProbe(c.req.path)) refuseStray(c, answersFor())
    await next()
  })
  addSessionRoutes(app, on)
  addPasskeyRoutes(app, on, of.challenges)
  addIssuerRoutes(app, on)
  addEnrolRoutes(app, on)
  addBrowsers(app, on)
  addAbsences(app, on)
  addInbox(app, on)
  addCard(app, on)
  addContents(app, on)
  addAnswers(app, on)
  addHandovers(app, on)
  addGrants(app, on)
  addIntentViews(app, on)
  addNotes(app, on)
  addKnown(app, on)
  addWork(app, on)
  addReinstating(app, on)
  addUnblocking(app, on)
  addOperations(app, on)
  addReach(app, on, of.reach)
  addDoctor(app, on, of.look)
  addChanges(app, on)
  addProposals(app, on)
  addEventStream(app, on)
  app.get('/metrics', async (c) => {
    if (metrics === null) throw requestInvalid(404, 'no metrics are served here')
    c.header('content-type', metrics.type)
    return c.body(await metrics.text())
  })
  addReadiness(
    app,
    on.logs.map((log) => log.runtime),
    () => closing.aborted,
  )
  for (const name of allConsoleRoutes) {
    const paths = [consolePath(name)]
    onlyAnswered(app, by, { method: methodOf(consoleRoutes[name]), paths })
  }
  addPages(app, files, on.url)
  return app
}

function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz'
}
