// Asking over HTTP: a verdict at once, a wait for people, a warrant that is redeemed once, and no
// look at what another asked.
import { describe, expect, test } from 'vitest'
import { replayed } from '../support/scene.ts'
import {
  anotherDoor,
  answer,
  erasing,
  httpDoorScene,
  lookAt,
  refusal,
  type HttpDoor,
  call,
} from './http-door.ts'
import { revokeToken, tokenEntries } from '#serving/token-file'

async function erasure(door: HttpDoor, as: 'ada' | 'bea' = 'ada'): Promise<string> {
  const { status, body } = await answer(door, 'ask', { as, body: erasing })
  expect(status).toBe(202)
  return body.intent
}

describe('asking', () => {
  test('is answered by the verdict, with its reasons in words', async () => {
    const door = await httpDoorScene()
    const allowed = await answer(door, 'ask', { body: lookAt(1) })
    expect([allowed.status, allowed.body]).toMatchObject([
      200,
      { state: 'decided', outcome: 'allow', terms: { capability: 'look' }, forModel: null },
    ])
    const denied = await answer(door, 'ask', { body: { tool: 'lok' } })
    expect([denied.status, denied.body]).toMatchObject([
      200,
      { outcome: 'deny', reasons: [{ code: 'unknown_capability', text: expect.any(String) }] },
    ])
    expect(denied.body['forModel']).toContain('was not run')
  })

  test('is answered 202 while people decide, with where the verdict will be', async () => {
    const door = await httpDoorScene()
    const { status, body, headers } = await answer(door, 'ask', { body: erasing })
    expect([status, body]).toMatchObject([
      202,
      { state: 'waiting', waits: { for: 'people', people: ['olga'] } },
    ])
    expect(headers.get('location')).toBe(`/v1/intents/${body.intent}`)
    expect(headers.get('retry-after')).toBe('1')
    expect(body['links']).toEqual({
      self: `/v1/intents/${body.intent}`,
      approve: `warrant approve ${body.intent}`,
    })
  })

  test.each([{ query: '?wait=30' }, { headers: { prefer: 'respond-async, wait=30' } }])(
    'waits for people where that is asked for: %o',
    async (wish) => {
      const door = await httpDoorScene()
      const asked = answer(door, 'ask', { body: erasing, ...wish })
      const { name } = await door.on.bound('main.1.review.>')
      await door.on.decide(name.split('.').slice(3, 6).join('.'), 'olga')
      expect((await asked).body).toMatchObject({ outcome: 'allow', confirmedBy: ['olga'] })
    },
  )

  test('ends its wait after the time that was asked for', async () => {
    const door = await httpDoorScene()
    const asked = answer(door, 'ask', { body: erasing, query: '?wait=5' })
    await door.on.bound('main.1.review.>')
    await door.on.settled()
    door.on.time.pass(5_000)
    expect((await asked).status).toBe(202)
  })

  test('with the same key is one intent, at each server and after its verdict', async () => {
    const door = await httpDoorScene()
    const other = await anotherDoor(door)
    const headers = { 'idempotency-key': 'order-17' }
    const asked = await Promise.all(
      [door, other, door].map((each) => answer(each, 'ask', { body: lookAt(1), headers })),
    )
    const again = await answer(other, 'ask', { body: lookAt(1), headers })
    expect(new Set([...asked, again].map(({ body }) => body['verdict'])).size).toBe(1)
    const different = { body: lookAt(2), headers }
    expect(await refusal(door, 'ask', different)).toBe('422 request_differs')
    // The key is the caller's own.
    const beas = await answer(door, 'ask', { as: 'bea', ...different })
    expect([beas.status, beas.body.intent.split('.')[0]]).toEqual([200, 'bea'])
  })

  test.each([
    ['a field that is unknown', { ...lookAt(1), as: 'root' }, '400 request_invalid'],
    ['no tool', { args: {} }, '400 request_invalid'],
    ['no object', [], '400 request_invalid'],
    ['no JSON', '{"tool":', '400 request_invalid'],
    ['a key twice', '{"tool":"look","tool":"erase"}', '400 request_invalid'],
    ['a session with a line break', { ...lookAt(1), session: 'a\nb' }, '400 request_invalid'],
  ])('is refused with %s', async (_, body, expected) => {
    const door = await httpDoorScene()
    const { position } = await door.on.log.head()
    expect(await refusal(door, 'ask', { body })).toBe(expected)
    expect((await door.on.log.head()).position).toBe(position)
  })

  test.each([
    { query: '?wait=soon' },
    { query: '?wait=-1' },
    { headers: { 'idempotency-key': '' } },
    { headers: { 'idempotency-key': 'x'.repeat(257) } },
  ])('is refused with %o', async (wish) => {
    const door = await httpDoorScene()
    expect(await refusal(door, 'ask', { body: lookAt(1), ...wish })).toBe('400 request_invalid')
  })
})

