// What a caller may send, how often, and for how long: more is refused, and holds no one else up.
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { answer, anotherDoor, call, erasing, httpDoorScene, lookAt, refusal } from './http-door.ts'

describe('a body', () => {
  test('is refused where it is too large, in one piece and in chunks', async () => {
    const door = await httpDoorScene()
    const body = JSON.stringify({ ...lookAt(1), goal: 'x'.repeat(65_536) })
    expect(await refusal(door, 'ask', { body })).toBe('413 request_invalid')
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 20; index += 1) {
          controller.enqueue(Buffer.from('x'.repeat(8_192)))
        }
        controller.close()
      },
    })
    const headers = {
      authorization: `Bearer ${door.tokens.ada}`,
      'content-type': 'application/json',
    }
    const sent = { method: 'POST', headers, body: chunks, duplex: 'half' } as const
    expect((await fetch(`${door.serving.url}/v1/intents`, sent)).status).toBe(413)
  })

  test('is refused where it is nested too deeply', async () => {
    const door = await httpDoorScene()
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
    // The body and its arguments are two of the 32.
    const body = (depth: number) => `{"tool":"look","args":{"a":${nested(depth)}}}`
    expect((await answer(door, 'ask', { body: body(30) })).status).toBe(200)
    expect(await refusal(door, 'ask', { body: body(31) })).toBe('400 request_invalid')
    expect(await refusal(door, 'ask', { body: body(20_000) })).toBe('400 request_invalid')
  })

  test('is refused where it is no JSON by its type', async () => {
    const door = await httpDoorScene()
    const headers = { 'content-type': 'text/plain' }
    const refused = await refusal(door, 'ask', { body: JSON.stringify(lookAt(1)), headers })
    expect(refused).toBe('415 request_invalid')
  })

  test('that never arrives holds no one up, and is given up', async () => {
    const door = await httpDoorScene()
    const { hostname, port } = new URL(door.serving.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = [
      'POST /v1/intents HTTP/1.1',
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${door.tokens.ada}`,
      'content-type: application/json',
      'content-length: 1000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"tool"`)
    expect((await answer(door, 'ask', { body: lookAt(1) })).status).toBe(200)
    const closed = once(socket, 'close')
    await door.serving.close(0)
    socket.destroy()
    await closed
  })
})

describe('a caller', () => {
  test('that comes too often learns when to try again, and others are answered', async () => {
    const door = await httpDoorScene({ rate: { perSecond: 2, burst: 3 } })
    const once = () => call(door, 'caller')
    expect((await Promise.all([once(), once(), once()])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ])
    const fourth = await once()
    expect([fourth.status, fourth.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await call(door, 'caller', { as: 'bea' })).status).toBe(200)
    door.on.time.pass(500)
    expect((await once()).status).toBe(200)
    expect((await once()).status).toBe(429)
  })

  test('waits at so many places at once', async () => {
    const door = await httpDoorScene({ rate: { perSecond: 1_000, burst: 1_000 } })
    const { intent: id } = (await answer(door, 'ask', { body: erasing })).body
    const wait = () => call(door, 'intent', { id, query: '?wait=60' })
    const all = Array.from({ length: 33 }, wait)
    const first = await Promise.race(all)
    expect(first.status).toBe(429)
    expect((await call(door, 'caller', { as: 'bea' })).status).toBe(200)
    await door.on.decide(id, 'olga')
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(32)
    expect((await wait()).status).toBe(200)
  })
})

test('who leaves gives back the place at which it waited', async () => {
  const door = await httpDoorScene({ rate: { perSecond: 1_000, burst: 1_000 } })
  const { intent: id } = (await answer(door, 'ask', { body: erasing })).body
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${door.tokens.ada}` }
  const sent = { headers, signal: leaving.signal }
  const wait = () => fetch(`${door.serving.url}/v1/intents/${id}?wait=60`, sent)
  const all = Array.from({ length: 33 }, wait)
  expect((await Promise.race(all)).status).toBe(429)
  leaving.abort()
  await Promise.allSettled(all)
  const look = async () => (await call(door, 'intent', { id })).status
  await expect.poll(look).toBe(200)
})

describe('a server that closes', () => {
  test('takes nothing more, and the next has all that was asked', async () => {
    const door = await httpDoorScene()
    const { intent: id } = (await answer(door, 'ask', { body: erasing })).body
    await door.serving.close(60_000)
    await expect(call(door, 'intent', { id })).rejects.toThrow()
    const next = await anotherDoor(door)
    expect((await answer(next, 'intent', { id })).status).toBe(200)
  })
})
