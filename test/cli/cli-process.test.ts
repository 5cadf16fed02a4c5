// The command line as a process: its exit codes and errors, streams that end, stages that run
// apart, people who are reported, and a log that someone changed.
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { writeEvent } from '#record/event'
import { beginKnowing } from '../support/samples/known-tool.ts'
import { ended, runChild, says, start } from '../support/cli-process.ts'
import { run } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const primitives = [
  { name: 'email', depths: [{ level: 0 }] },
  {
    name: 'send',
    depths: [{ level: 0, relata: [{ type: 'APPLIES_TO', target: 'email', targetDepth: 0 }] }],
  },
]
const asking = ['ask', 'send_email', '--arg', 'to=ann@example.com']
const reason = 'Ann asked for her invoice'
const secret = randomBytes(32)

async function begun(): Promise<string> {
  const cwd = await temporaryFolder()
  const made = await beginKnowing({ cwd })
  expect(made.code).toBe(0)
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0 })
  return cwd
}

let shared = ''
beforeAll(async () => {
  shared = await begun()
})

describe('what cannot be done', () => {
  test('is reported in one line, and makes no log', async () => {
    const cwd = await temporaryFolder()
    const none = /^warrant: no log here: run 'warrant init' or give --log\n$/
    const log = await runChild(['log'], { cwd })
    const ask = await run(asking, { cwd })
    const json = await run(['graph', 'show', '--json'], { cwd })
    const given = await run(['trace', 'x', '--log', 'other.db'], { cwd })
    for (const { code, stderr } of [log, ask]) expect([code, none.test(stderr)]).toEqual([1, true])
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'no_log' } })
    expect(given.stderr).toMatch(/^warrant: no log at `.*other\.db`: /)
    expect(existsSync(join(cwd, '.warrant'))).toBe(false)
  })

  test('is usage where the words are wrong, and names them', async () => {
    const cwd = shared
    const wrong = [
      ['asks', 'x'],
      ['ask'],
      ['ask', 'x', '--min-depth', '5'],
      ['ask', 'x', '--args', '[1]'],
      ['log', '--name', 'verdict.*x'],
      ['up', 'grounding', 'polizy'],
    ]
    expect((await runChild(['asks'], { cwd })).stderr).toContain('Did you mean ask?')
    for (const args of wrong) {
      const { code, stdout, stderr } = await run(args, { cwd })
      expect(stderr).toMatch(/^warrant: [^\n]+\n$/)
      expect([code, stdout]).toEqual([2, ''])
    }
  })
})

test('stages run apart, a client leaves them to it, and Ctrl-C drains them', async () => {
  const cwd = shared
  const up = start(['up'], { cwd })
  const upEnded = ended(up)
  await says(
    up,
    'stderr',
    '"stages":["grounding","policy","confirmation","learning","verification"]',
  )
  const asked = await run([...asking, '--justification', reason, '--no-stages'], { cwd })
  expect(asked.code).toBe(0)
  up.kill('SIGINT')
  expect((await upEnded).code).toBe(0)
  const alone = await run([...asking, '--no-stages', '--wait', '0.2', '--json'], { cwd })
  expect(alone.code).toBe(4)
  const { intent, ...open } = JSON.parse(alone.stdout)
  expect(open).toMatchObject({ outcome: null, waits: { for: 'grounding' } })
  const withdrawn = await run(['withdraw', intent, '--why', 'no more', '--json'], { cwd })
  expect(withdrawn.code).toBe(0)
  expect(JSON.parse(withdrawn.stdout).reasons.map((one: { code: string }) => one.code)).toContain(
    'withdrawn',
  )
})

test('a reader who leaves ends it quietly', async () => {
  const log = start(['log', '--follow'], { cwd: shared })
  const all = ended(log)
  await says(log, 'stdout', 'catalog.1')
  log.stdout?.destroy()
  const asked = await run([...asking, '--justification', reason, '--observe'], { cwd: shared })
  expect(asked.stdout).toContain('OBSERVED ONLY')
  expect(await all).toMatchObject({ stderr: '' })
})

