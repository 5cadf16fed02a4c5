// A stage's fact says itself when it was drawn up and from which basis. Anyone who may bind it
// chooses both; a replay finds what the log's own clock and the facts between contradict.
import { expect, test } from 'vitest'
import { lateness } from '#stages/lateness'
import { nameOf } from '#record/names'
import { Principal } from '#schemas/catalog'
import { type Findings, noFindings } from '#replay/findings'
import { stages } from '#workers/stages'
import { forged } from '../support/forger.ts'
import { changeCatalog } from '../support/runtime.ts'
import {
  answer,
  bound,
  codes,
  deletion,
  erase,
  expectReplay,
  judged,
  look,
  place,
  reason,
  replayed,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
  bind,
  groundingOf,
  names,
} from '../support/scene.ts'
import { digestOf } from '#record/digest'
import { grounding } from '#workers/grounding/decider'

const minuteMs = 60_000
const unlimited = { capability: 'erase', uses: 'unlimited' as const, windowMs: minuteMs }
const asks = { capabilities: [erase, look], limits: [unlimited] }
const intent = { tool: 'erase', justification: reason }
const hourMs = 3_600_000

function timesOf({ counts }: Findings) {
  const { late, overtaken } = counts
  return { late, overtaken }
}

const without = (name: string) => stages.filter((stage) => stage.name !== name)

function timeOf({ time }: Scene): string {
  return new Date(time.now).toISOString()
}

async function headOf({ log }: Scene): Promise<number> {
  return (await log.head()).position
}

/** An intent of which everything is there but what that stage says of it. */
async function grounded(on: Scene): Promise<string> {
  const address = await say(on.log, { intent })
  await bound(on.log, nameOf(place, 'grounding', address, 1))
  return address
}

const officeHours = {
  catalog: asks,
  graph: deletion({ name: 'hours', requiresConfirmation: false, callback: 'hours' }),
  module: `export const hours = ({ now }) => ({
    passed: Number(now.slice(11, 13)) >= 9 && Number(now.slice(11, 13)) < 17,
  })`,
}

test('an allow at noon of the day before is late, though it derives', async () => {
  const on = await scene({ ...officeHours, stages: without('policy') })
  const address = await grounded(on)
  const basis = await headOf(on)
  const time = new Date(on.time.now - 12 * hourMs).toISOString()
  const made = await forged(on, address, { stage: 'policy', basis, time })
  expect(made).toMatchObject({ kind: 'verdict', data: { outcome: 'allow' } })
  const { differences, findings } = await replayed(on)
  expect(differences).toBe(0)
  expect(timesOf(findings)).toEqual({ late: 1, overtaken: 0 })
  const { name, position } = made?.fact ?? { name: '', position: 0 }
  expect(findings.shown).toEqual([{ kind: 'late', name, position, why: 'time_behind' }])
})

const people = {
  catalog: asks,
  graph: deletion({ name: 'asked' }),
  stages: without('confirmation'),
}

/** A review that olga has approved and no one has released. */
async function approved(on: Scene): Promise<string> {
  const address = await reviewed(on, { intent })
  await answer(on, address)
  return address
}

test('an allow from before people declined and withdrew is overtaken, however honest its time', async () => {
  const two = {
    groups: [{ id: 'both', members: ['piet', 'quin'] }],
    confirmations: [{ id: 'two', tier: 'four_eyes' as const, sessionless: true, group: 'both' }],
  }
  const on = await scene({
    ...people,
    catalog: { ...asks, ...two },
    graph: deletion({ name: 'asked', confirmation: 'two' }),
  })
  const address = await reviewed(on, { intent })
  await answer(on, address, { by: 'piet' })
  const basis = await headOf(on)
  const time = timeOf(on)
  await answer(on, address, { by: 'quin', answers: false })
  await on.bot.withdraw(address)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  const made = await forged(on, address, { stage: 'confirmation', basis, time })
  expect(made).toMatchObject({ kind: 'verdict', data: { outcome: 'allow' } })
  const report = await replayed(on)
  expect(report).toMatchObject({ differences: 0, first: null })
  expect(timesOf(report.findings)).toEqual({ late: 0, overtaken: 1 })
  expect(report.findings.shown[0]).toMatchObject({ kind: 'overtaken', name: made?.fact.name })
})

test('the same three hours later is late as well, and overtaken by any one of the three', async () => {
  for (const step of ['withdraw', 'suspend'] as const) {
    const on = await scene(people)
    const address = await approved(on)
    const basis = await headOf(on)
    const time = timeOf(on)
    if (step === 'withdraw') await on.bot.withdraw(address)
    else await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
    on.time.pass(3 * hourMs)
    await forged(on, address, { stage: 'confirmation', basis, time })
    const { differences, findings } = await replayed(on)
    expect({ step, differences, ...timesOf(findings) }).toEqual({
      step,
      differences: 0,
      late: 1,
      overtaken: 1,
    })
  }
})

