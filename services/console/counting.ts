// What is counted of the console itself, where metrics are served: labels are routes, statuses and
// codes, never who asks or about what.
import type { Context, Hono } from 'hono'
import type { Metrics } from '#health/metrics'
import { problemOf } from '#serving/problem'
import { allConsoleRoutes, consoleRoutes, type ConsoleRouteName } from '#schemas/console/routes'
import type { ConsoleOn } from './console.ts'
import { consolePath, methodOf } from './routed.ts'

/** Added before all routes, so that it sees how each was answered. */
export function addCounts(app: Hono, on: ConsoleOn, metrics: Metrics): void {
  const counts = countsIn(on, metrics)
  const asked = new WeakMap<Context, ConsoleRouteName>()
  app.use(async (c, next) => {
    await next()
    const { status } = c.res
    const name = asked.get(c)
    const route = name ?? (status < 400 ? 'page' : 'other')
    counts.requests({ route, status: String(status) })
    if (c.error !== undefined) counts.refusals({ code: problemOf(c.error).code })
    const [, act] = /^(.+)Submit$/.exec(route) ?? []
    if (act !== undefined && status === 200) counts.bound({ act })
  })
  for (const name of allConsoleRoutes) {
    app.on(methodOf(consoleRoutes[name]), consolePath(name), async (c, next) => {
      asked.set(c, name)
      await next()
    })
  }
}

function countsIn({ broadcast, sessions }: ConsoleOn, metrics: Metrics) {
  metrics.gauge({
    name: 'warrant_console_streams_open',
    help: 'Pages that are sent events',
    read: () => broadcast.listening(),
  })
  metrics.gauge({
    name: 'warrant_console_sessions_open',
    help: 'Sessions of people that have not ended',
    read: () => sessions.count(),
  })
  return {
    requests: metrics.counter({
      name: 'warrant_console_requests_total',
      help: 'Requests that were answered, by route of the table and status',
      labels: ['route', 'status'],
    }),
    refusals: metrics.counter({
      name: 'warrant_console_refusals_total',
      help: 'Requests that were refused, by code',
      labels: ['code'],
    }),
    bound: metrics.counter({
      name: 'warrant_console_bound_total',
      help: 'What people signed and was bound, by what it was',
      labels: ['act'],
    }),
  }
}
