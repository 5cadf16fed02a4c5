// A log whose parts are its own, so that a test can put another in the place of one.
import type { Log } from '#ports/log'

/** The same log, so that one of its parts can be another. */
export function logOf(log: Log): Log {
  return {
    append: log.append.bind(log),
    get: log.get.bind(log),
    read: log.read.bind(log),
    follow: log.follow.bind(log),
    work: log.work.bind(log),
    head: log.head.bind(log),
    close: log.close.bind(log),
  }
}
