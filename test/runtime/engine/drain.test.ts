// A process that is asked to stop: it takes nothing new, finishes what it has within its time,
// gives the rest back, and goes. Tried with real processes on a log in a file.
import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import type { Log } from '#ports/log'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { ended, says, start } from '../../support/cli-process.ts'
import { run } from '../../support/cli-runner.ts'
import { bound } from '../../support/scene.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isFull } from '../../support/vitest/counts.ts'

// A callback that never answers is killed after a second: so long is its job under way.
const graph = {
  primitives: [
    { name: 'email', depths: [{ level: 0 }] },
    {
      name: 'send',
      depths: [
        {
          level: 0,
          relata: [
            {
              type: 'APPLIES_TO',
              target: 'email',
              targetDepth: 0,
              policies: [{ name: 'slow', requiresConfirmation: false, callback: 'slow' }],
            },
          ],
        },
      ],
    },
  ],
}

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  expect(await beginKnowing({ cwd })).toMatchObject({ code: 0 })
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify(graph))
  await writeFile(join(cwd, 'warrant/callbacks.ts'), 'export function slow() { for (;;); }\n')
  expect(await run(['seed', 'warrant'], { cwd })).toMatchObject({ code: 0 })
})

interface Up {
  readonly child: ChildProcess
  readonly ended: ReturnType<typeof ended>
  readonly url: string
}

async function up(...args: readonly string[]): Promise<Up> {
  const child = start(['up', '--listen', '0', ...args], { cwd })
  const all = ended(child)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  await says(child, 'stderr', 'stages running')
  return { child, ended: all, url: /"listen":"([^"]+)"/.exec(said)?.[1] ?? '' }
}

/** Publishes an intent, and waits until the slow job of it is under way. */
async function begun({ url }: Up): Promise<string> {
  const args = ['send_email', '--arg', 'to=a@example.com', '--justification', 'Ann asked for it']
  const asked = await run(['ask', ...args, '--no-stages', '--wait', '0', '--json'], { cwd })
  const { intent } = JSON.parse(asked.stdout)
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    if (text.includes('warrant_jobs_in_flight{stage="policy"} 1\n')) return intent
  }
}

async function withLog<T>(use: (log: Log) => Promise<T>): Promise<T> {
  const log = await sqliteLog(join(cwd, '.warrant/log.db'))
  try {
    return await use(log)
  } finally {
    await log.close()
  }
}

/** The kinds of the facts about the intent, and of any fault. */
async function kindsOf(intent: string): Promise<readonly string[]> {
  const found: string[] = []
  await withLog(async (log) => {
    for await (const { name } of log.read({})) {
      if (name.includes(intent) || name.includes('.fault.')) found.push(name.split('.')[2] ?? '')
    }
  })
  return found
}

test('it finishes running jobs, and reports at once that it is not ready', async () => {
  const process = await up()
  const intent = await begun(process)
  expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
  process.child.kill('SIGTERM')
  await says(process.child, 'stderr', 'draining')
  const ready = await fetch(`${process.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false }])
  const { code, stderr } = await process.ended
  expect([code, stderr.includes('given back')]).toEqual([0, false])
  expect(await kindsOf(intent)).toEqual(['vlp', 'grounding', 'verdict'])
})

test.runIf(isFull)(
  'what does not end in time is given back undecided, and another process ends it',
  async () => {
    const process = await up('--drain', '0')
    const intent = await begun(process)
    process.child.kill('SIGINT')
    const { code, stderr } = await process.ended
    expect([code, stderr.includes('jobs given back')]).toEqual([0, true])
    expect(await kindsOf(intent)).toEqual(['vlp', 'grounding'])
    const next = await up()
    await withLog((log) => bound(log, `main.1.verdict.${intent}`))
    next.child.kill('SIGTERM')
    expect((await next.ended).code).toBe(0)
    expect(await kindsOf(intent)).toEqual(['vlp', 'grounding', 'verdict'])
    expect((await run(['replay'], { cwd })).code).toBe(0)
  },
)

test.runIf(isFull)('a second signal ends it at once, undecided', async () => {
  const process = await up()
  const intent = await begun(process)
  process.child.kill('SIGTERM')
  await says(process.child, 'stderr', 'draining')
  process.child.kill('SIGTERM')
  expect((await process.ended).code).toBe(130)
  expect(await kindsOf(intent)).toEqual(['vlp', 'grounding'])
})

test('what cannot be listened at, or waited for, is refused before anything is opened', async () => {
  for (const args of [
    ['--listen', 'x'],
    ['--listen', '65536'],
    ['--drain', '-1'],
    ['--drain', 'soon'],
  ]) {
    expect(await run(['up', ...args], { cwd })).toMatchObject({ code: 2, stdout: '' })
  }
  const given = await run(['up'], { cwd, env: { WARRANT_LISTEN: 'x' } })
  expect(given).toMatchObject({ code: 2 })
  expect(given.stderr).toContain('WARRANT_LISTEN')
})
