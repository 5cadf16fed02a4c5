// How long an agent waits that may not follow the log: time stands still here until a test moves
// it, so what is found without that was found by a notice.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { eraOf } from '#record/names'
import type { Notices } from '#ports/notices'
import { OwnEras } from '#client/own/eras'
import { ownWaiting } from '#client/own/intent-log'
import { FakeTime } from '#testing/fake-time'

const address = 'bot.-.u1'

async function waiting() {
  const time = new FakeTime()
  let report: Notices['report'] = () => undefined
  const notices: Pick<Notices, 'receive' | 'report'> = {
    report: (about, verdict) => report(about, verdict),
    receive: async (_agent, received) => {
      report = (about, verdict) => received({ address: about, verdict })
      return () => undefined
    },
  }
  const { clock, timer } = time
  const eras = { current: 1, expectNext: () => undefined }
  const waits = await ownWaiting({ notices, clock, timer, agent: 'bot', realm: 'main', eras })
  /** Each look, and whether it was to look into the next era. */
  const looks: boolean[] = []
  let found: string | Fault | undefined
  const look = async (beyond: boolean): Promise<string | undefined> => {
    looks.push(beyond)
    if (found instanceof Fault) throw found
    return found
  }
  return { time, notices, waits, looks, look, find: (one: typeof found) => (found = one) }
}

/** Until everything has happened that can happen without time or notices. */
const still = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('without a notice nothing is found before the timer, and then it is', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 10_000, on.look)
  await still()
  on.find('verdict')
  on.time.pass(49)
  await still()
  expect(on.looks).toHaveLength(1)
  on.time.pass(1)
  expect(await answer).toBe('verdict')
})

test('a notice makes it look at once, and is no answer itself', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 10_000, on.look)
  await still()
  on.notices.report('bot.-.other', 'main.1.verdict.bot.-.other')
  await still()
  expect(on.looks).toHaveLength(1)
  on.notices.report(address, 'main.1.verdict.bot.-.u1')
  await still()
  expect(on.looks).toEqual([false, false])
  on.find('verdict')
  on.notices.report(address, '')
  expect(await answer).toBe('verdict')
})

test('a copy that lags behind a notice is asked again soon', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 10_000, on.look)
  await still()
  on.notices.report(address, 'main.1.verdict.bot.-.u1')
  await still()
  on.find('verdict')
  on.time.pass(2)
  expect(await answer).toBe('verdict')
})

test('a notice that comes during a look is not lost', async () => {
  const on = await waiting()
  let calls = 0
  const look = async (): Promise<string | undefined> => {
    calls += 1
    if (calls === 1) on.notices.report(address, 'main.1.verdict.bot.-.u1')
    return calls === 1 ? undefined : 'verdict'
  }
  expect(await on.waits.until(address, 10_000, look)).toBe('verdict')
})

test('it looks into the next era when a notice names it, or after a while', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 60_000, on.look)
  await still()
  for (const name of ['main.3.verdict.bot.-.u1', 'main.2.verdict.bot.-.u2', 'other.2.verdict.x']) {
    on.notices.report(address, name)
    await still()
  }
  expect(on.looks).toEqual([false, false, false, false])
  on.notices.report(address, 'main.2.verdict.bot.-.u1')
  await still()
  expect(on.looks.at(-1)).toBe(true)
  for (let waitedMs = 2; waitedMs < 1_000; waitedMs *= 2) {
    on.time.pass(waitedMs)
    await still()
  }
  expect(on.looks.slice(5, -1)).not.toContain(true)
  expect(on.looks.at(-1)).toBe(true)
  on.find('verdict')
  on.time.pass(2_000)
  expect(await answer).toBe('verdict')
})

test('at the last moment it looks once more, and then it has nothing', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 60, on.look)
  for (const passMs of [0, 50, 10]) {
    await still()
    on.time.pass(passMs)
  }
  expect(await answer).toBeNull()
  expect(on.looks).toHaveLength(3)
})

