// How long things take that come on a schedule which does not wait for answers.
import { setImmediate as turn } from 'node:timers/promises'
import type { Entry } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import { until } from '../test/support/servers/nats-server.ts'

/** Calls it for each at the moment that the schedule says. */
export async function onSchedule<T>(
  all: Iterable<T>,
  perSecond: number,
  at: (one: T, scheduled: number) => void,
): Promise<void> {
  let scheduled = performance.now()
  for (const one of all) {
    // A timer would come up to a millisecond late, and its lateness would be counted.
    while (performance.now() < scheduled) await turn()
    at(one, scheduled)
    scheduled += 1_000 / perSecond
  }
}

/** How long each waits for its verdict, from the moment that the schedule says. */
export async function openLoop(
  { log, follower }: Runtime,
  entries: readonly Entry[],
  perSecond: number,
): Promise<readonly number[]> {
  const due = new Map<string, number>()
  const times: number[] = []
  const stop = follower.listen((_, { parts }) => {
    const scheduled = parts?.kind === 'verdict' ? due.get(parts.address ?? '') : undefined
    if (scheduled !== undefined) times.push(performance.now() - scheduled)
  })
  await onSchedule(entries, perSecond, (entry, scheduled) => {
    due.set(entry.name.split('.').slice(3).join('.'), scheduled)
    void log.append(entry)
  })
  await until(() => times.length === entries.length)
  stop()
  return times
}
