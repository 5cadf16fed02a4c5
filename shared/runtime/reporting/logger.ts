// The runtime's own log lines, as pino writes them: a fixed phrase and fields. Never arguments of
// intents, never secrets.
import { pino } from 'pino'
import { Fault } from '#record/fault'
import { withoutSecrets } from './without-secrets.ts'

interface Write {
  (fields: object, phrase: string): void
  (phrase: string): void
}

export interface Logger {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

const serializers = { error: errorFields }

/** Writes JSON lines to standard error; `WARRANT_LOG_LEVEL` is read by the caller. */
export function stderrLogger(level: string): Logger {
  return logger(level, pino.destination({ dest: 2, sync: true }))
}

/** Writes the same lines wherever they are wanted. */
export function logger(level: string, stream: { write(line: string): void }): Logger {
  return pino({ level, name: 'warrant', serializers }, stream)
}

export const silentLogger: Logger = pino({ level: 'silent' })

const messageCharactersMax = 1_000
const causesMax = 4

/** What went wrong and what caused it, without what a driver hangs on to its errors. */
function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' }
  const { name, message, cause, stack } = error
  const isFault = error instanceof Fault
  return {
    ...(isFault ? { code: error.code, retry: error.retry } : { name }),
    message: withoutSecrets(message).slice(0, messageCharactersMax),
    // Anyone who fixes a fault knows where it comes from; of anything else only its stack shows.
    ...(!isFault && stack !== undefined && { stack: framesOf(stack) }),
    ...(cause !== undefined && depth < causesMax && { cause: errorFields(cause, depth + 1) }),
  }
}

/** The lines of a stack that say where; the first ones say the message again. */
function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return withoutSecrets(frames.join('\n'))
}
