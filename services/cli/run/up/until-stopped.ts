// How a process that `up` starts goes on and ends: until it is asked to stop, or until its log is
// followed no more. Then it drains, and what cannot be ended in time is left.
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import type { CertificateFiles } from '#serving/listening'
import { exitCodes } from '#schemas/faults/exit'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { usage } from '#cli/terminal/failure'

/** Releasing the log may take this much longer than what is under way. */
const closeMsMax = 5_000

/** Before `begin` is called nothing is under way that could be ended in order: it just ends. */
export async function untilStopped(
  run: (stopping: AbortSignal, begin: () => void) => Promise<void>,
): Promise<number> {
  const interrupt = onInterrupt()
  let hasBegun = false
  interrupt.signal.addEventListener('abort', () => {
    if (!hasBegun) process.exit(exitCodes.yes)
  })
  try {
    await run(interrupt.signal, () => (hasBegun = true))
  } finally {
    interrupt.release()
  }
  return exitCodes.yes
}

/** Rejects when the log is followed no more: nothing can be done here then. */
export async function lost({ follower }: Pick<Runtime, 'follower'>): Promise<never> {
  throw await follower.failed
}

/** Ends in order what is under way. What is `left` in the end is where the log has it. */
export async function drained(
  { logger, timer }: Pick<Runtime, 'logger' | 'timer'>,
  drainMs: number,
  { close, left }: { readonly close: (drainMs: number) => Promise<void>; readonly left: string },
): Promise<void> {
  logger.info({ drainMs }, 'draining')
  if ((await withTimeout(timer, drainMs + closeMsMax, close(drainMs))) !== timedOut) return
  logger.warn(left)
  process.exit(exitCodes.yes)
}

interface CertificateOptions {
  readonly tlsCert?: string
  readonly tlsKey?: string
}

/** Null without TLS. Throws a usage fault where one of the two is missing. */
export function certificateOf({ tlsCert, tlsKey }: CertificateOptions): CertificateFiles | null {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { certFile: tlsCert, keyFile: tlsKey }
  }
  if (tlsCert === undefined && tlsKey === undefined) return null
  throw usage('--tls-cert goes with --tls-key')
}
