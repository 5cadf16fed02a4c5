// The runtime's own log lines, as pino writes them: a fixed phrase and fields. Never arguments of
// intents, never secrets.
import { pino } from 'pino'

export type Logger = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>

/** Writes JSON lines to standard error; `WARRANT_LOG_LEVEL` is read by the caller. */
export function stderrLogger(level: string): Logger {
  return pino({ level, name: 'warrant' }, pino.destination({ dest: 2, sync: true }))
}

export const silentLogger: Logger = pino({ level: 'silent' })
