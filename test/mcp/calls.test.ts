// Calls through the proxy, by clients of both versions of the protocol: judged, carried out once,
// shown through the firewall, and recorded whatever happens.
import { describe, expect, test } from 'vitest'
import { agreed, importedAs, intentIn, outcomes, proxied, until } from './proxied.ts'

const text = (value: string) => [{ type: 'text', text: value }]

for (const era of ['auto', 'legacy'] as const) {
  describe(`a client ${era === 'auto' ? 'of 2026' : 'of 2025'}`, () => {
    test('sees the tools that were approved, and calls one that is allowed', async () => {
      const on = await proxied({ capabilities: { test_simple_text: {} } })
      const client = await on.connected(era)
      expect(client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy')
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['test_simple_text'])
      const answer = await client.callTool({ name: 'test_simple_text', arguments: {} })
      expect(answer.content).toEqual(text('This is a simple text response for testing.'))
      expect(await on.ran()).toEqual(['test_simple_text'])
      expect(await outcomes(on)).toEqual(['ownoutcome succeeded'])
    })

    test('has what the catalog gives a driver carried out by the gateway', async () => {
      const on = await proxied({ capabilities: { test_simple_text: {} }, driven: true })
      const client = await on.connected(era)
      const answer = await client.callTool({ name: 'test_simple_text', arguments: {} })
      expect(answer.content).toEqual(text('This is a simple text response for testing.'))
      expect(await outcomes(on)).toEqual(['outcome succeeded'])
    })

    test('is denied an unknown tool, with the command that imports it', async () => {
      const on = await proxied({ capabilities: {} })
      const client = await on.connected(era)
      const answer = await client.callTool({ name: 'send', arguments: { to: 'eve' } })
      expect(answer.isError).toBe(true)
      const said = JSON.stringify(answer.content)
      expect(said).toContain('warrant mcp tools | warrant catalog import -')
      expect(answer._meta).toMatchObject({
        authorization: {
          reason: 'insufficient_authorization',
          remediationHints: [
            { type: 'warrant.reason', code: 'unknown_capability' },
            { type: 'warrant.command' },
          ],
        },
      })
      expect(await on.ran()).toEqual([])
    })

    test('waits for people by calling again, and then it runs once', async () => {
      const on = await proxied({ capabilities: { send: write } })
      const client = await on.connected(era)
      const call = () => client.callTool({ name: 'send', arguments: { to: 'ann' } })
      const first = await call()
      expect(first.isError).toBe(true)
      await agreed(on, intentIn(first))
      expect((await call()).content).toEqual(text('sent to ann'))
      expect(await on.ran()).toEqual(['send'])
    })

    test('finds what people decided after the proxy was started again, once', async () => {
      const on = await proxied({ capabilities: { send: write } })
      const to = (who: string) => ({ name: 'send', arguments: { to: who } })
      const before = await on.connected(era)
      const first = intentIn(await before.callTool(to('ann')))
      await agreed(on, first)
      const client = await (await on.restarted())(era)
      expect((await client.callTool(to('eve'))).isError).toBe(true)
      expect((await client.callTool(to('ann'))).content).toEqual(text('sent to ann'))
      const next = await (await on.restarted())(era)
      expect(intentIn(await next.callTool(to('ann')))).not.toBe(first)
      expect(await on.ran()).toEqual(['send'])
    })

    test('is asked to open a link, and to go on once people have decided', async () => {
      const reviewUrl = 'https://console.example/r/{intent}'
      const on = await proxied({ capabilities: { send: write }, reviewUrl })
      const client = await on.connected(era, { capabilities: { elicitation: { url: {} } } })
      const links: string[] = []
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        const url = params.mode === 'url' ? params.url : ''
        links.push(url)
        await agreed(on, decodeURIComponent(url.split('/r/')[1] ?? ''))
        return { action: 'accept' }
      })
      const answer = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
      expect(answer.content).toEqual(text('sent to ann'))
      expect(links).toHaveLength(1)
      expect(await on.ran()).toEqual(['send'])
    })

    test('that declines the link takes its own intent back, and decides nothing', async () => {
      const reviewUrl = 'https://console.example/r/{intent}'
      const on = await proxied({ capabilities: { send: write }, reviewUrl })
      const client = await on.connected(era, { capabilities: { elicitation: { url: {} } } })
      client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
      const answer = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
      expect(JSON.stringify(answer._meta)).toContain('"code":"withdrawn"')
      expect(await on.ran()).toEqual([])
    })

    test('gets what a tool answered redacted', async () => {
      const on = await proxied({ capabilities: { leak: {}, row: {}, card: {} } })
      const client = await on.connected(era)
      await client.listTools()
      const leak = await client.callTool({ name: 'leak', arguments: {} })
      expect(leak.content).toEqual(text('card [REDACTED], mail [REDACTED]'))
      const row = await client.callTool({ name: 'row', arguments: {} })
      expect(row.structuredContent).toEqual({ id: 1, name: 'Ann' })
      // Of another form than declared, it would be taken for a call that failed.
      const card = await client.callTool({ name: 'card', arguments: {} })
      expect(card.isError).toBe(true)
      expect(JSON.stringify(card)).toContain('do not repeat it')
      expect(JSON.stringify(card)).not.toContain('4111')
    })

    test('gets pictures, progress, resources and prompts as they are', async () => {
      const of = { test_image_content: {}, test_tool_with_progress: {} }
      const on = await proxied({ capabilities: of })
      const client = await on.connected(era)
      const image = await client.callTool({ name: 'test_image_content', arguments: {} })
      expect(image.content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
      const seen: number[] = []
      await client.callTool(
        { name: 'test_tool_with_progress', arguments: {} },
        { onprogress: ({ progress }) => void seen.push(progress) },
      )
      // A library drops what comes together with the answer.
      expect([0, 50, 100]).toEqual(expect.arrayContaining(seen))
      const { contents } = await client.readResource({ uri: 'test://static-text' })
      expect(contents).toMatchObject([{ uri: 'test://static-text' }])
      expect((await client.listPrompts()).prompts).toHaveLength(4)
    })

    test('that cancels a call ends it, and the log has that no one knows', async () => {
      const on = await proxied({ capabilities: { slow: {} } })
      const client = await on.connected(era)
      const leaving = new AbortController()
      const call = client.callTool({ name: 'slow', arguments: {} }, { signal: leaving.signal })
      await until(async () => (await on.ran()).includes('slow'))
      leaving.abort()
      await expect(call).rejects.toThrow()
      await until(async () => (await outcomes(on)).length > 0)
      expect(await outcomes(on)).toEqual(['ownoutcome unknown cancelled'])
    })
  })
}

