// Adds a route as the table has it: what is not in the table cannot be added, so the document of
// the server leaves nothing out.
import type { Context, Hono } from 'hono'
import { routes, type RouteName } from '#schemas/http/routes'

/** The path as the router writes it. */
export function routedPath(name: RouteName): string {
  // A path within a path has slashes of its own.
  return routes[name].path.replaceAll('{path}', ':path{.+}').replaceAll(/\{(\w+)\}/g, ':$1')
}

export function addRoute(
  app: Hono,
  name: RouteName,
  answer: (c: Context) => Response | Promise<Response>,
): void {
  app.on(routes[name].method.toUpperCase(), routedPath(name), (c) => answer(c))
}