describe('waiting', () => {
  test('ends with the verdict, at any server of the log', async () => {
    const door = await httpDoorScene()
    const other = await anotherDoor(door)
    const id = await erasure(door)
    const waiting = [door, other].map((each) => answer(each, 'intent', { id, query: '?wait=60' }))
    await door.on.decide(id, 'olga')
    for (const { status, body } of await Promise.all(waiting)) {
      expect([status, body['outcome']]).toEqual([200, 'allow'])
    }
  })

  test('shows by the ETag whether anything is new', async () => {
    const door = await httpDoorScene()
    const id = await erasure(door)
    const first = await answer(door, 'intent', { id })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await answer(door, 'intent', { id, headers })).status).toBe(304)
    const changed = answer(door, 'intent', { id, headers, query: '?wait=60' })
    await door.on.decide(id, 'olga', { answers: false })
    expect((await changed).body).toMatchObject({ outcome: 'deny' })
  })

  test('ends when its token is taken back meanwhile', async () => {
    const door = await httpDoorScene()
    const { revokeToken, tokenEntries } = await import('#serving/token-file')
    const id = await erasure(door)
    const waiting = refusal(door, 'intent', { id, query: '?wait=60' })
    const [entry] = await tokenEntries(door.file)
    await revokeToken(door.file, entry?.id ?? '', door.on.time.now)
    await door.on.decide(id, 'olga')
    expect(await waiting).toBe('401 caller_refused token_revoked')
  })

  test('ends with how it stands when the server closes, and goes on at the next', async () => {
    const door = await httpDoorScene()
    const id = await erasure(door)
    const waiting = answer(door, 'intent', { id, query: '?wait=60' })
    await answer(door, 'intent', { id })
    await door.serving.close(60_000)
    expect((await waiting).body['state']).toBe('waiting')
    const next = await anotherDoor(door)
    const again = answer(next, 'intent', { id, query: '?wait=60' })
    await door.on.decide(id, 'olga')
    expect((await again).body).toMatchObject({ outcome: 'allow' })
  })
})

describe('what another asked', () => {
  test.each(['intent', 'start', 'outcome', 'withdraw'] as const)(
    'is not there for `%s`',
    async (name) => {
      const door = await httpDoorScene()
      const id = await erasure(door)
      const body = name === 'outcome' ? { outcome: 'failed' } : undefined
      const asked = { as: 'bea' as const, id, ...(body !== undefined && { body }) }
      const { position } = await door.on.log.head()
      expect(await refusal(door, name, asked)).toBe('404 no_intent')
      for (const none of ['ada.-.none', 'x', 'a.b.c.d', '*.*.*', 'bea.-.>']) {
        expect(await refusal(door, name, { ...asked, id: none })).toBe('404 no_intent')
      }
      expect((await door.on.log.head()).position).toBe(position)
    },
  )
})

