// What the proxy itself answers is text that the model reads, by a client of either version of the
// official library: both hold structured results against the form that a tool declares.
import { describe, expect, test } from 'vitest'
import { agreed, intentIn } from './proxied.ts'
import { hostile, toolOf } from './hostile.ts'

const outputSchema = {
  type: 'object',
  properties: { id: { type: 'number' } },
  required: ['id'],
  additionalProperties: false,
}
const names = ['denied', 'waits', 'narrow', 'unknown', 'fails']
const tools = names.map((name) => toolOf(name, { outputSchema }))
const structuredContent = { authorization: { remediationHints: [{ type: 'url', url: 'x' }] } }
const failing = { content: [{ type: 'text', text: 'no such row' }], isError: true }

describe.each(['older', 'newer'] as const)('a client of the %s library', (version) => {
  test('reads why a call did not run, also of a tool with an output schema', async () => {
    const on = await hostile(
      { tools, answers: { 'tools/call': { result: { ...failing, structuredContent } } } },
      {
        capabilities: {
          denied: { safetyClass: 'DESTRUCTIVE' },
          waits: { safetyClass: 'WRITE' },
          narrow: { argsSchema: { type: 'object', additionalProperties: false } },
          fails: {},
        },
      },
    )
    const client = version === 'older' ? await on.older() : await on.connected('auto')
    const { tools: listed } = await client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(['denied', 'waits', 'narrow', 'fails'])
    const call = async (name: string) => {
      const answer = await client.callTool({ name, arguments: { of: 'x' } })
      expect(answer.isError).toBe(true)
      expect(answer).not.toHaveProperty('structuredContent')
      return { text: JSON.stringify(answer.content), answer }
    }
    expect((await call('denied')).text).toContain('Intent: ')
    expect((await call('narrow')).text).toContain('Intent: ')
    expect((await call('unknown')).text).toContain('warrant catalog import -')
    const { text, answer } = await call('waits')
    expect(text).toContain('warrant approve')
    await agreed(on, intentIn(answer))
    // What the server says of its own failure is no denial of the proxy.
    expect((await call('waits')).text).toContain('no such row')
    expect((await call('fails')).answer._meta ?? {}).not.toHaveProperty('authorization')
  })
})
