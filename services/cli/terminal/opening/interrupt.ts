// Ctrl-C ends what runs on and on in order; a second one ends it at once.

export interface Interrupt {
  readonly signal: AbortSignal
  release(): void
}

const interrupted = 130

export function onInterrupt(): Interrupt {
  const abort = new AbortController()
  const stop = (): void => {
    if (abort.signal.aborted) process.exit(interrupted)
    abort.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    signal: abort.signal,
    release: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
