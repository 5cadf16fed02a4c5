// Replay takes a log apart: what was not derived as recorded is found, wherever someone tampered
// on it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judge } from '#rules/chain/judge'
import type { Draft } from '#record/event'
import type { Stage } from '#stages/stage'
import { verdictDraft } from '#stages/verdict'
import { caseOf } from '#stages/case'
import type { Fact, Log } from '#ports/log'
import type { Progress } from '#runtime/reporting/progress'
import { replay, type ReplayReport } from '#replay/replay'
import { policy } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import { playStory, tampered } from '../support/replay-story.ts'
import type { TestRuntime } from '../support/runtime.ts'

let played: TestRuntime
let facts: Fact[]

beforeAll(async () => {
  played = await playStory()
  facts = []
  for await (const fact of played.log.read({})) facts.push(fact)
})

afterAll(() => played.runtime.stop())

function replayed(
  log: Log,
  own: readonly Stage[] = stages,
  address?: string,
): Promise<ReplayReport> {
  const { place, callbacks } = played.runtime
  return replay({ log, place, rootKey: null, stages: own, callbacks, address })
}

function ofKind(kind: string): Fact {
  const found = facts.findLast(({ name }) => name.split('.')[2] === kind)
  if (found === undefined) throw new Error(`the story has no ${kind}`)
  return found
}

function textOf(fact: Fact): string {
  return Buffer.from(fact.bytes).toString('utf8')
}

function changed(fact: Fact, from: string | RegExp, to: string): Log {
  const text = textOf(fact)
  const other = text.replace(from, to)
  expect(other).not.toBe(text)
  return tampered(played.log, (each) =>
    each.position === fact.position ? { ...each, bytes: Buffer.from(other, 'utf8') } : each,
  )
}

test('a log that no one touched is derived again to the byte, every kind of it', async () => {
  const report = await replayed(played.log)
  expect(report).toMatchObject({ differences: 0, first: null, open: 0, voidCount: 0 })
  const ofIntents = ['grounding', 'rate', 'hold', 'resume', 'asked', 'review', 'verdict']
  const derivable = [...ofIntents, 'proposal']
  const recorded = facts.filter(({ name }) => derivable.includes(name.split('.')[2] ?? ''))
  expect(new Set(recorded.map(({ name }) => name.split('.')[2])).size).toBe(derivable.length)
  expect(report.derived).toBe(recorded.length)
  expect(report.facts).toBe(facts.length)
})

test('a replay reports how far it is, up to the last fact', async () => {
  const { place, callbacks } = played.runtime
  const received: Progress[] = []
  const progress = (one: Progress): void => void received.push(one)
  await replay({ log: played.log, place, rootKey: null, stages, callbacks, progress })
  const total = facts.length
  expect(received.at(-1)).toEqual({ doing: 'replaying', of: 'facts', done: total, total })
  expect(received.length).toBe(total)
})

test('one intent can be replayed alone', async () => {
  const verdict = ofKind('verdict')
  const address = verdict.name.split('.').slice(3).join('.')
  const report = await replayed(played.log, stages, address)
  expect(report.differences).toBe(0)
  expect(report.derived).toBeGreaterThan(0)
  expect(report.derived).toBeLessThan(facts.length / 3)
})

test('a verdict turned from deny to allow is found, with what was recorded and derived', async () => {
  const verdict = ofKind('verdict')
  const report = await replayed(changed(verdict, '"outcome":"deny"', '"outcome":"allow"'))
  expect(report.differences).toBe(1)
  expect(report.first).toMatchObject({ kind: 'differs', name: verdict.name })
  expect(report.first?.recorded).toContain('"outcome":"allow"')
  expect(report.first?.derived).toContain('"outcome":"deny"')
  expect(report.first?.basis).toBeGreaterThan(0)
})

