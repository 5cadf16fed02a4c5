// `warrant shortlist`: what it prints for people and for programs, and that it changes nothing.
import { beforeAll, expect, test } from 'vitest'
import { beginKnowing } from '../../support/samples/known-tool.ts'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  await seedChanged(cwd, (catalog) => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      id: `cloud.vm${index}.stop`,
      safetyClass: 'WRITE',
    }))
    catalog.capabilities.push(...many, {
      id: 'bank.send_money',
      safetyClass: 'DESTRUCTIVE',
      description: 'Send money.',
      tags: ['money'],
    })
  })
})

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })
const answered = async (...args: readonly string[]) =>
  JSON.parse((await warrant('shortlist', ...args, '--json')).stdout)

test('prints the cards of a goal, and records nothing', async () => {
  const before = (await warrant('log', '--json')).stdout
  const { code, stdout } = await warrant('shortlist', 'send money to Ann')
  expect(code).toBe(0)
  expect(stdout).toMatch(/id +class +score +description\nbank\.send_money +DESTRUCTIVE +\d/)
  expect(stdout).toContain('2 of 2 that have a word of the goal')
  expect((await warrant('log', '--json')).stdout).toBe(before)
})

test('the same cards in JSON, within what was asked for', async () => {
  const { cards } = await answered('send money')
  expect(cards.map(({ id }: { readonly id: string }) => id)).toEqual([
    'bank.send_money',
    'send_email',
  ])
  expect((await answered('send money', '--max', '1')).cards).toHaveLength(1)
  expect((await answered('send money', '--budget', '10')).cards).toEqual([])
  const left = await answered('send', '--exclude', 'money', '--namespace', 'bank')
  expect(left).toMatchObject({ cards: [], matched: 2, filtered: 2 })
  expect((await answered('send', '--tag', 'money')).cards).toHaveLength(1)
})

test('the tree is walked node by node', async () => {
  const root = await answered('--browse')
  expect(root).toMatchObject({ count: 32 })
  expect(root.children.map(({ label }: { readonly label: string }) => label)).toEqual([
    'bank',
    'cloud',
    'send_email',
  ])
  const { stdout } = await warrant('shortlist', '--browse', 'cloud')
  expect(stdout).toContain('cloud: 30 tools')
  const [group] = (await answered('--browse', 'cloud')).children
  expect(group.count).toBe(20)
  expect((await answered('--browse', `cloud/${group.label}/vm0`)).children).toEqual([
    { label: 'stop', count: 1, id: 'cloud.vm0.stop' },
  ])
})

test('no goal and no such node are refused', async () => {
  expect(await warrant('shortlist')).toMatchObject({ code: 2 })
  const { code, stderr } = await warrant('shortlist', '--browse', 'nowhere')
  expect(code).toBe(1)
  expect(stderr).toContain('nowhere')
})