test('where a use is counted, an old basis gives no more than that use, which is overtaken', async () => {
  const on = await scene({ ...people, catalog: { capabilities: [erase] } })
  const address = await approved(on)
  const basis = await headOf(on)
  await on.bot.withdraw(address)
  const at = { stage: 'confirmation' as const, basis, time: timeOf(on) }
  expect(await forged(on, address, at)).toMatchObject({ kind: 'rate' })
  const after = { ...at, basis: await headOf(on) }
  expect(await forged(on, address, after)).toMatchObject({ data: { outcome: 'deny' } })
  const { differences, findings } = await replayed(on)
  expect({ differences, ...timesOf(findings) }).toEqual({ differences: 0, late: 0, overtaken: 1 })
})

test('a time in the future that ends an open review is late', async () => {
  const on = await scene(people)
  const address = await reviewed(on, { intent })
  const time = new Date(on.time.now + 24 * hourMs).toISOString()
  const basis = await headOf(on)
  const made = await forged(on, address, { stage: 'confirmation', basis, time })
  expect(made).toMatchObject({ data: { outcome: 'deny', reasons: [{ code: 'review_expired' }] } })
  const { differences, findings } = await replayed(on)
  expect({ differences, ...timesOf(findings) }).toEqual({ differences: 0, late: 1, overtaken: 0 })
  expect(findings.shown[0]?.why).toBe('time_ahead')
})

test('an invalid time keeps an approval good for ever, and is late', async () => {
  const on = await scene(people)
  const address = await approved(on)
  on.time.pass(9 * 24 * hourMs)
  const basis = await headOf(on)
  const made = await forged(on, address, { stage: 'confirmation', basis, time: 'zzz' })
  expect(made).toMatchObject({ data: { outcome: 'allow' } })
  const { differences, findings } = await replayed(on)
  expect({ differences, ...timesOf(findings) }).toEqual({ differences: 0, late: 1, overtaken: 0 })
  expect(findings.shown[0]?.why).toBe('time_unreadable')
})

test('evidence that came after the basis overtakes what was decided without it', async () => {
  const on = await scene({
    catalog: {
      ...asks,
      principals: [{ id: 'desk' }],
      trustedEvidence: [{ sender: 'desk', for: ['*'] }],
    },
    graph: deletion({ name: 'no', requiresConfirmation: false, callback: 'silent' }),
    module: `export const silent = ({ evidence }) => ({ passed: evidence.length === 0 })`,
    stages: without('policy'),
  })
  const session = 'S-2026-01-01-bot-abcdef'
  const address = await say(on.log, { intent, session })
  await bound(on.log, nameOf(place, 'grounding', address, 1))
  const basis = await headOf(on)
  const said = {
    type: 'evidence',
    refers_to: 'x',
    provenance: ['system of record'],
    receiver: 'bot',
  }
  await say(on.log, { as: 'desk', session, message: said })
  const at = { stage: 'policy' as const, basis, time: timeOf(on) }
  expect(await forged(on, address, at)).toMatchObject({ data: { outcome: 'allow' } })
  expect(timesOf((await replayed(on)).findings)).toEqual({ late: 0, overtaken: 1 })
})

const newcomer = Principal.parse({ id: 'newcomer' })

test('what stands between and changes nothing of the answer overtakes nothing', async () => {
  const on = await scene({ catalog: asks, graph: deletion(), stages: without('policy') })
  const address = await grounded(on)
  const basis = await headOf(on)
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry: newcomer })
  await say(on.log, { as: 'honest', intent: { tool: 'look' } })
  await forged(on, address, { stage: 'policy', basis, time: timeOf(on) })
  const { differences, findings } = await replayed(on)
  expect({ differences, ...timesOf(findings) }).toEqual({ differences: 0, late: 0, overtaken: 0 })
})

test('a review that ends on a quiet log is neither, however old its basis', async () => {
  const on = await scene({ ...people, stages })
  const address = await reviewed(on, { intent })
  on.time.pass(9 * 24 * hourMs)
  expect(codes(await verdict(on.log, address))).toContain('review_expired')
  const { findings } = await replayed(on)
  expect(timesOf(findings)).toEqual({ late: 0, overtaken: 0 })
  await expectReplay(on)
})

test('what honest stages write is neither', async () => {
  const on = await scene({ catalog: asks, graph: deletion() })
  expect((await judged(on, { intent })).outcome).toBe('allow')
  expect((await replayed(on)).findings.shown).toEqual([])
})

