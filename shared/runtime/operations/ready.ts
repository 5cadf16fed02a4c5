// Whether a server on one runtime lives and keeps up, as routes beside those it is there for.
import type { Hono } from 'hono'
import type { Runtime } from '../engine/runtime.ts'
import { askHead } from './head.ts'

/** More facts behind than these and it does not keep up. */
const lagFactsMax = 1_000

/** Adds `GET /healthz` and `GET /readyz`. */
export function addReadiness(
  app: Hono,
  { follower, log, timer }: Pick<Runtime, 'follower' | 'log' | 'timer'>,
  isDraining: () => boolean,
): void {
  const head = askHead(log, timer)
  app.get('/healthz', (c) => {
    const code = follower.failure?.code
    return code === undefined
      ? c.json({ healthy: true })
      : c.json({ healthy: false, problems: [{ check: 'follower', detail: code }] }, 503)
  })
  app.get('/readyz', async (c) => {
    const not = (check: string, detail: string) => {
      return c.json({ ready: false, problems: [{ check, detail }] }, 503)
    }
    if (isDraining()) return not('running', 'it is draining')
    if (follower.failure !== null) return not('follower', follower.failure.code)
    const last = await head()
    if (last === null) return not('log', 'it does not answer within a second')
    const { position } = follower.state
    const lag = Math.max(0, last.position - position)
    if (lag > lagFactsMax) return not('lag', `${lag} facts are not folded yet`)
    return c.json({ ready: true, position, lag })
  })
}
