// Web push: a browser reads what its push service is given, and no one else is posted to.
import { createECDH, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { pushChannel } from '#outreach/channels/push'
import { plainBytesMax, pushSender, sealedPush } from '#outreach/channels/push-sealing'
import { canary, channelConformance, message, type StandOptions } from './channel-conformance.ts'
import { receiver } from './receiver.ts'
import { newBrowser, unsealed } from './unsealing.ts'

const signal = new AbortController().signal
const vapidKey = 'x5MH6oQ_QFpkDkPZbcYJZQTKn4vgXnOdq0aJZ0a3hYQ'
const contact = 'mailto:ops@example.org'
const browser = newBrowser()

async function stand({ answers, isListed = true }: StandOptions) {
  const { origin, host, received } = await receiver(answers)
  const hosts = isListed ? { privateHosts: [host] } : {}
  const channel = pushChannel({
    secret: async () => vapidKey,
    key: 'VAPID_KEY',
    contact,
    ...hosts,
  })
  const target = {
    channel: 'push' as const,
    url: `${origin}/push/${canary}`,
    keys: browser.keys,
  }
  const texts = () => received.map(({ body }) => unsealed(browser, body).text)
  return { channel, target, received: texts, posts: received }
}

channelConformance('Web push', stand)

test('a browser reads it; its length shows nothing, and the service knows who sends and for how long', async () => {
  const { channel, target, posts } = await stand({ answers: 'taken' })
  await channel.deliver({ target, message, signal })
  await channel.deliver({ target, message: { ...message, lines: ['x'.repeat(5_000)] }, signal })
  const [first, second] = posts.map(({ body }) => unsealed(browser, body))
  expect(JSON.parse(first?.text ?? '')).toEqual({
    id: message.id,
    title: message.subject,
    body: message.lines.join('\n'),
    link: message.link,
  })
  expect(first?.bytes).toBe(second?.bytes)
  const headers = posts[0]?.headers ?? {}
  expect(headers).toMatchObject({ ttl: '900', urgency: 'high', topic: message.id })
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [
    point.subarray(1, 33).toString('base64url'),
    point.subarray(33).toString('base64url'),
  ]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const of = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  expect(
    verify('sha256', Buffer.from(`${head}.${claims}`), of, Buffer.from(signature, 'base64url')),
  ).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: new URL(target.url).origin,
    exp: message.at / 1_000 + 12 * 3_600,
    sub: contact,
  })
})

test('only the known services of browsers are posted to, and those over TLS', async () => {
  const channel = pushChannel({
    secret: async () => vapidKey,
    key: 'VAPID_KEY',
    contact,
    resolve: async () => [],
  })
  const deliver = (url: string) =>
    channel.deliver({ target: { channel: 'push', url, keys: browser.keys }, message, signal })
  for (const url of [
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com.evil.example/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://10.0.0.1/x',
    'https://notify.windows.com.evil.example/x',
  ]) {
    await expect(deliver(url)).rejects.toMatchObject({ code: 'url_blocked' })
  }
  // These pass the list, and go on to be resolved.
  for (const url of [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://wns2-by3p.notify.windows.com/w/x',
  ]) {
    await expect(deliver(url)).rejects.toMatchObject({ code: 'url_blocked' })
  }
  await channel.close()
})

test('a subscription that has ended is gone, and keys that are no point are refused', async () => {
  const on = await receiver()
  const { origin, host, received } = on
  const channel = pushChannel({
    secret: async () => vapidKey,
    key: 'VAPID_KEY',
    contact,
    privateHosts: [host],
  })
  const target = { channel: 'push' as const, url: `${origin}/x`, keys: browser.keys }
  on.answer(410)
  await expect(channel.deliver({ target, message, signal })).rejects.toMatchObject({ code: 'gone' })
  const keys = { ...browser.keys, p256dh: `B${'A'.repeat(86)}` }
  await expect(
    channel.deliver({ target: { ...target, keys }, message, signal }),
  ).rejects.toMatchObject({ code: 'target_invalid' })
  expect(received).toHaveLength(1)
  await channel.close()
})

test('a key that is not one is a secret that cannot be used', () => {
  expect(pushSender('short')).toBeNull()
  expect(pushSender(Buffer.alloc(32).toString('base64url'))).toBeNull()
  expect(pushSender(vapidKey)).not.toBeNull()
})

// The example of RFC 8291, section 5, whose filling is the one octet that ends the text.
test('what RFC 8291 seals is unsealed here, and what is sealed here has its form', () => {
  const receiverKey = createECDH('prime256v1')
  receiverKey.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml' +
      'mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  )
  expect(unsealed({ ecdh: receiverKey, auth }, body).text).toBe(
    'When I grow up, I want to be a watermelon',
  )
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'))
  const own = { ecdh: sender, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') }
  const keys = { p256dh: receiverKey.getPublicKey('base64url'), auth: auth.toString('base64url') }
  const here = Buffer.from(
    sealedPush(Buffer.from('When I grow up, I want to be a watermelon'), keys, own) ?? [],
  )
  // Salt, size of a record, and public key.
  expect(here.subarray(0, 86)).toEqual(body.subarray(0, 86))
  expect(unsealed({ ecdh: receiverKey, auth }, here).text).toBe(
    'When I grow up, I want to be a watermelon',
  )
  expect(() => sealedPush(Buffer.alloc(plainBytesMax + 1), keys, own)).toThrow('it fits')
})
