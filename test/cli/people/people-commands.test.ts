// What people say beside their answers, on the command line.
import { beforeAll, expect, test } from 'vitest'
import { run, type Ran } from '../../support/cli-runner.ts'
import { seedChanged } from '../../support/seed-changed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const always = { name: 'always', effect: 'confirm', when: 'true', confirmation: 'four' }
const pay = { id: 'pay', safetyClass: 'READ', conditions: [always] }
const four = {
  id: 'four',
  tier: 'four_eyes',
  group: 'people',
  sessionless: true,
  deputies: true,
  reason: 'decline',
}

const warrant = (...args: readonly string[]): Promise<Ran> => run(args, { cwd })

let cwd = ''
let intent = ''
beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
  await seedChanged(cwd, async (catalog) => {
    for (const id of ['ann', 'ben', 'cas']) {
      const made = await warrant('keys', 'new', id)
      const key = /ed25519:[\w-]{43}/.exec(made.stdout)?.[0]
      catalog.principals.push({ id, keys: [key] })
    }
    catalog.capabilities.push(pay)
    catalog.confirmations = [four]
    catalog.groups = [{ id: 'people', members: ['ann', 'ben'] }]
  })
  const { stdout } = await warrant('ask', 'pay', '--wait', '1')
  intent = /my-agent\.-\.\w+/.exec(stdout)?.[0] ?? ''
})

test('a review is handed over, and shows to whom and what it demands', async () => {
  expect(await warrant('hand-over', intent, '--to', 'cas', '--as', 'ann')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('`cas` may not answer this review'),
  })
  expect(await warrant('hand-over', intent, '--to', 'ben', '--as', 'ann')).toMatchObject({
    code: 0,
  })
  const { stdout } = await warrant('reviews')
  expect(stdout).toContain('ann asks ben to look')
  expect(stdout).toContain('a reason to decline; deputies may answer')
})

test('a note is bound about an intent or a position, and about one of them', async () => {
  expect((await warrant('note', 'looked at', '--as', 'ann')).code).toBe(2)
  expect((await warrant('note', 'looked at', '--intent', intent, '--as', 'ann')).code).toBe(0)
  expect((await warrant('note', 'here', '--position', '1', '--as', 'cas')).code).toBe(0)
  const { stdout } = await warrant('log')
  expect(stdout).toContain(`notes on the intent ${intent}: looked at`)
  expect(stdout).toContain('notes on position 1: here')
  const story = (await warrant('trace', intent)).stdout
  expect(story).toMatch(/`ann` notes on it\n +“looked at”/)
  expect(story).not.toContain('here')
})

test('who is away is answered for by the deputy, and for no longer', async () => {
  expect((await warrant('absence', '--deputy', 'cas', '--as', 'ann')).code).toBe(2)
  expect((await warrant('absence', '--deputy', 'cas', '--for', '2d', '--as', 'ann')).code).toBe(0)
  expect((await warrant('absence', '--back', '--as', 'ann')).code).toBe(0)
  const early = await warrant('approve', intent, '--as', 'cas', '--in-place-of', 'ann')
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('not the deputy of ann') })
  expect((await warrant('absence', '--deputy', 'cas', '--for', '2d', '--as', 'ann')).code).toBe(0)
  const answered = await warrant('approve', intent, '--as', 'cas', '--in-place-of', 'ann')
  expect(answered).toMatchObject({ code: 0 })
  expect((await warrant('trace', intent)).stdout).toContain('`cas` for `ann` agrees')
})
