// The end of a server: what was begun is answered, for at most so long.
import type { Timer } from '#ports/clock'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { ListeningServer } from '#serving/listening'

/** Answers what is left for at most so long, and cuts the rest off. */
export async function drainedWithin(
  server: Pick<ListeningServer, 'drained' | 'cut'>,
  timer: Timer,
  drainMs: number,
): Promise<void> {
  const drained = server.drained()
  const isDrained = drainMs > 0 && (await withTimeout(timer, drainMs, drained))
  if (isDrained === false || isDrained === timedOut) server.cut()
  await drained
}