const appendedAt = Date.UTC(2026, 0, 1, 12)
const basisAt = appendedAt - 10 * hourMs

test.each([
  ['a minute before it was appended', -60_000, 0, null],
  ['a moment more', -60_001, 0, 'time_behind'],
  ['as much more as its callbacks may have taken', -63_000, 3_000, null],
  ['and no more than another minute of those', -120_001, 3_600_000, 'time_behind'],
  ['five seconds after it was appended', 5_000, 0, null],
  ['a moment more than those', 5_001, 0, 'time_ahead'],
])('a time %s', (_name, ms, callbacksMs, why) => {
  const time = new Date(appendedAt + ms).toISOString()
  expect(lateness(time, { appendedAt, basisAt, callbacksMs })).toBe(why)
})

test('a time is not before the basis by more than clocks may differ', () => {
  const at = (ms: number) => new Date(appendedAt + ms).toISOString()
  const times = { appendedAt, basisAt: appendedAt, callbacksMs: 0 }
  expect(lateness(at(-5_000), times)).toBe(null)
  expect(lateness(at(-5_001), times)).toBe('time_before_basis')
  expect(lateness(at(-5_001), { ...times, basisAt: null })).toBe(null)
})

test('a time that readers may take for different moments is invalid', () => {
  const times = { appendedAt, basisAt, callbacksMs: 0 }
  for (const time of ['2026-01-01T12:00:00Z', '2026-01-01T12:00', '2026-01-01', 'now', '']) {
    expect(lateness(time, times)).toBe('time_unreadable')
  }
})

// A log without the callback modules that decided it cannot be replayed whole, which is no
// difference: what they decided is counted as not checked.

const module = `export const open = () => ({ passed: true })`
const setup = {
  catalog: { capabilities: [erase, look] },
  graph: deletion({ name: 'open', requiresConfirmation: false, callback: 'open' }),
  module,
}

/** The same log, on a machine that has not got the module. */
function withoutModule(on: Scene): Pick<Scene, 'log' | 'setup'> {
  const { module: _left, ...without } = setup
  return { ...on, setup: without }
}

test('what a module decided that is not here cannot be checked, and all else is', async () => {
  const on = await scene(setup)
  await judged(on, { intent: { tool: 'look' } })
  const { intent: address, name, outcome } = await judged(on, { intent })
  expect(outcome).toBe('allow')
  const start = { intent: { address, agent: 'bot', session: null }, verdict: name }
  await bind(on.log, 'start', nameOf(place, 'start', address), start)
  const whole = await replayed(on)
  expect(whole).toMatchObject({ differences: 0, unchecked: 0, missingModules: [] })
  const report = await replayed(withoutModule(on))
  // The use and the verdict; its grounding asks no one.
  const missingModules = [{ module: digestOf(module), facts: 2 }]
  expect(report).toMatchObject({ differences: 0, unchecked: 2, missingModules })
  expect(report.derived).toBe(whole.derived)
  expect(report.findings).toEqual(whole.findings)
})

test('an observed call is no action without a verdict where its verdict cannot be checked', async () => {
  const on = await scene(setup)
  const observed = on.bot.guard('erase', () => 'erased', { enforce: false })
  await observed({}, { justification: reason })
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.ownoutcome.>')).toHaveLength(1)
  const { unchecked, findings } = await replayed(withoutModule(on))
  expect({ unchecked, findings }).toEqual({ unchecked: 2, findings: noFindings() })
})

test('what needs none of it is replayed all the same', async () => {
  const on = await scene(setup)
  const { intent: address } = await judged(on, { intent: { tool: 'look' } })
  await judged(on, { intent })
  const report = await replayed(withoutModule(on), { address })
  expect(report).toMatchObject({ differences: 0, unchecked: 0, derived: 2 })
})

test('a refusal that recorded that the module is missing derives where it still is', async () => {
  const on = await scene({ ...setup, stages: [grounding] })
  const address = await say(on.log, { intent })
  await groundingOf(on.log, address)
  const { position: basis } = await on.log.head()
  const time = new Date(on.time.now).toISOString()
  const made = await forged(withoutModule(on), address, { stage: 'policy', basis, time })
  expect(made).toMatchObject({ kind: 'verdict', data: { outcome: 'deny' } })
  expect(await replayed(withoutModule(on))).toMatchObject({ differences: 0, unchecked: 0 })
  expect(await replayed(on)).toMatchObject({ differences: 1, unchecked: 0 })
})

test('with the module there is nothing that cannot be checked', async () => {
  const on = await scene(setup)
  await judged(on, { intent })
  await expectReplay(on)
})
