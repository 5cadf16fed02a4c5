// What a process answers to anyone who looks after it: whether it lives, whether it keeps up, and
// nothing else.
import { request } from 'node:http'
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { Fault } from '#record/fault'
import type { Log } from '#ports/log'
import type { FaultCode } from '#schemas/faults/registry'
import { listenHealth, type Health } from '#health/health'
import { newMetrics } from '#health/metrics'
import { listenOf } from '#cli/terminal/opening/listen'
import { grounding } from '#workers/grounding/decider'
import { learning } from '#workers/learning/worker'
import { stages as allStages } from '#workers/stages'
import { failingLog, passed } from '../support/faulty-log.ts'
import { moduleCallbacks } from '../support/runtime.ts'
import { judged, look, scene, type Scene, type SceneSetup } from '../support/scene.ts'
import { logOf } from '../support/wrapped-log.ts'

const local = { host: '127.0.0.1', port: 0 }
const setup: SceneSetup = { catalog: { capabilities: [look] } }

const open: Health[] = []

afterEach(async () => {
  for (const health of open.splice(0)) await health.close()
})

async function listening(): Promise<Health> {
  const health = await listenHealth(local, newMetrics())
  open.push(health)
  return health
}

async function serving(more: SceneSetup = {}): Promise<{ on: Scene; health: Health }> {
  const metrics = newMetrics()
  const health = await listenHealth(local, metrics)
  open.push(health)
  const observe = [metrics.observe, health.observe]
  const on = await scene({ ...setup, ...more, parts: { observe } })
  health.serve(on.runtime)
  return { on, health }
}

async function get(health: Health, path: string, method = 'GET') {
  const response = await fetch(`${health.url}${path}`, { method })
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

async function checks(health: Health, path = '/readyz'): Promise<unknown> {
  const { status, text } = await get(health, path)
  const { problems = [] } = JSON.parse(text)
  return [status, problems.map(({ check }: { check: string }) => check)]
}

test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])(
  '%s is refused',
  async (method) => {
    const { status, headers } = await get(await listening(), '/healthz', method)
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
  },
)

test.each([
  '/',
  '/metrics/',
  '/healthz/x',
  '//metrics',
  '/%6detrics',
  '/../metrics2',
  '/?/healthz',
])('nothing is at %s', async (path) => {
  expect((await get(await listening(), path)).status).toBe(404)
})

test('a process that still folds the log lives, and is not ready', async () => {
  const health = await listening()
  expect(await checks(health, '/healthz')).toEqual([200, []])
  expect(await checks(health)).toEqual([503, ['running']])
  expect((await get(health, '/metrics')).text).toContain('process_cpu_seconds_total')
})

test('one that has folded it is ready, and shows its metrics as Prometheus reads them', async () => {
  const { on, health } = await serving()
  await judged(on, { intent: { tool: 'look' } })
  await on.runtime.follower.reached((await on.log.head()).position)
  const { status, text } = await get(health, '/readyz?probe=1')
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ ready: true, lag: 0 })
  const metrics = await get(health, '/metrics')
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(metrics.text).toContain('warrant_verdicts_total{decision="allow",reason="none"} 1\n')
})

test('one that drains is not ready from that moment on, and lives', async () => {
  const { health } = await serving()
  expect(await checks(health)).toEqual([200, []])
  health.drain()
  expect(await checks(health)).toEqual([503, ['running']])
  expect(await checks(health, '/healthz')).toEqual([200, []])
})

test('one whose log answers with a fault, or a second too late, is not ready', async () => {
  let answer: 'soon' | 'never' | 'fault' = 'soon'
  let asked = 0
  const wrap = (log: Log): Log => ({
    ...logOf(log),
    head: async () => {
      asked += 1
      if (answer === 'fault') throw new Fault('log_unreachable', 'no one answers')
      return answer === 'soon' ? log.head() : new Promise(() => undefined)
    },
  })
  const { on, health } = await serving({ wrap })
  expect(await checks(health)).toEqual([200, []])
  answer = 'fault'
  expect(await checks(health)).toEqual([503, ['log']])
  answer = 'never'
  asked = 0
  const late = checks(health)
  const again = checks(health)
  // The last millisecond in which it may answer, and the next one.
  for (let waits = 0; waits < 50; waits += 1) await new Promise(setImmediate)
  on.time.pass(999)
  on.time.pass(1)
  expect(await Promise.all([late, again])).toEqual([
    [503, ['log']],
    [503, ['log']],
  ])
  expect(asked).toBe(1)
  expect(await checks(health, '/healthz')).toEqual([200, []])
})

test('one whose appends the log refuses is not ready until the log takes something again', async () => {
  let isFull = false
  const full = () => new Fault('log_refused', 'no space (10023)', { retry: 'soon' })
  const append = (name: string) => (isFull && !name.includes('.vlp.') ? full() : null)
  const wrap = (log: Log): Log => failingLog(log, { append })
  const { on, health } = await serving({ wrap })
  isFull = true
  const judging = judged(on, { intent: { tool: 'look' } })
  await vi.waitUntil(async () => String(await checks(health)) === '503,log')
  expect(await checks(health)).toEqual([503, ['log']])
  expect(await checks(health, '/healthz')).toEqual([200, []])
  isFull = false
  await passed(on, judging)
  expect(await checks(health)).toEqual([200, []])
})

