// What the policy wizard does to the folder's graph: the policy comes to its edge, and all that
// people wrote stays; what would not be in the log as the file says it is refused.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { policyFolder } from './policy-folder.ts'

let begun = ''
let cwd = ''

beforeAll(async () => {
  begun = await policyFolder()
})

beforeEach(async () => {
  cwd = await temporaryFolder()
  // All of a closed log is in its one file; the others may vanish meanwhile.
  await cp(begun, cwd, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) })
})

const edge = ['--source', 'send', '--target', 'email']
const graphFile = () => readFile(join(cwd, 'warrant/graph.json'), 'utf8')
const wizard = (...flags: readonly string[]) => run(['policy', 'wizard', ...flags], { cwd })
const codeOf = ({ stdout }: Ran): unknown => JSON.parse(stdout.split('\n').at(-2) ?? '').error?.code

test('the file keeps all that people wrote, and says of the policy only what was given', async () => {
  const before = JSON.parse(await graphFile())
  const ran = await wizard(...edge, '--name', 'one', '--note', 'since Monday', '--yes', '--json')
  expect(JSON.parse(ran.stdout)).toMatchObject({
    policy: { name: 'one', callback: null },
    written: true,
    preview: null,
    applied: { author: 'you', changes: [{ kind: 'graph' }], revisions: { graph: 3 } },
  })
  const [policed] = before.primitives.at(-1).depths[1].relata
  policed.policies = [{ name: 'one', requiresConfirmation: true }]
  expect(JSON.parse(await graphFile())).toEqual(before)
  expect((await run(['log', '--json'], { cwd })).stdout).toContain('since Monday')
})

test('what else the folder changes is shown, and applied with it', async () => {
  const graph = JSON.parse(await graphFile())
  graph.primitives.push({ name: 'moon', depths: [{ level: 0 }] })
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify(graph))
  const ran = await wizard(...edge, '--name', 'one', '--dry-run')
  expect(ran.stdout).toMatch(/warrant would change[^]*\+ moon[^]*nothing was changed/)
  await wizard(...edge, '--name', 'one', '--yes')
  expect((await run(['graph', 'show', '--json'], { cwd })).stdout).toContain('moon')
})

test('an edge that only the log has is to be pulled first, and a folder is to be there', async () => {
  const graph = JSON.parse(await graphFile())
  const primitives = graph.primitives.filter(({ name }: { name: string }) => name !== 'send')
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  const flags = [...edge, '--name', 'one', '--yes']
  const ran = await wizard(...flags)
  expect([ran.code, ran.stderr.includes('`warrant pull warrant`')]).toEqual([1, true])
  expect((await run(['pull', 'warrant', '--yes'], { cwd })).code).toBe(0)
  expect((await wizard(...flags)).code).toBe(0)
  expect(codeOf(await wizard('elsewhere', ...flags, '--json'))).toBe('seed_missing')
})

test('a policy that would be mixed with what the log has of it is refused', async () => {
  const flags = [...edge, '--name', 'one', '--yes']
  await wizard(...flags, '--trigger', 'single')
  const before = await graphFile()
  const ran = await wizard(...flags, '--replace', '--json')
  expect([codeOf(ran), await graphFile()]).toEqual(['policy_taken', before])
  expect(ran.stderr).toContain(
    'take it out of graph.json and `warrant apply warrant --prune` first',
  )
})
