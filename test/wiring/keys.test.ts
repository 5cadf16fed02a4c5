// The keys at hand: where they are kept, who signs, and that no private half gets out.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keyPlaces, keysBeside, listKeys, newKey as made, readKey } from '#runtime/keys/key-files'
import { findPolicyAdmin, findSigner, keysAtHand } from '#runtime/keys/keys'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { isSignedBy } from '#record/signature'
import { Principal } from '#schemas/catalog'
import { temporaryFolder } from '../support/temporary-folder.ts'

const newKey = (home: string, name: string) => made(home, name, null)
const places = (home: string) => keyPlaces(null, { keys: home, user: 'you' })
const at = (home: string) => keysAtHand(null, { keys: home, user: 'you' })
const empty = { principals: new Map<string, Principal>() }
const catalogOf = (...principals: Partial<Principal>[]) => ({
  principals: new Map(principals.map((one) => [one.id ?? '', Principal.parse(one)])),
})

describe('a new key', () => {
  test('signs, and its public half verifies', async () => {
    const key = await newKey(await temporaryFolder(), 'olga')
    const signature = signData({ log: null, name: 'a.1.b.c' }, { x: 1 }, key.text)
    expect(isSignedBy([key.publicKey], { log: null, name: 'a.1.b.c' }, { x: 1 }, signature)).toBe(
      true,
    )
    expect(isSignedBy([key.publicKey], { log: null, name: 'a.1.b.d' }, { x: 1 }, signature)).toBe(
      false,
    )
  })

  test('is a file of its owner alone, in such a folder', async () => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o755)
    const { file } = await newKey(folder, 'olga')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('under a passphrase is found without it, and signs with it alone', async () => {
    const home = await temporaryFolder()
    const { file, publicKey } = await made(home, 'olga', 'correct horse')
    const text = await readFile(file, 'utf8')
    expect(text).toContain('ENCRYPTED PRIVATE KEY')
    expect(await listKeys(places(home))).toMatchObject([{ publicKey, isSealed: true }])
    const opened = (passphrase: string) =>
      findSigner({
        keys: { places: places(home), passphrase: () => Promise.resolve(passphrase) },
        catalog: empty,
      })
    const { privateKey } = await opened('correct horse')
    expect(publicKeyOf(privateKey)).toBe(publicKey)
    await expect(opened('battery staple')).rejects.toMatchObject({ code: 'passphrase_wrong' })
    const locked = findSigner({ keys: at(home), catalog: empty })
    await expect(locked).rejects.toMatchObject({ code: 'key_locked' })
  })

  test('under a passphrase opens by the first line of a file', async () => {
    const home = await temporaryFolder()
    const { publicKey } = await made(home, 'olga', 'correct horse')
    const file = join(home, 'passphrase')
    await writeFile(file, 'correct horse\n')
    const keys = keysAtHand(null, { keys: home, keyPassphraseFile: file })
    expect(await findSigner({ keys, catalog: empty })).toMatchObject({ publicKey })
    await writeFile(file, '\n')
    const unread = findSigner({ keys, catalog: empty })
    await expect(unread).rejects.toMatchObject({ code: 'passphrase_unreadable' })
  })

  test('with another public key in front than its own signs nothing', async () => {
    const home = await temporaryFolder()
    const { file, publicKey } = await made(home, 'olga', 'correct horse')
    const other = await made(await temporaryFolder(), 'piet', null)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(publicKey, other.publicKey))
    const keys = { places: places(home), passphrase: () => Promise.resolve('correct horse') }
    const signer = findSigner({ keys, catalog: empty })
    await expect(signer).rejects.toMatchObject({ code: 'key_invalid' })
  })

  test('never replaces one that is there', async () => {
    const folder = await temporaryFolder()
    const { text, file } = await newKey(folder, 'olga')
    await expect(newKey(folder, 'olga')).rejects.toMatchObject({ code: 'key_exists' })
    expect(await readFile(file, 'utf8')).toBe(text)
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
    expect(await listKeys(places(folder))).toEqual([])
    expect(await listKeys(places(join(folder, 'none')))).toEqual([])
    await newKey(folder, 'b')
    await newKey(folder, 'a')
    await writeFile(join(folder, 'notes.txt'), 'x')
    expect((await listKeys(places(folder))).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('keys beside the log', () => {
  test('are still found, after those of the user, and anyone who uses one is reported', async () => {
    const [home, folder] = [await temporaryFolder(), await temporaryFolder()]
    const old = await newKey(keysBeside(folder), 'olga')
    const both = keyPlaces(folder, { keys: home })
    expect(await listKeys(both)).toMatchObject([{ name: 'olga', isBeside: true }])
    const used: string[] = []
    const access = { ...keysAtHand(folder, { keys: home }), places: both }
    const keys = { ...access, onUse: ({ file }: { file: string }) => void used.push(file) }
    await findSigner({ keys, catalog: empty })
    expect(used).toEqual([old.file])
    await newKey(home, 'olga')
    expect((await listKeys(both)).map(({ isBeside }) => isBeside)).toEqual([false, true])
  })
})

describe('who signs', () => {
  test('is the key at hand of the name that was given', async () => {
    const home = await temporaryFolder()
    await newKey(home, 'olga')
    const { publicKey } = await newKey(home, 'piet')
    const choice = { keys: at(home), catalog: empty }
    expect(await findSigner({ ...choice, key: 'piet' })).toMatchObject({ id: 'piet', publicKey })
    const missing = findSigner({ ...choice, key: 'quin' })
    await expect(missing).rejects.toMatchObject({ code: 'key_missing' })
  })

  test('is the one that the catalog binds, where others are at hand', async () => {
    const home = await temporaryFolder()
    for (const name of ['anna', 'bert']) await newKey(home, name)
    const { publicKey } = await newKey(home, 'olga')
    const catalog = catalogOf({ id: 'olga', keys: [publicKey] })
    expect(await findSigner({ keys: at(home), catalog })).toMatchObject({ id: 'olga' })
  })

  test('is no one where no key is', async () => {
    const found = findSigner({ keys: at(await temporaryFolder()), catalog: empty })
    await expect(found).rejects.toMatchObject({ code: 'key_missing' })
  })

  test('is the only key, whatever its name', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'olga')
    expect(await findSigner({ keys: at(folder), catalog: empty })).toMatchObject({ id: 'olga' })
  })

  test('is `you` among several, and no one among several others', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'olga')
    await newKey(folder, 'piet')
    const found = findSigner({ keys: at(folder), catalog: empty })
    await expect(found).rejects.toThrow('give --as with one of `olga`, `piet`')
    await newKey(folder, 'you')
    expect(await findSigner({ keys: at(folder), catalog: empty })).toMatchObject({ id: 'you' })
  })

  test('is whom the catalog binds the key to, before the name of its file', async () => {
    const folder = await temporaryFolder()
    const { publicKey } = await newKey(folder, 'laptop')
    const catalog = catalogOf({ id: 'olga', keys: [publicKey] })
    expect(await findSigner({ keys: at(folder), catalog })).toMatchObject({ id: 'olga' })
    expect(await findSigner({ keys: at(folder), catalog, as: 'olga' })).toMatchObject({
      id: 'olga',
    })
    const piet = findSigner({ keys: at(folder), catalog, as: 'piet' })
    await expect(piet).rejects.toMatchObject({ code: 'key_missing' })
  })

  test('is the key file that was given, for the principal that was named', async () => {
    const folder = await temporaryFolder()
    await newKey(folder, 'you')
    const { file, publicKey } = await newKey(await temporaryFolder(), 'olga')
    const choice = { keys: at(folder), catalog: empty, key: file }
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
    expect(await findPolicyAdmin({ keys: at(folder), catalog })).toMatchObject({
      id: 'root',
      publicKey,
    })
  })

  test('is no one whose key the catalog does not bind, or who is suspended', async () => {
    const folder = await temporaryFolder()
    const { publicKey, text } = await newKey(folder, 'root')
    expect(publicKey).toBe(publicKeyOf(text))
    for (const principal of [
      policyAdmin,
      { ...policyAdmin, keys: [publicKey], suspended: true },
      { id: 'root', keys: [publicKey] },
    ]) {
      const catalog = catalogOf(principal)
      for (const as of [undefined, 'root']) {
        const found = findPolicyAdmin({ keys: at(folder), catalog, as })
        await expect(found).rejects.toMatchObject({ code: 'no_policy_admin' })
      }
    }
  })
})
