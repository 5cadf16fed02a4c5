// Log lines: anyone who reads one about a job knows which intent, stage and fact it is about, and
// no one finds a secret in any of them.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { logger } from '#runtime/reporting/logger'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { grounding } from '#workers/grounding/decider'
import { policy } from '#workers/policy/decider'
import { stages } from '#workers/stages'
import { breaking, failingLog, faultOf, passed, type Breakage } from '../support/faulty-log.ts'
import { judged, look, say, scene } from '../support/scene.ts'

const canary = 'kanarienvogel'

function received() {
  const lines: Record<string, unknown>[] = []
  const to = logger('debug', { write: (line) => lines.push(JSON.parse(line)) })
  return { lines, to }
}

test('every line about a job names its intent, its stage and its position', async () => {
  const { lines, to } = received()
  let outages = 2
  const append = (): Fault | null => {
    outages -= 1
    return outages < 0 ? null : new Fault('log_unreachable', 'no one answers')
  }
  const breakage: Breakage = { error: new Error('it fails'), tries: 0 }
  const on = await scene({ catalog: { capabilities: [look] }, stages: [] })
  const address = await say(on.log, { intent: { tool: 'look' } })
  const { position } = await on.log.head()
  const live = await scene(
    {
      ...on.setup,
      stages: [breaking(grounding, breakage), policy],
      wrap: (log) => failingLog(log, { append }),
      parts: { logger: to },
    },
    on,
  )
  await passed(live, faultOf(live, 'grounding', position))
  await live.watch.settled(live.log)
  const about = { intent: address, stage: 'grounding', position }
  const ofJob = lines.filter(({ stage }) => stage === 'grounding')
  const words = ofJob.map(({ msg }) => msg)
  expect(words).toEqual([
    ...Array.from({ length: 4 }, () => 'job failed'),
    'log out of reach',
    'log still out of reach',
    'job set aside',
    'log reached again',
  ])
  for (const line of ofJob.slice(0, -1)) expect(line).toMatchObject(about)
  expect(ofJob[0]).toMatchObject({ level: 40, attempt: 1, error: { message: 'it fails' } })
  expect(ofJob.at(-2)).toMatchObject({ level: 50, attempt: 5 })
})

test('a stage that has done its jobs and waits reports it, once', async () => {
  const { lines, to } = received()
  const on = await scene({ catalog: { capabilities: [look] }, parts: { logger: to } })
  const idle = () => lines.filter(({ msg }) => msg === 'caught up, waiting for jobs')
  await judged(on, { intent: { tool: 'look' } })
  await on.watch.settled(on.log)
  on.time.pass(1_999)
  expect(idle()).toEqual([])
  on.time.pass(1)
  const reported = new Set(idle().map(({ stage }) => stage))
  expect(reported).toEqual(new Set(stages.map(({ name }) => name)))
  await judged(on, { intent: { tool: 'look' } })
  await on.watch.settled(on.log)
  on.time.pass(10_000)
  expect(idle()).toHaveLength(stages.length)
})

test('what goes well is reported only to anyone who debugs', async () => {
  const { lines, to } = received()
  const on = await scene({ catalog: { capabilities: [look] }, parts: { logger: to } })
  const { intent, position } = await judged(on, { intent: { tool: 'look' } })
  await on.watch.settled(on.log)
  expect(lines.every(({ level }) => level === 20)).toBe(true)
  const bound = lines.filter(
    ({ msg, fact }) => msg === 'fact bound' && String(fact).includes('verdict'),
  )
  expect(bound).toMatchObject([{ intent, stage: 'policy', position, appended: true }])
})

test('arguments and the content of messages are in no line', async () => {
  const { lines, to } = received()
  const on = await scene({ catalog: { capabilities: [look] }, parts: { logger: to } })
  const intent = { tool: 'look', args: { canary }, goal: canary, justification: canary }
  await judged(on, { intent, message: { content: canary, _extras: { canary } } })
  await say(on.log, { bytes: `{"broken": "${canary}` })
  await on.watch.settled(on.log)
  expect(lines.length).toBeGreaterThan(4)
  expect(JSON.stringify(lines)).not.toContain(canary)
})

test('an error is reported by its code, its words and its causes, without what hangs on to it', () => {
  const { lines, to } = received()
  const cause = Object.assign(new Error(`connect nats://user:${canary}@host:4222/x`), {
    options: { password: canary },
  })
  to.warn({ error: new Fault('log_unreachable', 'no log', { cause }) }, 'reported')
  to.warn({ error: canary }, 'reported')
  const endless = new Error('endless')
  endless.cause = endless
  to.warn({ error: endless }, 'reported')
  expect(JSON.stringify(lines)).not.toContain(canary)
  expect(lines[0]?.['error']).toMatchObject({
    code: 'log_unreachable',
    retry: 'soon',
    message: 'no log',
    cause: { name: 'Error', message: 'connect nats://host:4222/x', stack: expect.any(String) },
  })
  expect(JSON.stringify(lines[2]).match(/endless/g)).toHaveLength(5)
})

test.each([
  ['nats://user:pass@host:1', 'nats://host:1'],
  ['nats://token@host', 'nats://host'],
  ['nats://user:p@ss@host', 'nats://host'],
  ['a nats://u:p@h and tls://u:p@h/x@y', 'a nats://h and tls://h/x@y'],
  ['nats://host:1/a@b', 'nats://host:1/a@b'],
  ['ann@example.com', 'ann@example.com'],
  ['/var/log@x.db', '/var/log@x.db'],
])('`%s` is reported as `%s`', (text, reported) => {
  expect(withoutSecrets(text)).toBe(reported)
})