test('people are notified of each review, answer it, and a failing command ends nothing', async () => {
  const cwd = shared
  const script = join(cwd, 'reported.mjs')
  await writeFile(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
     const { intent, review } = JSON.parse(readFileSync(0, 'utf8'))
     const { WARRANT_INTENT, WARRANT_LOG } = process.env
     const reported = [intent, WARRANT_INTENT, WARRANT_LOG, review.terms.args]
     appendFileSync('reported.ndjson', JSON.stringify(reported) + '\\n')
     process.exit(7)`,
  )
  const follow = start(['reviews', '--follow', '--exec', `"${process.execPath}" reported.mjs`], {
    cwd,
  })
  const followEnded = ended(follow)
  const args = ['ask', 'send_email', '--arg', 'to=$(touch gone)', '--json']
  const first = JSON.parse((await run(args, { cwd })).stdout).intent
  await says(follow, 'stderr', 'the command ended with 7')
  const second = await run([...args, '--distinct'], { cwd })
  expect(second.code).toBe(4)
  await says(follow, 'stderr', JSON.parse(second.stdout).intent.slice(-8))
  follow.kill('SIGINT')
  // No one was notified, so it does not end well.
  expect((await followEnded).code).toBe(1)
  const reported = (await readFile(join(cwd, 'reported.ndjson'), 'utf8')).trim().split('\n')
  const where = join(cwd, '.warrant/log.db')
  expect(JSON.parse(reported[0] ?? '')).toEqual([first, first, where, { to: '$(touch gone)' }])
  expect(existsSync(join(cwd, 'gone'))).toBe(false)

  const bare = await run(['approve', first.slice(-8)], { cwd })
  expect(bare.code).toBe(1)
  expect(bare.stderr).toMatch(/at least 15 characters: give --note\n$/)
  const yes = await run(['approve', first.slice(-8), '--note', reason], { cwd })
  expect([yes.code, yes.stderr]).toEqual([0, ''])
  expect(yes.stdout).toContain('ALLOW  send_email for my-agent')
  const no = await run(['decline', JSON.parse(second.stdout).intent, '--json'], { cwd })
  expect(no.code).toBe(0)
  expect(JSON.parse(no.stdout)).toMatchObject({ outcome: 'deny', confirmedBy: [] })
  const late = await run(['approve', first, '--note', reason], { cwd })
  expect(late.stderr).toMatch(/too late: .* is already decided, at position \d+: .+\n$/)
})

test('a webhook gets each review, signed, until it takes it; one that fails is reported', async () => {
  const cwd = shared
  await writeFile(join(cwd, 'hook.secret'), `whsec_${secret.toString('base64')}\n`)
  const asked = JSON.parse((await run(['ask', 'send_email', '--json'], { cwd })).stdout)
  const posted: { headers: IncomingHttpHeaders; body: string; status: number }[] = []
  const statuses = [503, 204, 400]
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const status = statuses[posted.length] ?? 500
      posted.push({ headers: request.headers, body, status })
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const to = ['reviews', '--webhook', `http://127.0.0.1:${port}/x`]
  const args = [...to, '--webhook-secret', 'hook.secret']
  expect(await run(args, { cwd })).toMatchObject({ code: 0, stderr: '' })
  const failed = await run(args, { cwd })
  server.close()
  expect([failed.code, failed.stderr]).toEqual([
    1,
    `warrant: webhook failed for review ${asked.intent.slice(-8)}: it answered 400\n`,
  ])
  expect(posted.map(({ status }) => status)).toEqual(statuses)
  expect(posted.map(({ body }) => JSON.parse(body).intent)).toEqual(
    statuses.map(() => asked.intent),
  )
  expect(new Set(posted.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const { headers, body } of posted) {
    const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
    const said = `${id}.${time}.${body}`
    const mac = createHmac('sha256', secret).update(said).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${mac}`)
  }
  const gone = await run(to, { cwd })
  expect([gone.code, gone.stderr]).toEqual([
    1,
    expect.stringMatching(/: connection refused after 5 attempts\n$/),
  ])
  await writeFile(join(cwd, 'short.secret'), 'too short\n')
  const short = await run([...to, '--webhook-secret', 'short.secret'], { cwd })
  expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('fewer than 24 bytes')])
  const wrong = await run(['reviews', '--webhook', 'file:///x'], { cwd })
  expect(wrong.code).toBe(2)
  await run(['decline', asked.intent], { cwd })
})

test('the stop button refuses, and a forged verdict does not replay', async () => {
  const cwd = await begun()
  const stopped = await run(['suspend', 'my-agent'], { cwd })
  expect(stopped.stdout).toContain('my-agent is suspended from catalog revision 2 on')
  const denied = await run([...asking, '--justification', reason, '--json'], { cwd })
  expect(denied.code).toBe(3)
  const { intent, reasons } = JSON.parse(denied.stdout)
  expect(reasons).toMatchObject([{ code: 'agent_suspended' }])

  const log = await sqliteLog(join(cwd, '.warrant/log.db'))
  const name = `main.1.hold.${intent}.1`
  const stamp = { source: 'warrant/policy/forger', time: '2026-01-01T00:00:00.000Z', basis: 3 }
  const ref = { address: intent, agent: 'my-agent', session: null }
  const data = { attempt: 1, gaps: [], grounding: 'x', intent: ref, until: stamp.time }
  await log.append({ name, bytes: writeEvent('hold', name, data, stamp) })
  await log.close()
  const replayed = await run(['replay'], { cwd })
  expect(replayed.code).toBe(5)
  expect(replayed.stdout).toContain(`${name}, does not derive, from basis 3`)
})
