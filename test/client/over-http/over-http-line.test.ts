// What a client over HTTP does where its line breaks or its server is not one: it tries again what
// is safe, and runs nothing on an answer that it did not get.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { connectHttp } from '#client/over-http/connect-http'
import { httpServer } from '#client/over-http/server'
import { endWithTest } from '../../support/vitest/endings.ts'
import { erasing, lookAt } from '../../http/http-door.ts'
import { codeOf, line, overHttp, reviewed } from './over-http-scene.ts'

describe('a line that breaks', () => {
  test('is tried again where that is safe, and stays one intent', async () => {
    const { door, as } = await overHttp()
    const { fetch, calls } = line((call, count) => {
      return call === 'POST /v1/intents' && count < 3 ? (count === 1 ? 'cut' : 'lost') : null
    })
    const ada = await as('ada', { fetch })
    expect((await ada.ask(lookAt(1))).outcome).toBe('allow')
    expect(calls.filter((call) => call === 'POST /v1/intents')).toHaveLength(3)
    const asked = (await door.on.facts()).filter(({ name }) => name.includes('.vlp.ada.'))
    expect(asked).toHaveLength(1)
  })

  test('never runs a tool whose start had no answer, and does not start it again', async () => {
    const { as } = await overHttp()
    const { fetch, calls } = line((call) => (call.endsWith('/start') ? 'lost' : null))
    const ada = await as('ada', { fetch })
    const ran: number[] = []
    const look = ada.guard('look', () => ran.push(1))
    expect(await codeOf(look({ at: 1 }))).toBe('server_unreachable')
    expect(calls.filter((call) => call.endsWith('/start'))).toHaveLength(1)
    expect(ran).toEqual([])
  })

  test('sends again what a busy server took no notice of', async () => {
    const { as } = await overHttp()
    const busy = { code: 'caller_busy', detail: 'too many', retry: 'soon' }
    const { fetch, calls } = line((call, count) => {
      const isFirst = call.endsWith('/start') && count === 1
      return isFirst ? Response.json(busy, { status: 429, headers: { 'retry-after': '0' } }) : null
    })
    const ada = await as('ada', { fetch })
    expect(await ada.guard('look', () => 'ran')({ at: 1 })).toBe('ran')
    expect(calls.filter((call) => call.endsWith('/start'))).toHaveLength(2)
  })

  test.each([
    ['<html>sign in</html>', 200],
    ['{"state":"decided","outcome":"allow"}', 200],
    ['{"code":"of_tomorrow","detail":"","retry":"never"}', 400],
  ])('runs nothing on the answer %s', async (text, status) => {
    const { as } = await overHttp()
    const { fetch } = line((call) =>
      call === 'POST /v1/intents' ? new Response(text, { status }) : null,
    )
    const ada = await as('ada', { fetch })
    expect(await codeOf(ada.guard('look', () => 'ran')({ at: 1 }))).toBe('answer_unread')
  })

  test('ends with what it waits for when the client is closed', async () => {
    const { door, as } = await overHttp()
    const ada = await as('ada')
    const asked = codeOf(ada.ask(erasing))
    await reviewed(door)
    await ada.close()
    expect(await asked).toBe('server_unreachable')
  })
})

describe('an address', () => {
  const token = 'wrt_x'

  test.each([
    'http://warrant.example',
    'https://ann:secret@warrant.example',
    'https://warrant.example/?q=1',
    'nats://127.0.0.1:4222',
    'warrant.example',
  ])('%s is not sent to', async (url) => {
    const { fetch, calls } = line()
    expect(await codeOf(connectHttp({ url, token, fetch }))).toBe('url_refused')
    expect(calls).toEqual([])
  })

  test('that sends elsewhere is not followed there', async () => {
    const { door } = await overHttp()
    const server = createServer((_, response) => {
      response.writeHead(307, { location: `${door.serving.url}/v1/caller` }).end()
    })
    endWithTest(async () => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : null
    const asked = httpServer({ url: `http://127.0.0.1:${port}`, token: door.tokens.ada })
    const sent = { method: 'GET' as const, path: '/v1/caller', isSafe: false }
    expect(await codeOf(asked.send(sent))).toBe('server_unreachable')
  })

  test('is refused as the server refuses it', async () => {
    const { as } = await overHttp()
    expect(await codeOf(as('ada', { token: 'wrt_none' }))).toBe('caller_refused')
  })
})
