// The runtime's own log lines, as pino writes them: a fixed phrase and fields. Never arguments of
// intents, never secrets.
import { createRequire } from 'node:module'
import type * as Pino from 'pino'
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

interface Load {
  (name: 'pino'): typeof Pino
}

const load: Load = createRequire(import.meta.url)

interface Stream {
  write(line: string): void
}

const serializers = { error: errorFields }

/** Writes JSON lines to standard error; `WARRANT_LOG_LEVEL` is read by the caller. */
export function stderrLogger(level: string): Logger {
  return begunLate(level, ({ destination }) => destination({ dest: 2, sync: true }))
}

/** Writes the same lines wherever they are wanted. */
export function logger(level: string, stream: Stream): Logger {
  return begunLate(level, () => stream)
}

const unwritten: Write = () => undefined

export const silentLogger: Logger = {
  debug: unwritten,
  info: unwritten,
  warn: unwritten,
  error: unwritten,
}

/** All levels that can be asked for. */
const ranks = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Loads pino with the first line that is written: most processes write none. */
function begunLate(level: string, streamBy: (pino: typeof Pino) => Stream): Logger {
  let begun: Logger | undefined
  const begin = (): Logger => {
    const loaded = load('pino')
    return loaded.pino({ level, name: 'warrant', serializers }, streamBy(loaded))
  }
  const write = (own: keyof Logger): Write => {
    if (ranks.indexOf(own) < ranks.indexOf(level)) return unwritten
    return (first: object | string, phrase?: string) => {
      begun ??= begin()
      if (typeof first === 'string') begun[own](first)
      else begun[own](first, phrase ?? '')
    }
  }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  }
}

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
