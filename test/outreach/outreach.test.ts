// People are notified of reviews that wait for them: whom, when, how often, and what stops it.
import { expect, test } from 'vitest'
import { ChannelFailure } from '#ports/channels'
import { addTarget, reachBook, reachEntries } from '#outreach/reach-store'
import { sayAbsent } from '#client/people/decide'
import { changeCatalog, keys } from '../support/runtime.ts'
import { answer, another } from '../support/scene.ts'
import {
  asks,
  deskSetup,
  minute,
  outreachScene,
  testChannel,
  type OutreachScene,
} from './outreach-scene.ts'

const piet = { confirmer: 'piet', privateKey: keys.piet }
const quin = { confirmer: 'quin', privateKey: keys.quin }

test('each confirmer is notified when a review opens, with a link and no argument', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  await on.reached('quin')
  const address = await asks(on)
  expect((await on.notified()).toSorted()).toEqual(['piet asked', 'quin asked'])
  const [first] = on.channel.delivered
  expect(first?.message.link).toBe(`https://warrant.example/reviews/${address}`)
  expect(first?.message.subject).toContain('“bot” asks for “file.send”')
  expect(JSON.stringify(on.channel.delivered)).not.toContain('"n"')
  expect(on.outreach.troubles()).toEqual(new Map())
})

test('who has not answered is reminded at half of the time, and the named ones at three quarters', async () => {
  const on = await outreachScene(deskSetup({ reaching: { escalatesTo: 'bosses' } }))
  for (const person of ['piet', 'quin', 'boss']) await on.reached(person)
  await asks(on)
  await on.later(10 * minute - 1)
  expect(await on.notified()).toHaveLength(2)
  await on.later(1)
  expect((await on.notified()).slice(2).toSorted()).toEqual(['piet reminder', 'quin reminder'])
  await on.later(5 * minute - 1)
  expect(await on.notified()).toHaveLength(4)
  await on.later(1)
  expect((await on.notified()).slice(4)).toEqual(['boss escalated'])
  await on.later(60 * minute)
  expect(await on.notified()).toHaveLength(5)
})

test('no one is notified once it is decided, and no one who has answered', async () => {
  const on = await outreachScene(deskSetup({ quorum: 2 }))
  await on.reached('piet')
  await on.reached('quin')
  const address = await asks(on)
  await answer(on, address, piet)
  await on.later(10 * minute)
  expect((await on.notified()).slice(2)).toEqual(['quin reminder'])
  const other = await asks(on, 2)
  await answer(on, other, { ...quin, answers: false })
  await on.later(12 * minute)
  expect((await on.notified()).filter((one) => one.endsWith('reminder'))).toHaveLength(1)
})

test('what is decided while an attempt begins is not sent', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  const append = on.log.append.bind(on.log)
  const address = new Promise<string>((found) => {
    let isFirst = true
    on.log.append = async (entry, options) => {
      const bound = await append(entry, options)
      if (!entry.name.includes('.notification.') || !isFirst) return bound
      isFirst = false
      await answer(on, await asked, piet)
      found(await asked)
      return bound
    }
  })
  const asked = asks(on)
  await address
  await on.later(20 * minute)
  expect(on.channel.delivered).toEqual([])
  expect(await on.notifications()).toMatchObject([{ state: 'begun' }])
})

test('quiet hours wait for their end, and by then the last that is due is sent alone', async () => {
  const on = await outreachScene(deskSetup({ minutes: 12 * 60 }))
  // It is midnight in UTC: one at night in Vienna, where nothing is sent before seven.
  await on.reached('piet', { from: '22:00', to: '07:00', zone: 'Europe/Vienna', wakes: false })
  await asks(on)
  await on.later(6 * 60 * minute - 1, 60 * minute)
  expect(await on.notified()).toEqual([])
  expect(on.outreach.troubles()).toEqual(new Map())
  await on.later(1)
  expect(await on.notified()).toEqual(['piet reminder'])
})

