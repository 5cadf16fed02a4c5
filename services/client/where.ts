// How a client in a program speaks to the people around it: which log its commands mean, and where
// its log lines go.
import { configuration } from '#wiring/config'
import type { Logger } from '#runtime/reporting/logger'
import { plainLogger } from '#runtime/reporting/plain-lines'
import type { ConnectOptions } from './warrant.ts'

/** Warnings on standard error, unless `WARRANT_LOG_LEVEL` says otherwise. */
export function loggerDefault(): Logger {
  return plainLogger(configuration().logLevel ?? 'warn')
}

const plainPath = /^[A-Za-z0-9_./:-]+$/

/** The options that name the same log on the command line, where they can be pasted as they are. */
export function whereOf({ log, realm = 'main' }: ConnectOptions): string {
  // The address of a server may hold a password, and the person who answers has one of their own.
  const file =
    log !== undefined && plainPath.test(log) && !log.includes('//') ? ` --log ${log}` : ''
  return `${file}${realm === 'main' ? '' : ` --realm ${realm}`}`
}
