// Keys of a principal: one more, one in the place of another, and one taken away, by one signed
// change each; all else of the principal stays.
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd = ''
const warrant = (...args: readonly string[]) => run(args, { cwd })

async function made(name: string): Promise<{ readonly publicKey: string; readonly keyId: string }> {
  return JSON.parse((await warrant('keys', 'new', name, '--json')).stdout)
}

async function agent(): Promise<object> {
  const { principals } = JSON.parse((await warrant('catalog', 'export')).stdout)
  return principals.find(({ id }: { readonly id: string }) => id === 'my-agent')
}

beforeAll(async () => {
  cwd = await temporaryFolder()
  await warrant('init')
})

test('are added, rotated and retired, named in any way, and the rest stays', async () => {
  const [first, second] = [await made('first'), await made('second')]
  const before = await agent()
  const added = await warrant('keys', 'add', 'my-agent', first.publicKey)
  expect(added).toMatchObject({
    code: 0,
    stdout: 'my-agent has 1 key, from catalog revision 2 on\n',
  })
  const rotating = ['keys', 'add', 'my-agent', second.publicKey, '--retire', first.keyId, '--json']
  const rotated = JSON.parse((await warrant(...rotating)).stdout)
  expect(rotated).toEqual({ id: 'my-agent', keys: [second.publicKey], revision: 3 })
  expect(await agent()).toEqual({ ...before, keys: [second.publicKey] })
  const retired = await warrant('keys', 'retire', 'my-agent', second.publicKey)
  expect(retired.stdout).toContain('my-agent has 0 keys')
  expect(await agent()).toEqual(before)
})

test.each([
  [['add', 'stranger', 'ed25519:x'], 1, 'the catalog has no principal `stranger`'],
  [['add', 'my-agent', 'ed25519:x'], 2, 'that is no public key'],
  [['retire', 'my-agent', 'ed25519:x'], 1, '`my-agent` has no key `ed25519:x`: it has none'],
])('`warrant keys %j` is refused', async (words, code, why) => {
  const ran = await warrant('keys', ...words)
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(why)])
})