test('what expires before quiet hours end wakes only who wants that, and else no one is reached', async () => {
  const on = await outreachScene()
  const night = { from: '22:00', to: '07:00', zone: 'Europe/Vienna' }
  await on.reached('piet', { ...night, wakes: false })
  const address = await asks(on)
  expect(await on.notified()).toEqual([])
  expect(on.outreach.troubles()).toEqual(new Map([[address, 'unreached']]))
  await on.reached('quin', { ...night, wakes: true })
  await on.later(minute)
  expect(await on.notified()).toEqual(['quin asked'])
  expect(on.outreach.troubles()).toEqual(new Map())
})

async function away(on: OutreachScene, deputy: string | null): Promise<void> {
  const until = deputy === null ? null : on.time.now + 60 * minute
  await sayAbsent(on.runtime, { confirmer: 'piet', deputy, until, privateKey: keys.piet })
}

test('who is away is not notified, and the deputy is, until they are back', async () => {
  const on = await outreachScene(deskSetup({ deputies: true }))
  for (const person of ['piet', 'olga', 'quin', 'root']) await on.reached(person)
  await away(on, 'root')
  await asks(on)
  expect((await on.notified()).toSorted()).toEqual(['quin asked', 'root asked'])
  const toDeputy = (await on.notifications()).find(({ person }) => person === 'root')
  expect(toDeputy).toMatchObject({ for: 'piet' })
  expect(on.channel.delivered.flatMap(({ message }) => message.lines)).toContain(
    'You are asked as the deputy of “piet”, who is away.',
  )
  await away(on, null)
  expect((await on.notified()).toSorted()).toEqual(['piet asked', 'quin asked', 'root asked'])
})

test('a deputy is not notified whose answer would not count', async () => {
  const plain = await outreachScene()
  for (const person of ['piet', 'root']) await plain.reached(person)
  await away(plain, 'root')
  await asks(plain)
  expect(await plain.notified()).toEqual(['piet asked'])
  // The owner of the agent is of the side that asks.
  const own = await outreachScene(deskSetup({ deputies: true }))
  for (const person of ['piet', 'olga']) await own.reached(person)
  await away(own, 'olga')
  await asks(own)
  expect(await own.notified()).toEqual(['piet asked'])
})

test('a failure that may pass is tried again, later and later, and five times at most', async () => {
  const on = await outreachScene(deskSetup({ minutes: 40 * 60 }))
  await on.reached('piet')
  on.channel.fails = new ChannelFailure('unavailable', true)
  const address = await asks(on)
  await on.still()
  expect(on.channel.delivered).toHaveLength(1)
  await on.later(4_999)
  expect(on.channel.delivered).toHaveLength(1)
  await on.later(2_501)
  expect(on.channel.delivered).toHaveLength(2)
  await on.later(30 * minute, 5_000)
  expect(on.channel.delivered).toHaveLength(5)
  expect(new Set(on.channel.delivered.map(({ message }) => message.id)).size).toBe(1)
  // The reminder is one more chance; until then it is known that no one was reached.
  expect((await on.notifications()).at(-1)).toMatchObject({
    state: 'failed',
    attempt: 5,
    code: 'unavailable',
  })
  expect(on.outreach.troubles().get(address)).toBeUndefined()
  await on.later(20 * 60 * minute, minute * 30)
  await on.later(30 * minute, 5_000)
  expect(on.outreach.troubles().get(address)).toBe('unreached')
})

test('a failure for good is not tried again, and no one was reached', async () => {
  const on = await outreachScene(deskSetup({ reaching: { remindsAfter: [] } }))
  await on.reached('piet')
  on.channel.fails = new ChannelFailure('gone', false)
  const address = await asks(on)
  await on.later(15 * minute, minute)
  expect(on.channel.delivered).toHaveLength(1)
  expect(on.outreach.troubles()).toEqual(new Map([[address, 'unreached']]))
})

