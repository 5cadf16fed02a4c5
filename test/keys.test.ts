// Local keys: where they are kept, who signs, and that no private half gets out.
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPolicyAdmin, findSigner, keysFolder, listKeys, newKey, readKey } from '#runtime/keys'
import { isSignedBy, publicKeyOf, signData } from '#core/signature'
import { Principal } from '#schemas/catalog'
import { temporaryFolder } from './temporary-folder.ts'

const nobody = { principals: new Map<string, Principal>() }
const catalogOf = (...principals: Partial<Principal>[]) => ({
  principals: new Map(principals.map((one) => [one.id ?? '', Principal.parse(one)])),
})

describe('a new key', () => {
  test('signs, and its public half verifies', async () => {
    const key = await newKey(await temporaryFolder(), 'olga')
    const signature = signData({ log: null, name: 'a.1.b.c' }, { x: 1 }, key.privateKey)
    expect(isSignedBy([key.publicKey], { log: null, name: 'a.1.b.c' }, { x: 1 }, signature)).toBe(
      true,
    )
    expect(isSignedBy([key.publicKey], { log: null, name: 'a.1.b.d' }, { x: 1 }, signature)).toBe(
      false,
    )
  })

  test('is a file of its owner alone, in such a folder, and git leaves it out', async () => {
    const folder = await temporaryFolder()
    await mkdir(keysFolder(folder))
    await chmod(keysFolder(folder), 0o755)
    const { file } = await newKey(folder, 'olga')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(keysFolder(folder))).mode & 0o777).toBe(0o700)
    expect(await readFile(join(keysFolder(folder), '.gitignore'), 'utf8')).toBe('*\n')
  })

  test('never replaces one that is there', async () => {
    const folder = await temporaryFolder()
    const { privateKey, file } = await newKey(folder, 'olga')
    await expect(newKey(folder, 'olga')).rejects.toMatchObject({ code: 'key_exists' })
    expect(await readFile(file, 'utf8')).toBe(privateKey)
  })

  test.each(['', '.', '..', '../olga', 'a/b', 'a\\b', '-x', 'a\nb', 'x'.repeat(129)])(
    'is not named %j',
    async (name) => {
      const made = newKey(await temporaryFolder(), name)
      await expect(made).rejects.toMatchObject({ code: 'key_name_invalid' })
    },
  )

  test.each(['olga', 'olga@example.com', 'x'.repeat(128)])('may be named %j', async (name) => {
    expect(await newKey(await temporaryFolder(), name)).toMatchObject({ name })
  })
})

describe('a key file', () => {
  test('that holds no such key is refused without repeating what is in it', async () => {
    const file = join(await temporaryFolder(), 'secret.pem')
    await writeFile(file, 'hunter2')
    const read = readKey(file)
    await expect(read).rejects.toMatchObject({ code: 'key_invalid' })
    await expect(read).rejects.not.toThrow('hunter2')
    await expect(readKey(`${file}.no`)).rejects.toMatchObject({ code: 'key_unreadable' })
  })

  test('is listed by its name, and other files are not', async () => {
    const folder = await temporaryFolder()
    expect(await listKeys(folder)).toEqual([])
    expect(await listKeys(null)).toEqual([])
    await newKey(folder, 'b')
    await newKey(folder, 'a')
    await writeFile(join(keysFolder(folder), 'notes.txt'), 'x')
    expect((await listKeys(folder)).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('who signs', () => {
  test('is nobody where no key is', async () => {
    const found = findSigner({ folder: await temporaryFolder(), catalog: nobody })
    await expect(found).rejects.toMatchObject({ code: 'key_missing' })
  })

  test('is the only key, whatever its name', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'olga')
    expect(await findSigner({ folder, catalog: nobody })).toMatchObject({ id: 'olga' })
  })

  test('is `you` among several, and nobody among several others', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'olga')
    await newKey(folder, 'piet')
    const found = findSigner({ folder, catalog: nobody })
    await expect(found).rejects.toThrow('`olga`, `piet`: say --as which')
    await newKey(folder, 'you')
    expect(await findSigner({ folder, catalog: nobody })).toMatchObject({ id: 'you' })
  })

  test('is whom the catalog binds the key to, before the name of its file', async () => {
    const folder = await temporaryFolder()
    const { publicKey } = await newKey(folder, 'laptop')
    const catalog = catalogOf({ id: 'olga', keys: [publicKey] })
    expect(await findSigner({ folder, catalog })).toMatchObject({ id: 'olga' })
    expect(await findSigner({ folder, catalog, as: 'olga' })).toMatchObject({ id: 'olga' })
    const piet = findSigner({ folder, catalog, as: 'piet' })
    await expect(piet).rejects.toMatchObject({ code: 'key_missing' })
  })

  test('is the key file that was given, as whom it was said', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'you')
    const { file, publicKey } = await newKey(await temporaryFolder(), 'olga')
    const choice = { folder, catalog: nobody, keyFile: file }
    expect(await findSigner(choice)).toMatchObject({ id: 'olga', publicKey })
    expect(await findSigner({ ...choice, as: 'piet' })).toMatchObject({ id: 'piet', publicKey })
  })
})

describe('a policy admin', () => {
  const policyAdmin = { id: 'root', roles: ['policy-admin'] }

  test('is found among the local keys', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'you')
    const { publicKey } = await newKey(folder, 'ops')
    const catalog = catalogOf({ ...policyAdmin, keys: [publicKey] })
    expect(await findPolicyAdmin({ folder, catalog })).toMatchObject({ id: 'root', publicKey })
  })

  test('is nobody whose key the catalog does not bind, or who is suspended', async () => {
    const folder = await temporaryFolder()
    const { publicKey, privateKey } = await newKey(folder, 'root')
    expect(publicKey).toBe(publicKeyOf(privateKey))
    for (const principal of [
      policyAdmin,
      { ...policyAdmin, keys: [publicKey], suspended: true },
      { id: 'root', keys: [publicKey] },
    ]) {
      const catalog = catalogOf(principal)
      for (const as of [undefined, 'root']) {
        const found = findPolicyAdmin({ folder, catalog, as })
        await expect(found).rejects.toMatchObject({ code: 'no_policy_admin' })
      }
    }
  })
})