describe('the proxy', () => {
  test('records that no one knows where the server ends in a call', async () => {
    const of = { die: {}, test_simple_text: {} }
    const on = await proxied({ capabilities: of, driven: true, server: 'process' })
    const client = await on.connected('auto')
    const answer = await client.callTool({ name: 'die', arguments: {} })
    expect(JSON.stringify(answer.content)).toContain('Do not repeat it')
    expect(await outcomes(on)).toEqual(['outcome unknown connection_lost'])
    // It is started again for the next call.
    const next = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(next.isError).not.toBe(true)
  })

  test('ends a call that takes too long', async () => {
    const slow = { execution: { timeoutMs: 300 } }
    const on = await proxied({ capabilities: { slow } })
    const client = await on.connected('auto')
    await client.callTool({ name: 'slow', arguments: {} })
    expect(await outcomes(on)).toEqual(['ownoutcome unknown timed_out'])
  })

  test('neither shows nor runs a tool that is not what was approved', async () => {
    const changed = importedAs('leak', 'what it was once')
    const on = await proxied({ capabilities: { leak: changed, row: {} } })
    const client = await on.connected('auto')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['row'])
    const answer = await client.callTool({ name: 'leak', arguments: {} })
    expect(answer._meta).toMatchObject({
      authorization: { remediationHints: [{ code: 'tool_changed' }] },
    })
    expect(await on.ran()).toEqual([])
  })

  test('does not run here what the catalog has carried out in another way', async () => {
    const driver = { kind: 'mcp' as const, server: 'other', tool: 'leak' }
    const other = { id: 'other', command: ['other'] }
    const on = await proxied({ capabilities: { leak: { driver } }, catalog: { servers: [other] } })
    const client = await on.connected('auto')
    const answer = await client.callTool({ name: 'leak', arguments: {} })
    expect(answer._meta).toMatchObject({
      authorization: { remediationHints: [{ code: 'tool_elsewhere' }] },
    })
    expect(await on.ran()).toEqual([])
  })

  test('goes on with no intent that is of another call or of another agent', async () => {
    const on = await proxied({ capabilities: { send: write } })
    const client = await on.connected('legacy')
    const send = (to: string, _meta?: Record<string, unknown>) => {
      return client.callTool({ name: 'send', arguments: { to }, ...(_meta && { _meta }) })
    }
    const intent = intentIn(await send('ann'))
    await agreed(on, intent)
    const key = 'io.modelcontextprotocol/authorization-context-id'
    expect((await send('eve', { [key]: intent })).isError).toBe(true)
    expect((await send('fay', { [key]: 'x' })).isError).toBe(true)
    expect(await on.ran()).toEqual([])
    expect((await send('ann', { [key]: intent })).content).toEqual(text('sent to ann'))
  })

  test('answers no one who comes by another host or from a page', async () => {
    const on = await proxied({ capabilities: {} })
    const post = (headers: Record<string, string>) => {
      const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: '{}' })
      return on.front.fetch(request)
    }
    expect((await post({ host: 'evil.example' })).status).toBe(403)
    const foreign = { host: '127.0.0.1', origin: 'https://evil.example' }
    expect((await post(foreign)).status).toBe(403)
  })
})

const write = { safetyClass: 'WRITE' as const }
