// Where people are reached: a file for its owner alone, of which what is erased is gone.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  addTarget,
  changeReach,
  eraseReach,
  reachBook,
  reachEntries,
  removeTargets,
  setReach,
} from '#outreach/reach-store'
import { temporaryFolder } from '../support/temporary-folder.ts'

const mail = (address: string) => ({ channel: 'mail' as const, address })
const newFile = async () => join(await temporaryFolder(), 'reach.ndjson')

test('what is erased is no longer in the file, and only its owner may read it', async () => {
  const file = await newFile()
  await setReach(file, { person: 'ann', targets: [mail('ann@example.org')] })
  await setReach(file, { person: 'ben', targets: [mail('ben@example.org')] })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await eraseReach(file, 'ann')).toBe(true)
  expect(await eraseReach(file, 'ann')).toBe(false)
  expect(await readFile(file, 'utf8')).not.toContain('ann@')
  expect(reachEntries(file).map(({ person }) => person)).toEqual(['ben'])
})

test('a file that others may read is refused, and so is a line that is not one of a person', async () => {
  const file = await newFile()
  await setReach(file, { person: 'ann', targets: [] })
  await chmod(file, 0o640)
  expect(() => reachEntries(file)).toThrow('chmod 600')
  await chmod(file, 0o600)
  await writeFile(file, '{"person":"ann","targets":[{"channel":"mail","address":"secret"}]}\n')
  expect(() => reachEntries(file)).toThrow('line 1 is not one of a person')
  expect(() => reachEntries(file)).not.toThrow('secret')
})

test.each([
  ['a header in an address', { targets: [mail('ann@example.org\r\nBcc: eve@evil.example')] }],
  ['two addresses in one', { targets: [mail('ann@example.org, eve@evil.example')] }],
  [
    'an address as a secret',
    { targets: [{ channel: 'slack', secret: 'https://hooks.slack.com/x' }] },
  ],
  ['a zone of nowhere', { targets: [], quiet: { from: '22:00', to: '07:00', zone: 'Mars/Base' } }],
  ['an hour that is not one', { targets: [], quiet: { from: '24:00', to: '07:00', zone: 'UTC' } }],
  ['a file as an url', { targets: [{ channel: 'push', url: 'file:///etc/passwd', keys: {} }] }],
])('%s is refused', async (_what, given) => {
  const file = await newFile()
  await expect(setReach(file, { person: 'ann', ...given })).rejects.toMatchObject({
    code: 'reach_invalid',
  })
  expect(reachEntries(file)).toEqual([])
})

test('changes at once lose none of each other, and the same subscription is there once', async () => {
  const file = await newFile()
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const push = (n: number) => ({
    channel: 'push' as const,
    url: `https://fcm.googleapis.com/${n}`,
    keys,
  })
  await Promise.all([1, 2, 3, 1].map((n) => addTarget(file, 'ann', push(n))))
  await Promise.all(['a', 'b'].map((name) => changeReach(file, name, (before) => before)))
  expect(reachEntries(file).map(({ person, targets }) => [person, targets.length])).toEqual([
    ['a', 0],
    ['ann', 3],
    ['b', 0],
  ])
  expect(
    await removeTargets(file, 'ann', (one) => one.channel === 'push' && one.url.endsWith('/2')),
  ).toBe(true)
  expect(reachEntries(file)[1]?.targets).toHaveLength(2)
})

test('a book has what the file has now', async () => {
  const file = await newFile()
  const book = reachBook(file)
  expect(book.find('ann')).toBeNull()
  const before = book.mark()
  await setReach(file, { person: 'ann', targets: [mail('ann@example.org')] })
  expect(book.mark()).not.toBe(before)
  expect(book.find('ann')?.targets).toEqual([mail('ann@example.org')])
  await eraseReach(file, 'ann')
  expect(book.find('ann')).toBeNull()
})
