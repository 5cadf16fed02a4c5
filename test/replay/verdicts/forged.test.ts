// Allows that someone looks at in a log are derived again by one fold of it, however many there
// are, and of what has expired no further than the limit.
import { expect, test } from 'vitest'
import type { Fact, LogReader } from '#ports/log'
import { weighingOn } from '#replay/verdicts/forged'
import { stages } from '#workers/stages'
import { madeUp } from '../../support/forger.ts'
import { tampered } from '../../support/replay-story.ts'
import { look, place, say, scene, verdict, type Scene } from '../../support/scene.ts'

const setup = { catalog: { capabilities: [look] } }
const why = 'no stage would have bound it where it stands'

async function verdictsOf({ log }: Scene): Promise<readonly Fact[]> {
  const found: Fact[] = []
  for await (const fact of log.read({}, ['main.1.verdict.>'])) found.push(fact)
  return found
}

/** As many that were made up as were rightly allowed. */
async function mixed(pairs: number): Promise<Scene> {
  const forger = await scene({ ...setup, stages: [] })
  for (let n = 0; n < pairs; n += 1) {
    const address = await say(forger.log, { intent: { tool: 'look', args: { forged: n } } })
    const { position: basis } = await forger.log.head()
    const made = { basis, time: new Date(forger.time.now).toISOString() }
    await forger.log.append(madeUp(address, made))
  }
  const on = await scene(setup, forger)
  for (let n = 0; n < pairs; n += 1) {
    await verdict(on.log, await say(on.log, { intent: { tool: 'look', args: { n } } }))
  }
  return on
}

function counting(log: LogReader) {
  const read = { facts: 0 }
  const counted: LogReader = {
    get: (name) => log.get(name),
    head: () => log.head(),
    async *read(range, names) {
      for await (const fact of log.read(range, names)) {
        read.facts += 1
        yield fact
      }
    },
  }
  return { read, counted }
}

test('of all allows of a log those that were made up are found, by one fold', async () => {
  const pairs = 12
  const on = await mixed(pairs)
  const { read, counted } = counting(on.log)
  const weighing = weighingOn(counted, place, { stages, callbacks: null })
  const found: (string | null)[] = []
  for (const fact of await verdictsOf(on)) {
    found.push(await weighing.forged(fact))
    // What is asked twice is not derived twice.
    expect(await weighing.forged(fact)).toBe(found.at(-1))
  }
  expect(found.filter((one) => one === why)).toHaveLength(pairs)
  expect(found.filter((one) => one === null)).toHaveLength(pairs)
  const { position } = await on.log.head()
  // Once to fold them, and little more to see where the log begins.
  expect(read.facts).toBeLessThan(2 * position)
  expect(weighing.left).toBe(0)
})

test('for what has expired no more is folded than the limit, and that is counted', async () => {
  const on = await mixed(2)
  const verdicts = await verdictsOf(on)
  const [forged] = verdicts
  const of = async (now: number, factsMax: number) => {
    const expired = { now: () => now, factsMax }
    const weighing = weighingOn(on.log, place, { stages, callbacks: null, expired })
    const found = forged === undefined ? null : await weighing.forged(forged)
    return [found, weighing.left]
  }
  const { now } = on.time
  const factsMax = (forged?.position ?? 0) - 1
  expect(await of(now, factsMax)).toEqual([why, 0])
  expect(await of(now + 3_600_000, factsMax)).toEqual([null, 1])
  expect(await of(now + 3_600_000, factsMax + 1)).toEqual([why, 0])
})

test('where the fact before it is gone from the log, one that was made up is found all the same', async () => {
  const on = await scene({ ...setup, stages: [] })
  const address = await say(on.log, { intent: { tool: 'look' } })
  await say(on.log, { intent: { tool: 'look' } })
  const { position: basis } = await on.log.head()
  const time = new Date(on.time.now).toISOString()
  const { fact } = await on.log.append(madeUp(address, { basis, time }))
  const holed = tampered(on.log, (one) => (one.position === fact.position - 1 ? null : one))
  const weighing = weighingOn(holed, place, { stages, callbacks: null })
  expect(await weighing.forged(fact)).toBe(why)
})
