// The metrics of a server's process, where only its own machine can look, and where the package for
// them is installed.
import type { Health } from '#health/health'
import type { Metrics } from '#health/metrics'
import { missingPackage } from '#runtime/reporting/missing-package'
import type { Listen } from '#serving/listening'
import { isLoopback } from '#serving/loopback'

/** Null where none are to be seen. */
export async function metricsAt({ host }: Listen): Promise<Metrics | null> {
  if (!isLoopback(host)) return null
  try {
    return (await import('#health/metrics')).newMetrics()
  } catch (error) {
    if (missingPackage(error) !== null) return null
    throw error
  }
}

/** The metrics and the health of a process that is watched there. */
export async function watchedAt(listen: Listen): Promise<{ health: Health; metrics: Metrics }> {
  // Loaded only here: whom no one watches need not count.
  const { newMetrics } = await import('#health/metrics')
  const { listenHealth } = await import('#health/health')
  const metrics = newMetrics()
  return { health: await listenHealth(listen, metrics), metrics }
}
