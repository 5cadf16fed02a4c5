// What Prometheus is given: numbers of the log and of this process, and never a name of anyone.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { newMetrics, type Metrics } from '#health/metrics'
import type { Log } from '#ports/log'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { turned } from '../replay/eras/parts/live.ts'
import { breaking, failingLog, faultOf, passed, type Breakage } from '../support/faulty-log.ts'
import { learnable, proposals } from '../support/learning-scene.ts'
import { answer, bound, deletion, erase, expectReplay, judged, look } from '../support/scene.ts'
import {
  reason,
  reviewed,
  say,
  scene,
  verdict,
  type Scene,
  type SceneSetup,
} from '../support/scene.ts'

const setup: SceneSetup = {
  catalog: { capabilities: [look, erase] },
  graph: deletion({ name: 'ask' }),
}

interface Watched extends Scene {
  readonly metrics: Metrics
}

async function watched(more: SceneSetup = {}): Promise<Watched> {
  const metrics = newMetrics()
  const parts = { observe: [metrics.observe], ...more.parts }
  const on = await scene({ ...setup, ...more, parts })
  return { ...on, metrics }
}

/** The value of each sequence of ours, by its name and labels. */
async function numbers({ metrics }: Watched): Promise<ReadonlyMap<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('warrant_'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** Everything that was appended is folded, and every job of it ended. */
async function still(on: Scene): Promise<void> {
  await on.watch.settled(on.log)
  await on.runtime.follower.reached((await on.log.head()).position)
}

test('each stage counts its jobs and facts, and the fold its verdicts by the reason', async () => {
  const on = await watched()
  await judged(on, { intent: { tool: 'look' } })
  await judged(on, { intent: { tool: 'nowhere' } })
  await judged(on, { intent: { tool: 'look' }, message: { sender: 'else' } })
  await still(on)
  const found = await numbers(on)
  expect(found.get('warrant_jobs_done_total{stage="grounding"}')).toBe(3)
  expect(found.get('warrant_jobs_done_total{stage="policy"}')).toBe(3)
  expect(found.get('warrant_job_retries_total{stage="policy"}')).toBe(0)
  expect(found.get('warrant_faults_total{stage="policy"}')).toBe(0)
  expect(found.get('warrant_appends_total{kind="verdict",result="appended"}')).toBe(3)
  expect(found.get('warrant_verdicts_total{decision="allow",reason="none"}')).toBe(1)
  expect(found.get('warrant_verdicts_total{decision="deny",reason="unknown_capability"}')).toBe(1)
  expect(found.get('warrant_verdicts_total{decision="deny",reason="sender_mismatch"}')).toBe(1)
  expect(found.get('warrant_decision_seconds_count')).toBe(3)
  expect(found.get('warrant_job_seconds_count{stage="policy"}')).toBe(3)
  expect(found.get('warrant_jobs_in_flight{stage="policy"}')).toBe(0)
})

test('an era that is due is shown until it is rotated, and its facts begin again', async () => {
  const dayMs = 86_400_000
  const on = await watched({ catalog: { capabilities: [look], rotation: { ageMs: 2 * dayMs } } })
  await judged(on, { intent: { tool: 'look' } })
  await still(on)
  const era = async (): Promise<readonly (number | undefined)[]> => {
    const found = await numbers(on)
    return ['', '_facts', '_due'].map((name) => found.get(`warrant_era${name}`))
  }
  const { position } = await on.log.head()
  expect(await era()).toEqual([1, position, 0])
  on.time.pass(2 * dayMs - 1)
  expect((await era()).at(-1)).toBe(0)
  on.time.pass(1)
  expect((await era()).at(-1)).toBe(1)
  await turned(on)
  const [now, facts = 0, due] = await era()
  expect([now, due]).toEqual([2, 0])
  expect(facts).toBeLessThan(position)
})

test('issues of messages are counted by their code', async () => {
  const on = await watched()
  const session = 'S-2026-01-01-bot-abcdef'
  const content = '"code":"seq_duplicate"'
  for (const seq of [2, 9, 9]) {
    await judged(on, { session, intent: { tool: 'look' }, message: { seq, content } })
  }
  await still(on)
  const found = await numbers(on)
  expect(found.get('warrant_message_issues_total{code="session_unknown"}')).toBe(1)
  expect(found.get('warrant_message_issues_total{code="seq_gap"}')).toBe(1)
  expect(found.get('warrant_message_issues_total{code="seq_duplicate"}')).toBe(1)
})

test('what is open, for how long and before whom, is what the fold has', async () => {
  const on = await watched()
  const { position } = await on.log.head()
  expect((await numbers(on)).get('warrant_oldest_open_intent_age_seconds')).toBe(0)
  const first = await reviewed(on, { intent: { tool: 'erase', justification: reason } })
  on.time.pass(7_000)
  const second = await reviewed(on, { intent: { tool: 'erase', justification: reason } })
  on.time.pass(2_500)
  const found = await numbers(on)
  expect(found.get('warrant_open_intents')).toBe(2)
  expect(found.get('warrant_reviews_open')).toBe(2)
  expect(found.get('warrant_intents_held')).toBe(0)
  expect(found.get('warrant_oldest_open_intent_age_seconds')).toBe(9.5)
  expect(found.get('warrant_log_position')).toBe(position + 8)
  expect(found.get('warrant_follower_position')).toBe(position + 8)
  expect(found.get('warrant_follower_lag_facts')).toBe(0)
  await answer(on, first)
  await verdict(on.log, first)
  await still(on)
  const later = await numbers(on)
  expect(later.get('warrant_open_intents')).toBe(1)
  expect(later.get('warrant_oldest_open_intent_age_seconds')).toBe(2.5)
  // It was opened nine and a half seconds before, by the time of the log.
  expect(later.get('warrant_decision_seconds_sum')).toBe(9.5)
  await answer(on, second)
  await verdict(on.log, second)
})

test('a job that fails is a retry, and one that is set aside a fault', async () => {
  const breakage: Breakage = { error: new Error('it fails'), tries: 0 }
  const on = await watched({ stages: [breaking(grounding, breakage), policy] })
  await say(on.log, { intent: { tool: 'look' } })
  const { position } = await on.log.head()
  await passed(on, faultOf(on, 'grounding', position))
  await still(on)
  const found = await numbers(on)
  expect(found.get('warrant_job_retries_total{stage="grounding"}')).toBe(4)
  expect(found.get('warrant_faults_total{stage="grounding"}')).toBe(1)
  expect(found.get('warrant_jobs_done_total{stage="grounding"}')).toBe(0)
  expect(found.get('warrant_appends_total{kind="fault",result="appended"}')).toBe(1)
})

test('facts that count for nothing are counted by their kind, whatever they call it', async () => {
  const on = await watched()
  for (const name of ['main.1.graph.x', 'main.1.plan.a', 'main.1.plan.b', 'main.1.graph.0']) {
    await on.log.append({ name, bytes: Buffer.from('junk') })
  }
  const victim = await say(on.log, { intent: { tool: 'look' }, ulid: 'victim' })
  await bound(on.log, `main.1.verdict.${victim}`)
  await on.log.append({ name: 'main.1.verdict.bot.-.other', bytes: Buffer.from('junk') })
  await still(on)
  const found = await numbers(on)
  expect(found.get('warrant_void_facts_total{kind="graph"}')).toBe(2)
  expect(found.get('warrant_void_facts_total{kind="unknown"}')).toBe(2)
  expect(found.get('warrant_verdicts_total{decision="unreadable",reason="none"}')).toBe(1)
  expect(found.get('warrant_decision_seconds_count')).toBe(1)
})

test('a log that does not answer leaves out what only it knows', async () => {
  let isOut = false
  const wrap = (log: Log): Log => ({
    ...failingLog(log, {}),
    head: async () => {
      if (isOut) throw new Fault('log_unreachable', 'no one answers')
      return log.head()
    },
  })
  const on = await watched({ wrap })
  expect((await numbers(on)).has('warrant_log_position')).toBe(true)
  isOut = true
  const found = await numbers(on)
  expect(found.has('warrant_log_position')).toBe(false)
  expect(found.has('warrant_follower_lag_facts')).toBe(false)
  expect(found.get('warrant_follower_position')).toBeGreaterThan(0)
  isOut = false
  expect((await numbers(on)).has('warrant_log_position')).toBe(true)
})

test('what waits for learning is counted apart from what waits for people', async () => {
  const on = await watched(learnable)
  await say(on.log, { intent: { tool: 'look', concepts: ['moon', 'sun'], onGap: 'learn' } })
  await proposals(on, 2)
  const found = await numbers(on)
  expect(found.get('warrant_intents_held')).toBe(1)
  expect(found.get('warrant_proposals_open')).toBe(2)
  expect(found.get('warrant_reviews_open')).toBe(0)
})

test('nothing of an intent or of anyone who asks is in any label', async () => {
  const on = await watched()
  const secret = 'kanarienvogel'
  await judged(on, {
    as: secret,
    session: secret,
    ulid: secret,
    intent: { tool: secret, args: { secret } },
    message: { content: secret, _extras: { traceparent: secret } },
  })
  await on.log.append({ name: `main.1.${secret}.x`, bytes: Buffer.from(secret) })
  await still(on)
  expect(await on.metrics.text()).not.toContain(secret)
})

test('anyone an observer and throws changes nothing of the work', async () => {
  const thrown = { begun: 0, over: 0, appended: 0 }
  const fail = (what: keyof typeof thrown): never => {
    thrown[what] += 1
    throw new Error('observing failed')
  }
  const careless = {
    jobBegun: () => () => fail('over'),
    appended: () => fail('appended'),
  }
  const worse = { jobBegun: () => fail('begun'), appended: () => undefined }
  const metrics = newMetrics()
  const parts = { observe: [() => worse, () => careless, metrics.observe] }
  const on = { ...(await scene({ ...setup, parts })), metrics }
  expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
  await still(on)
  // The message and its grounding; and learning looks at the graph that the scene began with.
  expect(thrown).toEqual({ begun: 3, over: 3, appended: 3 })
  expect((await numbers(on)).get('warrant_jobs_done_total{stage="policy"}')).toBe(1)
  await expectReplay(on)
})
