// The head of a log, written down: given back, whatever was cut off or changed since shows, though
// all that is left derives.
import { expect, test } from 'vitest'
import type { Fact, Log } from '#ports/log'
import { headOf, type ChainHead } from '#replay/chain'
import { cutAt, judgedNow, sealOf, turned } from './eras/parts/live.ts'
import { tampered } from '../support/replay-story.ts'
import { judged, look, replayed, scene, type Scene } from '../support/scene.ts'

const setup = { catalog: { capabilities: [look] } }
const intent = { tool: 'look' }

async function played(): Promise<Scene> {
  const on = await scene(setup)
  await judged(on, { intent })
  await on.bot.guard('look', () => 1)({})
  return on
}

function given(text: string): ChainHead {
  const head = headOf(text)
  if (head === null) throw new Error(`\`${text}\` is no head`)
  return head
}

/** Whether the log, changed so, still has that head; and that nothing else shows it. */
async function hasHead(on: Scene, text: string, changed: (fact: Fact) => Fact | null) {
  const log = tampered(on.log, changed)
  const report = await replayed({ ...on, log }, { head: given(text) })
  const { differences, findings } = report
  expect({ differences, shown: findings.shown }).toEqual({ differences: 0, shown: [] })
  return report.hasHead
}

const itself = (fact: Fact): Fact => fact

test('a log that only went on has the head of before', async () => {
  const on = await played()
  const before = await replayed(on)
  expect(before.hasHead).toBe(null)
  expect(given(before.head).position).toBe(before.facts)
  expect(await hasHead(on, before.head, itself)).toBe(true)
  await judged(on, { intent })
  expect(await hasHead(on, before.head, itself)).toBe(true)
  const after = await replayed(on)
  expect(after.head).not.toBe(before.head)
  expect(await hasHead(on, after.head, itself)).toBe(true)
})

test('the head of an empty log is of position 0, and every log has it', async () => {
  const on = await played()
  const { head } = await replayed({ ...on, log: tampered(on.log, () => null) })
  expect(given(head).position).toBe(0)
  expect(await hasHead(on, head, itself)).toBe(true)
  const another = head.replace(/[0-9a-f]$/, (digit) => (digit === '0' ? '1' : '0'))
  expect(await hasHead(on, another, itself)).toBe(false)
})

test('a log whose end was cut has it no more', async () => {
  const on = await played()
  const { head, facts } = await replayed(on)
  expect(await hasHead(on, head, (fact) => (fact.position < facts ? fact : null))).toBe(false)
})

test('nor has one of which something was changed that nothing is derived from', async () => {
  const on = await played()
  const { head, facts } = await replayed(on)
  const inLast = (change: (fact: Fact) => Fact) => (fact: Fact) =>
    fact.position === facts ? change(fact) : fact
  const later = inLast((fact) => ({ ...fact, appendedAt: fact.appendedAt + 1 }))
  expect(await hasHead(on, head, later)).toBe(false)
  const failed = inLast((fact) => {
    const text = Buffer.from(fact.bytes).toString('utf8').replace('"succeeded"', '"failed"')
    return { ...fact, bytes: Buffer.from(text) }
  })
  expect(await hasHead(on, head, failed)).toBe(false)
})

test('a head of another log is not found', async () => {
  const on = await played()
  const { head } = await replayed(on)
  const [position = '', ...digest] = head.split(':')
  const beyond = `${Number(position) + 1}:${digest.join(':')}`
  const other = `${Number(position) - 1}:${digest.join(':')}`
  for (const text of [beyond, other, `0:${digest.join(':')}`]) {
    expect(await hasHead(on, text, itself)).toBe(false)
  }
})

test('where an era was taken away, the head is of what is after its snapshot', async () => {
  const on = await played()
  await turned(on)
  await judgedNow(on, { intent, ulid: 'next' })
  await on.watch.settled(on.log)
  const whole = await replayed(on)
  const log: Log = cutAt(on.log, await sealOf(on, 2))
  const cut = await replayed({ ...on, log })
  expect(cut).toMatchObject({ differences: 0, unchecked: 0, start: { era: 2 } })
  expect(cut.head).not.toBe(whole.head)
  expect((await replayed({ ...on, log }, { head: given(cut.head) })).hasHead).toBe(true)
  expect((await replayed({ ...on, log }, { head: given(whole.head) })).hasHead).toBe(false)
  const left = tampered(log, (fact) => ({ ...fact, appendedAt: fact.appendedAt + 1 }))
  expect((await replayed({ ...on, log: left }, { head: given(cut.head) })).hasHead).toBe(false)
})

test('only what replay prints is a head', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  expect(headOf(`0:${digest}`)).toEqual({ position: 0, digest })
  for (const text of [
    '',
    '1',
    `:${digest}`,
    `01:${digest}`,
    `1:${digest}0`,
    `1:${digest.slice(1)}`,
  ]) {
    expect(headOf(text)).toBe(null)
  }
})
