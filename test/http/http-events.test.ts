// The stream of a caller's own verdicts: as they come, and from where a broken line ended.
import { describe, expect, test } from 'vitest'
import { revokeToken, tokenEntries } from '#serving/token-file'
import {
  answer,
  anotherDoor,
  call,
  httpDoorScene,
  lookAt,
  refusal,
  type HttpDoor,
} from './http-door.ts'

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