test('a channel that never answers is ended by the deadline', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  on.channel.fails = 'silent'
  await asks(on)
  await on.still()
  on.time.pass(30_000)
  on.channel.fails = null
  await on.still()
  expect(await on.notifications()).toMatchObject([
    { state: 'begun', attempt: 1 },
    { state: 'failed', attempt: 1, code: 'timed_out', mayPass: true },
  ])
})

test('two services on one log send each message once', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  await on.reached('quin')
  await on.service({}, await another(on, { stages: [] }))
  await asks(on)
  await on.later(10 * minute, minute)
  expect((await on.notified()).toSorted()).toEqual([
    'piet asked',
    'piet reminder',
    'quin asked',
    'quin reminder',
  ])
  expect(on.channel.delivered).toHaveLength(4)
})

test('a service that is started again sends what was not sent, and nothing twice', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  await asks(on)
  expect(await on.notified()).toEqual(['piet asked'])
  await on.outreach.stop(0)
  await on.reached('quin')
  await on.later(minute)
  expect(on.channel.delivered).toHaveLength(1)
  on.outreach = await on.service()
  expect(await on.notified()).toEqual(['piet asked', 'quin asked'])
})

test('what was begun by a service that is gone is sent once its time has passed', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  on.channel.fails = 'silent'
  await asks(on)
  await on.still()
  // It dies before it can say how that ended.
  const append = on.log.append.bind(on.log)
  on.log.append = () => Promise.reject(new Error('the process is gone'))
  const stopping = on.outreach.stop(0)
  on.time.pass(0)
  await stopping.catch(() => undefined)
  on.log.append = append
  on.channel.fails = null
  expect(await on.notifications()).toMatchObject([{ state: 'begun', attempt: 1 }])
  await on.service({}, await another(on, { stages: [] }))
  await on.later(59_000)
  expect(on.channel.delivered).toHaveLength(1)
  await on.later(2_000)
  expect(on.channel.delivered).toHaveLength(2)
  expect((await on.notifications()).at(-1)).toMatchObject({ state: 'sent', attempt: 2 })
})

test('where too few are left to answer, that is known, and changes with the catalog', async () => {
  const on = await outreachScene(deskSetup({ quorum: 2 }))
  await on.reached('piet')
  const address = await asks(on)
  await on.still()
  await changeCatalog(on.runtime, { op: 'suspend', id: 'quin' })
  await on.still()
  expect(on.outreach.troubles()).toEqual(new Map([[address, 'unanswerable']]))
  await changeCatalog(on.runtime, { op: 'unsuspend', id: 'quin' })
  await on.still()
  expect(on.outreach.troubles()).toEqual(new Map())
})

test('a subscription that has ended is taken out of the store', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  const push = testChannel('push')
  push.fails = new ChannelFailure('gone', false)
  await on.outreach.stop(0)
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  await addTarget(on.file, 'piet', {
    channel: 'push',
    url: 'https://fcm.googleapis.com/x',
    keys,
  })
  await on.service({ channels: [push, on.channel], book: reachBook(on.file) })
  await asks(on)
  expect(await on.notified()).toEqual(['piet asked'])
  expect(reachEntries(on.file)[0]?.targets.map(({ channel }) => channel)).toEqual(['mail'])
})

test('arguments are in a message only where the confirmation lets them and nothing is sensitive', async () => {
  const on = await outreachScene(deskSetup({ reaching: { showsArgs: true } }))
  await on.reached('piet')
  await asks(on, 4711)
  await on.still()
  expect(on.channel.delivered[0]?.message.lines.join(' ')).toContain('4711')
})

test('the log has neither where a person is reached nor what was sent', async () => {
  const on = await outreachScene()
  await on.reached('piet')
  await asks(on)
  await on.notified()
  for await (const { bytes } of on.log.read({}, ['main.*.notification.*'])) {
    const text = Buffer.from(bytes).toString()
    expect(text).not.toContain('@example.org')
    expect(text).not.toContain('warrant.example')
    expect(text).not.toContain('asks for')
  }
})