test('a log that is out of reach is waited for, and one that refuses is not', async () => {
  const on = await waiting()
  on.find(new Fault('log_unreachable', 'x'))
  const answer = on.waits.until(address, 10_000, on.look)
  await still()
  on.find('verdict')
  on.time.pass(50)
  expect(await answer).toBe('verdict')
  on.find(new Fault('not_permitted', 'x'))
  await expect(on.waits.until(address, 10_000, on.look)).rejects.toMatchObject({
    code: 'not_permitted',
  })
})

test('who waits is informed when no one listens any more', async () => {
  const on = await waiting()
  const answer = on.waits.until(address, 10_000, on.look)
  const ended = expect(answer).rejects.toMatchObject({ code: 'log_closed' })
  await still()
  on.waits.stop()
  await ended
})

test('what the log has not sourced yet is looked for ever more seldom', async () => {
  let looks = 0
  const log = {
    publish: async () => undefined,
    get: async (name: string) => {
      if (!name.startsWith('main.1.')) throw new Fault('log_unreachable', 'there is no such era')
      looks += 1
      return undefined
    },
  }
  const said = { kind: 'vlp' as const, tokens: [address], bytes: () => new Uint8Array() }
  const bound = new OwnEras(log, 'main').bind(said, 3_000)
  await expect(bound).rejects.toMatchObject({ code: 'not_in_log' })
  // After pauses of 1, 2, 4, … 1 024 ms there is time for two more.
  expect(looks).toBeLessThanOrEqual(14)
})

test('the time of the log is learned from the first fact that is bound', async () => {
  const time = new FakeTime()
  const bytes = Buffer.from('{}')
  const appendedAt = time.now - 90_000
  const log = {
    publish: async () => undefined,
    get: async (name: string) => ({ name, bytes, position: 1, appendedAt }),
  }
  const eras = new OwnEras(log, 'main', time.clock)
  expect(eras.now()).toBe(time.now)
  await eras.bind({ kind: 'vlp', tokens: [address], bytes: () => bytes })
  expect(eras.now()).toBe(appendedAt)
  time.pass(1_000)
  expect(eras.now()).toBe(appendedAt + 1_000)
})

/** A log whose next era this user may not ask for, until that is open to it. */
function barredLog() {
  const time = new FakeTime()
  let asked = 0
  let isOpen = false
  const log = {
    publish: () => Promise.resolve(),
    get: (name: string) => {
      if (eraOf(name) === 1) return Promise.resolve(undefined)
      asked += 1
      if (!isOpen) return Promise.reject(new Fault('not_permitted', 'its era is not open'))
      const bytes = Buffer.from('{}')
      return Promise.resolve({ name, bytes, position: 9, appendedAt: 0 })
    },
  }
  const eras = new OwnEras(log, 'main', time.clock)
  const find = () => eras.find('verdict', address, { from: 1, beyond: true })
  return { time, eras, find, asked: () => asked, open: () => (isOpen = true) }
}

test('an era that may not be asked for is asked for at growing pauses', async () => {
  const on = barredLog()
  for (let look = 0; look < 100; look += 1) expect(await on.find()).toBeUndefined()
  expect(on.asked()).toBe(1)
  on.time.pass(60_000)
  for (let look = 0; look < 100; look += 1) await on.find()
  expect(on.asked()).toBe(2)
  on.time.pass(60_000)
  await on.find()
  expect(on.asked()).toBe(2)
  for (let hour = 0; hour < 3_600; hour += 2) {
    on.time.pass(2_000)
    await on.find()
  }
  expect(on.asked()).toBeLessThan(10)
})

test('an era that shows that it has begun is asked for at once', async () => {
  const on = barredLog()
  expect(await on.find()).toBeUndefined()
  on.open()
  expect(await on.find()).toBeUndefined()
  on.eras.expectNext()
  expect(await on.find()).toMatchObject({ name: `main.2.verdict.${address}` })
})
