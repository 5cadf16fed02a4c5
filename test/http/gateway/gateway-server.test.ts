// The server of a gateway: who gets a token, what it shows without one, and how it ends.
import { connect as dial } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  allowedFor,
  holders,
  httpStand,
  mintedOver,
  present,
  problemIn,
  proof,
  send,
} from './http-stand.ts'

describe('a token is minted', () => {
  test('for the agent of the intent alone', async () => {
    const all = await httpStand()
    const path = `/v1/warrants/${await allowedFor(all)}`
    const dpop = proof(all, { path, holder: holders.eve })
    expect(await problemIn(await send(all, { path, headers: { dpop } }))).toBe('403 not_yours')
    expect(await problemIn(await send(all, { path }))).toBe('401 token_refused holder_missing')
  })

  test('only where an issuer’s key is there', async () => {
    const all = await httpStand({ mints: false })
    const path = `/v1/warrants/${await allowedFor(all)}`
    const response = await send(all, { path, headers: { dpop: proof(all, { path }) } })
    expect(await problemIn(response)).toBe('404 issuer_unknown')
  })
})

describe('the server', () => {
  test('shows its keys and whether it is ready', async () => {
    const all = await httpStand()
    const get = (path: string) => send(all, { method: 'GET', path })
    expect(await (await get('/.well-known/jwks.json')).json()).toMatchObject({
      keys: [{ iss: 'gate', crv: 'Ed25519' }],
    })
    expect(await (await get('/healthz')).json()).toEqual({ healthy: true })
    expect(await (await get('/readyz')).json()).toMatchObject({ ready: true })
    expect((await get('/v1/calls')).headers.get('allow')).toBe('POST')
    expect(await problemIn(await get('/v1'))).toBe('404 request_invalid')
  })

  test('answers what it cannot read as a request, and headers that are too large', async () => {
    const all = await httpStand()
    const { hostname, port } = new URL(all.serving.url)
    const raw = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = dial(Number(port), hostname, () => socket.write(text))
        let got = ''
        socket.on('data', (chunk: Buffer) => (got += chunk.toString()))
        socket.on('close', () => resolve(got)).on('error', reject)
      })
    expect(await raw('no request\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*problem\+json/s)
    const large = `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`
    expect(await raw(large)).toMatch(/^HTTP\/1.1 431 .*request_invalid/s)
  })

  test('finishes what was begun when it closes, and takes nothing more', async () => {
    let release = (): void => undefined
    const waiting = new Promise<void>((resolve) => (release = resolve))
    const all = await httpStand({ tool: () => waiting.then(() => 'done') })
    const [first, second] = [await allowedFor(all), await allowedFor(all)]
    const token = await mintedOver(all, first)
    const other = await mintedOver(all, second)
    const running = present(all, token, { intent: first })
    await expect.poll(() => all.ran.length).toBe(1)
    const closed = all.serving.close(60_000)
    await expect(present(all, other, { intent: second })).rejects.toThrow()
    release()
    expect((await running).status).toBe(200)
    await closed
    expect(all.ran).toHaveLength(1)
  })

  test('is refused a port that is taken', async () => {
    const all = await httpStand()
    const { listening } = await import('#serving/listening')
    const listen = { host: '127.0.0.1', port: Number(new URL(all.serving.url).port) }
    const fetch = () => new Response()
    await expect(listening({ listen, tls: null, fetch })).rejects.toMatchObject({
      code: 'listen_failed',
      message: expect.stringContaining('another program listens there'),
    })
  })
})
