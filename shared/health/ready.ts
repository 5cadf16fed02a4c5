// Whether a server on a realm lives and keeps up with each of its logs, as routes beside those it
// is there for.
import type { Hono } from 'hono'
import type { Runtime } from '#runtime/engine/runtime'
import { askHead } from './head.ts'

/** More facts behind than these and it does not keep up. */
const lagFactsMax = 1_000

type Watched = Pick<Runtime, 'follower' | 'log' | 'timer' | 'place'>

interface Problem {
  readonly check: string
  readonly detail: string
}

/** Adds `GET /healthz` and `GET /readyz` for one log, or for those of all cells. */
export function addReadiness(
  app: Hono,
  runtimes: readonly Watched[],
  isDraining: () => boolean,
  /** What is shown beside it, and is no reason not to be ready. */
  beside: () => Readonly<Record<string, string>> = () => ({}),
): void {
  const readinesses = runtimes.map(readinessOf)
  // Of several logs, each problem says of which it is.
  const placed = ({ place }: Watched, { check, detail }: Problem): Problem => {
    return { check, detail: runtimes.length === 1 ? detail : `${place.realm}: ${detail}` }
  }
  app.get('/healthz', (c) => {
    const problems = runtimes.flatMap((runtime) => {
      const { failure } = runtime.follower
      if (failure === null) return []
      return [placed(runtime, { check: 'follower', detail: failure.code })]
    })
    return problems.length === 0
      ? c.json({ healthy: true })
      : c.json({ healthy: false, problems }, 503)
  })
  app.get('/readyz', async (c) => {
    const not = (problems: readonly Problem[]) => c.json({ ready: false, problems }, 503)
    if (isDraining()) return not([{ check: 'running', detail: 'it is draining' }])
    const each = await Promise.all(readinesses.map((readiness) => readiness()))
    const problems = runtimes.flatMap((runtime, index) => {
      const one = each[index]
      return one !== undefined && 'check' in one ? [placed(runtime, one)] : []
    })
    if (problems.length > 0) return not(problems)
    const ready = each.flatMap((one) => ('lag' in one ? [one] : []))
    const lag = Math.max(...ready.map((one) => one.lag))
    return c.json({
      ready: true,
      ...(ready.length === 1 ? ready[0] : { cells: ready.length, lag }),
      ...beside(),
    })
  })
}

type Readiness = Problem | { readonly position: number; readonly lag: number }

function readinessOf({ follower, log, timer }: Watched): () => Promise<Readiness> {
  const head = askHead(log, timer)
  return async () => {
    if (follower.failure !== null) return { check: 'follower', detail: follower.failure.code }
    const last = await head()
    if (last === null) return { check: 'log', detail: 'it does not answer within a second' }
    const { position } = follower.state
    const lag = Math.max(0, last.position - position)
    if (lag <= lagFactsMax) return { position, lag }
    return { check: 'lag', detail: `${lag} facts are not folded yet` }
  }
}
