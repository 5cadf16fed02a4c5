// A server from its socket to its end, in which what was begun is answered, for at most so long.
import type { Timer } from '#ports/clock'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import { listening, type CertificateFiles, type Listen } from '#serving/listening'

/** Where it listens, and what clients address. */
export interface ServingAt {
  readonly listen: Listen
  readonly tls?: CertificateFiles
  /** What clients address, where that is not where it listens: behind a proxy. */
  readonly url?: string
}

export interface ServingOf extends ServingAt {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly timer: Timer
  /** Ends waits and streams, and whatever else would hold its end up. */
  readonly stop: () => void
}

export interface Serving {
  /** Where clients address it. */
  readonly url: string
  /** Where it listens. */
  readonly at: string
  /** Ends waits and streams, answers what is left for at most so long, and cuts the rest off. */
  readonly close: (drainMs: number) => Promise<void>
}

/** Throws a Fault where it cannot listen, and has stopped then. */
export async function serve({ listen, tls, url, fetch, timer, stop }: ServingOf): Promise<Serving> {
  try {
    const server = await listening({ listen, tls: tls ?? null, fetch })
    return {
      url: url ?? server.url,
      at: server.url,
      async close(drainMs) {
        stop()
        const drained = server.drained()
        const isDrained = drainMs > 0 && (await withTimeout(timer, drainMs, drained))
        if (isDrained === false || isDrained === timedOut) server.cut()
        await drained
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}