test('one that idles is ready again when the log has taken a fact of another', async () => {
  let more = 0
  const wrap = (log: Log): Log => ({
    ...failingLog(log, {}),
    head: async () => {
      const head = await log.head()
      return { ...head, position: head.position + more }
    },
  })
  const { on, health } = await serving({ wrap })
  const { log, follower, clock, timer, logger, place } = on.runtime
  const observer = health.observe({ log, follower, clock, timer, logger, place })
  const fails = (code: FaultCode, retry: 'soon' | 'never') =>
    observer.appended('verdict', 'failed', new Fault(code, 'no', { retry }))
  fails('entry_invalid', 'never')
  fails('era_sealed', 'soon')
  expect(await checks(health)).toEqual([200, []])
  fails('log_unreachable', 'soon')
  expect([await checks(health), await checks(health)]).toEqual([
    [503, ['log']],
    [503, ['log']],
  ])
  more = 1
  expect(await checks(health)).toEqual([200, []])
})

test.each([
  { runs: 'that decide', stages: allStages, found: [503, ['callbacks']] },
  { runs: 'that call no callbacks', stages: [grounding, learning], found: [200, []] },
])('without the pinned module, one with stages $runs gets $found', async ({ stages, found }) => {
  const metrics = newMetrics()
  const health = await listenHealth(local, metrics)
  open.push(health)
  const callbacks = moduleCallbacks(undefined)
  const on = await scene({ ...setup, module: 'export const a = 1', stages, parts: { callbacks } })
  health.serve(on.runtime)
  expect(await checks(health)).toEqual(found)
})

test('one whose clock the log refuses is not ready, and reports how far servers are off', async () => {
  let server = 0
  const wrap = (log: Log): Log => ({
    ...failingLog(log, {}),
    head: async () => ({ ...(await log.head()), ...(server > 0 && { now: server }) }),
  })
  const { on, health } = await serving({ wrap })
  const { now } = on.time
  on.time.now = now - 5_000
  expect(await checks(health)).toEqual([200, []])
  on.time.now = now - 5_001
  expect(await checks(health)).toEqual([503, ['clock']])
  server = now + 1_000
  expect(await checks(health)).toEqual([200, []])
  expect(JSON.parse((await get(health, '/readyz')).text)).toMatchObject({ clockMs: 6_001 })
})

test.each([
  { lag: 1_000, found: [200, []] },
  { lag: 1_001, found: [503, ['lag']] },
])('one that is $lag facts behind gets $found', async ({ lag, found }) => {
  let more = 0
  const wrap = (log: Log): Log => ({
    ...failingLog(log, {}),
    head: async () => {
      const head = await log.head()
      return { ...head, position: head.position + more }
    },
  })
  const { health } = await serving({ wrap })
  more = lag
  expect(await checks(health)).toEqual(found)
})

test('one that cannot follow the log any more neither lives nor is ready', async () => {
  let fail = (_error: Error): void => undefined
  const wrap = (log: Log): Log => ({
    ...failingLog(log, {}),
    async *follow(from, signal) {
      const failed = new Promise<never>((_, reject) => {
        fail = reject
      })
      for await (const fact of log.follow(from, signal)) {
        yield fact
        await Promise.race([failed, Promise.resolve()])
      }
    },
  })
  const { on, health } = await serving({ wrap })
  fail(new Error('torn'))
  await on.log.append({ name: 'main.1.vlp.bot.-.x1', bytes: Buffer.from('{}') })
  expect((await on.runtime.follower.failed).code).toBe('follower_failed')
  expect(await checks(health, '/healthz')).toEqual([503, ['follower']])
  expect(await checks(health)).toEqual([503, ['follower']])
})

test('a body is never read, and a connection that is silent holds no one up', async () => {
  const health = await listening()
  const { port } = new URL(health.url)
  const silent = connect(Number(port), '127.0.0.1')
  await once(silent, 'connect')
  const headers = { 'content-length': 100_000 }
  const sent = request(`${health.url}/healthz`, { method: 'GET', headers })
  const answered = once(sent, 'response')
  sent.end('x'.repeat(100_000))
  const [response] = await answered
  expect(response.statusCode).toBe(200)
  response.resume()
  await health.close()
  open.splice(0)
  if (!silent.closed) await once(silent, 'close')
})

test('a probe that names no host is answered', async () => {
  const { port } = new URL((await listening()).url)
  const probe = connect(Number(port), '127.0.0.1', () => probe.end('GET /healthz HTTP/1.0\r\n\r\n'))
  let got = ''
  probe.on('data', (chunk: Buffer) => (got += chunk.toString()))
  await once(probe, 'close')
  expect(got).toMatch(/^HTTP\/1\.1 200 .*"healthy":true/s)
})

test('a place that is taken is a fault', async () => {
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const refused = listenHealth({ host: '127.0.0.1', port }, newMetrics())
  await expect(refused).rejects.toMatchObject({ code: 'listen_failed' })
  taken.close()
})

test.each([
  ['9464', '127.0.0.1', 9464],
  [':9464', '127.0.0.1', 9464],
  ['0', '127.0.0.1', 0],
  ['0.0.0.0:65535', '0.0.0.0', 65_535],
  ['[::1]:80', '::1', 80],
  ['localhost:1', 'localhost', 1],
])('%s listens at %s, port %i', (text, host, port) => {
  expect(listenOf(text)).toEqual({ host, port })
})

test.each(['', 'x', '65536', '1:2:3', 'host:', '::1:80', '-1', '1e3', 'http://x:1', ' 1'])(
  '`%s` is no place to listen at',
  (text) => {
    expect(listenOf(text)).toBeNull()
  },
)