test.each([
  ['grounding', '"grounded":', '"grounded" :'],
  ['review', '"quorum":1', '"quorum":2'],
  ['rate', '"windowMs":60000', '"windowMs":60001'],
  ['asked', '"windowMs":60000', '"windowMs":60001'],
  ['hold', /"until":"20/, '"until":"21'],
  ['resume', '"graphRevision":', '"graphRevision":1'],
  ['proposal', '"round":1', '"round":2'],
])('a changed %s is found', async (kind, from, to) => {
  const fact = ofKind(kind)
  const report = await replayed(changed(fact, from, to))
  expect(report.differences).toBeGreaterThan(0)
  expect(report.first?.name).toBe(fact.name)
})

test('a changed message is found by the first fact that was derived from it', async () => {
  const message = facts.find((fact) => textOf(fact).includes('"path":"a"'))
  const report = await replayed(changed(message ?? ofKind('vlp'), '"path":"a"', '"path":"b"'))
  expect(report.first).toMatchObject({ kind: 'differs' })
  expect(report.first?.name).toContain('.grounding.')
})

test('a changed rule of the catalog is found, since its change set is no longer the one signed', async () => {
  const catalog = ofKind('catalog')
  const report = await replayed(changed(catalog, '"safetyClass":"WRITE"', '"safetyClass":"READ"'))
  expect(report.voids[0]?.name).toBe(catalog.name)
  expect(report.differences).toBeGreaterThan(0)
})

test('a changed rule in the code is found', async () => {
  const lenient: Stage = {
    ...policy,
    decide: (inputs) => {
      const draft = policy.decide(inputs)
      if (draft?.kind !== 'verdict' || draft.data.outcome === 'allow') return draft
      const { context } = inputs
      const { grounding } = context
      if (grounding === null) return draft
      const { message: finding, ground } = grounding
      const known = { finding, ground, violations: [], context }
      const judgement = judge(caseOf(inputs.view, known))
      return verdictDraft(inputs, { ...judgement, outcome: 'allow', reasons: [] }, [], null)
    },
  }
  const own = stages.map((stage) => (stage.name === 'policy' ? lenient : stage))
  const report = await replayed(played.log, own)
  expect(report.differences).toBeGreaterThan(0)
  expect(report.first?.recorded).toContain('"outcome":"deny"')
})

test('a missing fact is found where it is missing', async () => {
  const grounding = ofKind('grounding')
  const log = tampered(played.log, (fact) => (fact.position === grounding.position ? null : fact))
  const report = await replayed(log)
  expect(report.first).toMatchObject({ kind: 'missing', position: grounding.position })
})

test('a fact taken out without a trace is found, though the positions were closed up', async () => {
  const decision = ofKind('decision')
  const log = tampered(played.log, (fact) => {
    if (fact.position === decision.position) return null
    return fact.position < decision.position ? fact : { ...fact, position: fact.position - 1 }
  })
  expect((await replayed(log)).differences).toBeGreaterThan(0)
})

test('a fact that knew the future is found', async () => {
  const verdict = ofKind('verdict')
  const log = changed(verdict, /^\{"basis":"\d+"/, `{"basis":"${verdict.position}"`)
  expect((await replayed(log)).first).toMatchObject({ kind: 'unreadable', name: verdict.name })
})

// A replay whose deciders were handed the recorded fact would call every log true. That ours are
// not shows in this: only by cheating past its inputs can a decider echo, and then it finds
// nothing.
test('a decider that echoes what was recorded finds nothing, and so is not one of ours', async () => {
  const verdict = ofKind('verdict')
  const log = changed(verdict, '"outcome":"deny"', '"outcome":"allow"')
  const recorded = new Map<string, Draft>()
  for await (const fact of log.read({})) {
    const kind = fact.name.split('.')[2]
    if (kind === 'verdict') recorded.set(fact.name, draftOf(fact))
  }
  const echoing = stages.map((stage) => ({ ...stage, decide: echo(stage, recorded) }))
  expect((await replayed(log, echoing)).differences).toBe(0)
  expect((await replayed(log)).differences).toBe(1)
})

function echo(stage: Stage, recorded: ReadonlyMap<string, Draft>): Stage['decide'] {
  return (inputs) => {
    const own = stage.decide(inputs)
    return own === null ? null : (recorded.get(own.name) ?? own)
  }
}

function draftOf(fact: Fact): Draft {
  const { data } = JSON.parse(textOf(fact))
  return { kind: 'verdict', name: fact.name, data }
}