describe('a warrant', () => {
  test('is redeemed once and ended once, and replay finds nothing wrong', async () => {
    const door = await httpDoorScene()
    const { body } = await answer(door, 'ask', { body: lookAt(1) })
    const { intent: id } = body
    const ended = { id, body: { outcome: 'failed', code: 'ENOSPC' } }
    expect(await refusal(door, 'outcome', ended)).toBe('409 not_started')
    expect((await answer(door, 'start', { id })).body).toMatchObject({
      terms: { capability: 'look' },
    })
    expect(await refusal(door, 'start', { id })).toBe('409 warrant_used only_reads')
    for (const _ of [1, 2]) expect((await answer(door, 'outcome', ended)).status).toBe(200)
    const other = { id, body: { outcome: 'succeeded' } }
    expect(await refusal(door, 'outcome', other)).toBe('409 outcome_recorded')
    expect(await replayed(door.on)).toMatchObject({ differences: 0 })
  })

  test('of two servers at once is redeemed at one', async () => {
    const door = await httpDoorScene()
    const other = await anotherDoor(door)
    const { intent: id } = (await answer(door, 'ask', { body: lookAt(1) })).body
    const both = await Promise.all([door, other].map((each) => answer(each, 'start', { id })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('cannot be redeemed before the verdict, of a denial, and after its last moment', async () => {
    const door = await httpDoorScene()
    const pending = await erasure(door)
    expect(await refusal(door, 'start', { id: pending })).toBe('409 not_decided')
    await door.on.decide(pending, 'olga', { answers: false })
    await answer(door, 'intent', { id: pending, query: '?wait=60' })
    expect(await refusal(door, 'start', { id: pending })).toBe('403 not_allowed')
    const { intent: late } = (await answer(door, 'ask', { body: lookAt(1) })).body
    door.on.time.pass(5 * 60_000 + 1)
    expect(await refusal(door, 'start', { id: late })).toBe('403 warrant_expired')
  })

  test('is taken back by its agent while people have it before them', async () => {
    const door = await httpDoorScene()
    const id = await erasure(door)
    expect((await answer(door, 'withdraw', { id, body: { note: 'wrong' } })).status).toBe(200)
    const { body } = await answer(door, 'intent', { id, query: '?wait=60' })
    expect(body).toMatchObject({ outcome: 'deny', reasons: [{ code: 'withdrawn' }] })
  })
})

// The stream of a caller's own verdicts: as they come, and from where a broken line ended.

interface Event {
  readonly id: string
  readonly intent: string
}

/** Reads so many verdicts; fewer where the stream ends. */
async function verdictsOf(response: Response, count: number): Promise<readonly Event[]> {
  const found: Event[] = []
  if (response.body === null) return found
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (found.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (id !== undefined && data !== undefined) found.push({ id, ...JSON.parse(data) })
    }
  }
  await reader.cancel()
  return found
}

const intentsIn = (all: readonly Event[]) => all.map(({ intent }) => intent)

async function asked(door: HttpDoor, at: number, as: 'ada' | 'bea' = 'ada'): Promise<string> {
  return (await answer(door, 'ask', { as, body: lookAt(at) })).body.intent
}

describe('the stream of verdicts', () => {
  test('has those of the caller alone, at each server of the log', async () => {
    const door = await httpDoorScene()
    const other = await anotherDoor(door)
    const streams = await Promise.all([door, other].map((each) => call(each, 'events')))
    await asked(door, 1, 'bea')
    const mine = [await asked(door, 2), await asked(other, 3)]
    for (const stream of streams) expect(intentsIn(await verdictsOf(stream, 2))).toEqual(mine)
  })

  test('goes on after the position that the caller has seen', async () => {
    const door = await httpDoorScene()
    const mine = [await asked(door, 1), await asked(door, 2), await asked(door, 3)]
    const all = await verdictsOf(
      await call(door, 'events', { headers: { 'last-event-id': '0' } }),
      3,
    )
    expect(intentsIn(all)).toEqual(mine)
    const headers = { 'last-event-id': all[0]?.id ?? '' }
    const rest = await verdictsOf(await call(door, 'events', { headers }), 2)
    expect(intentsIn(rest)).toEqual(mine.slice(1))
  })

  test('ends when the token is taken back', async () => {
    const door = await httpDoorScene()
    const stream = await call(door, 'events')
    const [entry] = await tokenEntries(door.file)
    await revokeToken(door.file, entry?.id ?? '', door.on.time.now)
    const client = await door.on.as('ada')
    await client.ask(lookAt(1))
    const text = await stream.text()
    expect(text).toContain('event: problem')
    expect(text).toContain('token_revoked')
  })

  test('ends when the server closes', async () => {
    const door = await httpDoorScene()
    const stream = await call(door, 'events')
    const reading = verdictsOf(stream, 1)
    await door.serving.close(60_000)
    expect(await reading).toEqual([])
  })

  test('is refused with what is no position', async () => {
    const door = await httpDoorScene()
    const headers = { 'last-event-id': 'x' }
    expect(await refusal(door, 'events', { headers })).toBe('400 request_invalid')
  })
})
