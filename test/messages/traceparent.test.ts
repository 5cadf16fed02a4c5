// The traceparent of a message goes into the facts that follow from it, and from nowhere else.
import { expect, test } from 'vitest'
import { readEvent } from '#record/event'
import type { Fact } from '#ports/log'
import { replay, type ReplayReport } from '#replay/replay'
import { stages } from '#workers/stages'
import { tampered } from '../support/replay-story.ts'
import { testParts } from '../support/runtime.ts'
import { answer, deletion, erase, expectReplay, look, place } from '../support/scene.ts'
import { reason, reviewed, say, scene, verdict, type Scene } from '../support/scene.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const setup = {
  catalog: {
    capabilities: [look, erase],
    limits: [{ capability: 'look', uses: 9, windowMs: 1_000 }],
  },
  graph: deletion({ name: 'ask' }),
}
const derived = /^main\.1\.(grounding|rate|hold|review|verdict)\./

async function derivedFacts({ log }: Scene): Promise<Fact[]> {
  const facts: Fact[] = []
  for await (const fact of log.read({})) if (derived.test(fact.name)) facts.push(fact)
  return facts
}

function traceparentIn({ bytes }: Fact): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8')).traceparent
}

async function played(extras: Readonly<Record<string, unknown>>): Promise<Scene> {
  const on = await scene(setup)
  const message = { _extras: extras }
  await verdict(on.log, await say(on.log, { intent: { tool: 'look' }, message }))
  const asked = await reviewed(on, { intent: { tool: 'erase', justification: reason }, message })
  await answer(on, asked)
  await verdict(on.log, asked)
  return on
}

test.each([
  ['is missing', undefined],
  ['is no text', 7],
  ['has a trace of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['has a span of zeros', '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
  ['is in capitals', traceparent.toUpperCase()],
  ['is of another version', traceparent.replace('00-', '01-')],
  ['is a digit short', traceparent.slice(0, -1)],
  ['goes on', `${traceparent}-x`],
  ['goes on in another line', `${traceparent}\n`],
])('what %s is left out of every fact', async (_, given) => {
  const on = await played({ traceparent: given })
  for (const fact of await derivedFacts(on)) {
    expect(Buffer.from(fact.bytes).toString('utf8')).not.toContain('traceparent')
  }
  await expectReplay(on)
})

test('one that holds is in every fact that follows, as it was sent, and replays', async () => {
  const on = await played({ traceparent })
  const facts = await derivedFacts(on)
  const kinds = new Set(facts.map(({ name }) => name.split('.')[2]))
  expect(kinds).toEqual(new Set(['grounding', 'rate', 'review', 'verdict']))
  expect(facts.map(traceparentIn)).toEqual(facts.map(() => traceparent))
  await expectReplay(on)
})

async function reportWith(on: Scene, from: string, to: string): Promise<ReplayReport> {
  const log = tampered(on.log, (fact) => {
    const text = Buffer.from(fact.bytes).toString('utf8')
    if (!fact.name.includes('.verdict.')) return fact
    return { ...fact, bytes: Buffer.from(text.replace(from, to)) }
  })
  const { callbacks } = testParts(log, setup)
  return replay({ log, place, rootKey: null, stages, callbacks })
}

test('one that is not that of the message does not replay', async () => {
  const on = await played({ traceparent })
  const report = await reportWith(on, traceparent, traceparent.replace('-01', '-00'))
  expect(report).toMatchObject({ differences: 2, first: { kind: 'differs' } })
})

test('a fact without it is as versions before it derived it, and replays', async () => {
  const on = await played({ traceparent })
  const report = await reportWith(on, `"traceparent":"${traceparent}",`, '')
  expect(report).toMatchObject({ differences: 0, first: null })
})

test('a fact with an ill-formed one is void', () => {
  const name = 'main.1.fault.policy.7'
  const data = { queue: 'policy', position: 7, name: 'x', attempts: 1, code: 'c', message: 'm' }
  const event = {
    basis: '3',
    data,
    datacontenttype: 'application/json',
    id: name,
    source: 'test',
    specversion: '1.0',
    time: '2026-01-01T00:00:00.000Z',
    type: 'warrant.fault.v1',
  }
  const read = (more: object) => {
    const bytes = Buffer.from(JSON.stringify({ ...event, ...more }))
    return readEvent('fault', { name, bytes })
  }
  expect(read({})).toMatchObject({ ok: true })
  expect(read({ traceparent })).toMatchObject({ ok: true, event: { stamp: { traceparent } } })
  expect(read({ traceparent: `${traceparent}\n` })).toMatchObject({ ok: false })
})
