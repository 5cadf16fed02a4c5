// By which browsers a person is notified: what one subscribes with goes into the store of
// addresses, only for the push services of browsers, and its address never comes out.
import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOfJson } from '#record/digest'
import { reachBook } from '#outreach/reach-store'
import { ReachAnswer } from '#schemas/console/attending'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { consoleScene, signedInByPasskey, type ConsoleScene } from '../console-scene.ts'

const ecdh = createECDH('prime256v1')
const publicKey = ecdh.generateKeys('base64url')
const url = 'https://fcm.googleapis.com/fcm/send/abc'
const keys = { p256dh: publicKey, auth: 'A'.repeat(22) }

interface Reached extends ConsoleScene {
  readonly file: string
}

async function reached(more: { readonly publicKey?: string | null } = {}): Promise<Reached> {
  const file = join(await temporaryFolder(), 'reach.ndjson')
  const reach = { book: reachBook(file), publicKey, ...more }
  return { ...(await consoleScene({}, { reach })), file }
}

test('a browser subscribes for who is signed in, and is taken out again', async () => {
  const scene = await reached()
  const quin = await signedInByPasskey(scene, 'quin')
  expect(await quin.get('reach')).toEqual({ publicKey, browsers: [] })
  const label = 'Phone'
  const answer = ReachAnswer.parse(await quin.get('subscribe', { body: { url, keys, label } }))
  const id = digestOfJson(url)
  expect(answer.browsers).toEqual([{ id, host: 'fcm.googleapis.com', label }])
  expect(JSON.stringify(answer)).not.toContain('abc')
  const book = reachBook(scene.file)
  expect(book.find('quin')?.targets).toEqual([{ channel: 'push', url, keys, label }])
  const piet = await signedInByPasskey(scene, 'piet')
  expect(await piet.get('unsubscribe', { body: { id } })).toEqual({ publicKey, browsers: [] })
  expect(book.find('quin')?.targets).toHaveLength(1)
  expect(await quin.get('unsubscribe', { body: { id } })).toEqual({ publicKey, browsers: [] })
  expect(book.find('quin')?.targets).toEqual([])
})

test('one browser is one person’s: who subscribed there before is not notified by it', async () => {
  const scene = await reached()
  const [quin, piet] = [
    await signedInByPasskey(scene, 'quin'),
    await signedInByPasskey(scene, 'piet'),
  ]
  await quin.get('subscribe', { body: { url, keys } })
  await piet.get('subscribe', { body: { url, keys } })
  const book = reachBook(scene.file)
  expect([book.find('quin')?.targets.length, book.find('piet')?.targets.length]).toEqual([0, 1])
  await piet.get('subscribe', { body: { url: `${url}d`, keys } })
  expect(ReachAnswer.parse(await piet.get('reach')).browsers).toHaveLength(2)
})

test('an address that is no push service of a browser is refused', async () => {
  const scene = await reached()
  const quin = await signedInByPasskey(scene, 'quin')
  const others = [
    'https://127.0.0.1/push',
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com.example.net/x',
    'https://push.example.net/x',
  ]
  for (const other of others) {
    const refused = await quin.refused('subscribe', { body: { url: other, keys } })
    expect([other, refused]).toEqual([other, '422 reach_invalid'])
  }
  const bare = { url, keys: { ...keys, auth: 'short' } }
  expect(await quin.refused('subscribe', { body: bare })).toBe('400 request_invalid')
  expect(reachBook(scene.file).find('quin')).toBeNull()
})

test('so many are kept of one person, and no more', async () => {
  const scene = await reached()
  const quin = await signedInByPasskey(scene, 'quin')
  for (let count = 0; count < 16; count += 1) {
    await quin.get('subscribe', { body: { url: `${url}${count}`, keys } })
  }
  const more = { body: { url: `${url}more`, keys } }
  expect(await quin.refused('subscribe', more)).toBe('422 reach_invalid')
})

test('where nothing is pushed no one subscribes', async () => {
  const scene = await reached({ publicKey: null })
  const quin = await signedInByPasskey(scene, 'quin')
  expect(await quin.get('reach')).toEqual({ publicKey: null, browsers: [] })
  expect(await quin.refused('subscribe', { body: { url, keys } })).toBe('422 reach_invalid')
  const bare = await consoleScene()
  const other = await signedInByPasskey(bare, 'quin')
  expect(await other.get('reach')).toEqual({ publicKey: null, browsers: [] })
})
