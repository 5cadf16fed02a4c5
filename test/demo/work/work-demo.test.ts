// The work demo by the real command line: every row comes out as its data says, and its log is
// derived again to the byte.
import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isApart } from '../../support/adapters/namespaces.ts'
import { commandOf } from '../../support/cli-process.ts'
import { environmentFor, run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isFull } from '../../support/vitest/counts.ts'
import { readWorkers, workOperation, type WorkRow } from '#cli/demo/work/piece'
import { findPrograms } from '#cli/demo/work/test-programs'

describe('played', () => {
  let cwd = ''
  let played: Awaited<ReturnType<typeof run>>

  beforeAll(async () => {
    cwd = await temporaryFolder()
    played = await run(['demo', '--seed', 'work', '--json'], { cwd })
  })

  test('all that can be verified here comes out as expected', async () => {
    expect(played.code).toBe(0)
    const { rows, reinstated, ...counts } = JSON.parse(played.stdout)
    const { commands } = await findPrograms()
    const without = commands.has('python3') ? 0 : 1
    expect(counts).toEqual({
      isolation: isApart ? 'namespaces' : 'process',
      played: 20 - without,
      asExpected: 21 - without,
      different: 0,
    })
    const unseen = rows.filter(({ seen }: WorkRow) => seen === null)
    expect(unseen).toHaveLength(without)
    expect(reinstated).toMatchObject([{ agent: 'cheat-tests', seen: { level: 'strict' } }])
  })

  test('its log is derived again to the byte, and has the second report as void', async () => {
    const [folder = ''] = await readdir(join(cwd, '.warrant'))
    const log = join(cwd, '.warrant', folder, 'log.db')
    const replayed = await run(['--log', log, 'replay', '--json'], { cwd })
    expect(JSON.parse(replayed.stdout)).toMatchObject({ differences: 0, open: 0 })
    const voids = await run(['--log', log, 'log', '--void', '--json'], { cwd })
    const lines = voids.stdout.trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('.vlp.cheat-twice.')
  })
})

// The root of a container without other users can set nothing apart.
test.runIf(isApart && isFull)(
  'without namespaces it runs processes, and reports that',
  async () => {
    const cwd = await temporaryFolder()
    const words = ['--user', '--map-root-user', ...commandOf(['demo', '--seed', 'work'])]
    const env = environmentFor({ cwd })
    const { status, stdout } = spawnSync('unshare', words, { cwd, env, encoding: 'utf8' })
    expect(stdout).toContain('no namespaces here')
    expect(stdout).toMatch(/\b2([01]) of 2\1 rows as expected/)
    expect(status).toBe(0)
  },
)

test.each([
  ['--data', ['--data', 'recording']],
  ['--gateway', ['--gateway']],
  ['--console', ['--console']],
])('%s is refused, and nothing is played', async (_, options) => {
  const cwd = await temporaryFolder()
  const refused = await run(['demo', '--seed', 'work', ...options], { cwd })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  await expect(readdir(join(cwd, '.warrant'))).rejects.toThrow('ENOENT')
})

test('processes are allowed by the demo’s own catalog, where there are no namespaces', async () => {
  const workers = await readWorkers('seeds/work')
  const workshop = { folderOf: (agent: string) => `/shop/${agent}` }
  const settings = (isolation: 'namespaces' | 'process') => {
    const programs = { isolation, readable: ['/opt/node/bin'] }
    return workOperation({ issuers: ['p'] }, { workers, workshop, programs })
  }
  expect(settings('process')).toMatchObject({
    key: 'work',
    value: { issuers: ['p'], isolation: 'process' },
  })
  expect(settings('namespaces')).toHaveProperty('value.workspaces[0]', {
    id: 'honest',
    folder: '/shop/honest',
    readable: ['/opt/node/bin'],
  })
  expect(settings('namespaces')).not.toHaveProperty('value.isolation')
})
