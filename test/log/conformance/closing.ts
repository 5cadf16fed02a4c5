// Cases of what is closed: nothing under way is lost, and nothing more is done.
import { expect } from 'vitest'
import { type Cases, never, nameOf, entryOf, upTo, codeOf, gather } from './cases.ts'

export const closingCases: Cases = {
  'followers and workers end': async ({ log, harness }) => {
    const ends = [
      gather(log.follow(1, never)),
      gather(log.work('q', ['main.>'], { inFlightMax: 1, signal: never })),
    ]
    await (await harness.open()).append(entryOf(1, 'other'))
    await gather(log.follow(1, never), 1)
    await log.close()
    await Promise.all(ends)
  },

  'appends under way are bound before it has closed': async ({ log, harness }) => {
    const under = upTo(100).map((index) => log.append(entryOf(index)))
    await log.close()
    expect((await Promise.all(under)).every((answer) => answer.appended)).toBe(true)
    expect((await (await harness.open()).head()).position).toBe(100)
  },

  'closing again does nothing, and every use is refused': async ({ log }) => {
    await log.append(entryOf(1))
    const [job] = await gather(log.work('q', ['main.>'], { inFlightMax: 1, signal: never }), 1)
    await Promise.all([log.close(), log.close()])
    await log.close()
    const uses: readonly Promise<unknown>[] = [
      log.append(entryOf(2)),
      log.get(nameOf(1)),
      log.head(),
      gather(log.read({})),
      gather(log.follow(1, never)),
      gather(log.work('q', ['main.>'], { inFlightMax: 1, signal: never })),
      job?.done() ?? Promise.resolve(),
      job?.retry(0) ?? Promise.resolve(),
    ]
    expect(await Promise.all(uses.map(codeOf))).toEqual(uses.map(() => 'log_closed never'))
  },
}
