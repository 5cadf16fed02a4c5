// What a hostile server of tools says, as clients get it: redacted wherever it stands, and never in
// the words of the proxy.
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { aboutShown, noticeShown, progressShown, resultShown } from '#mcp/said'
import { toolShown } from '#mcp/said'
import { answerShown } from '#mcp/shown'
import { toolAnswerOf } from '#mcp/protocol'
import { isReserved } from '#firewall/rebuilt'
import { count } from '../support/vitest/counts.ts'
import { importedAs, outcomes } from './proxied.ts'
import { hostile, toolOf } from './hostile.ts'

const planted = ['AKIAIOSFODNN7EXAMPLE', 'ann@example.org', '4111 1111 1111 1111']
const reserved = [
  'authorization',
  'Authorization',
  'warrant/withheld',
  'io.modelcontextprotocol/serverInfo',
  'modelcontextprotocol.io/x',
  'api.mcp.dev/x',
]
const members = (
  '_meta annotations audience priority lastModified icons src sizes name title description uri ' +
  'uriTemplate mimeType size text blob resource resources resourceTemplates contents prompts ' +
  'messages role content arguments required completion values total hasMore level logger data ' +
  'nextCursor message progress inputSchema outputSchema structuredContent execution ' +
  'taskSupport readOnlyHint properties enum'
).split(' ')

const { json } = fc.letrec<{ json: unknown; leaf: unknown; text: string; key: string }>((tie) => ({
  text: fc
    .tuple(
      fc.constantFrom('', 'see ', '{"a":"'),
      fc.constantFrom(...planted),
      fc.constantFrom('', ' now', '"}'),
    )
    .map((parts) => parts.join('')),
  leaf: fc.oneof(
    tie('text'),
    fc.constantFrom('text', 'image', 'resource', 'resource_link', 'plain words'),
    fc.constantFrom(4_111_111_111_111_111, 1, true, null),
  ),
  key: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...members) },
    { weight: 2, arbitrary: fc.constantFrom(...reserved) },
    { weight: 1, arbitrary: tie('text') },
  ),
  json: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(tie('key'), tie('json')), { maxLength: 6 }).map((of) => {
      return Object.fromEntries(of)
    }),
    fc.record({ type: fc.constantFrom('text', 'image', 'resource'), text: tie('json') }),
  ),
}))

/** An object in which each of the members that a kind of answer has may hold anything. */
const said = fc.dictionary(fc.constantFrom(...members, ...reserved), json, { maxKeys: 8 })

function expectClean(shown: unknown): void {
  const text = JSON.stringify(shown) ?? ''
  for (const one of planted) expect(text).not.toContain(one)
  expect(text).not.toContain('4111111111111111')
  expectNoReserved(shown, false)
}

/** In these a server may say what it likes: no one takes it for a word of the protocol. */
const free = new Set(['structuredContent', 'data', 'inputSchema', 'outputSchema'])

function expectNoReserved(shown: unknown, isMeta: boolean): void {
  if (typeof shown !== 'object' || shown === null) return
  for (const [key, member] of Object.entries(shown)) {
    if (!isMeta && free.has(key)) continue
    if (isMeta) expect(isReserved(key)).toBe(false)
    expectNoReserved(member, isMeta || key === '_meta')
  }
}

const methods = (
  'resources/list resources/templates/list resources/read resources/subscribe prompts/list ' +
  'prompts/get completion/complete logging/setLevel other/method'
).split(' ')
const notices = ['message', 'resources/updated', 'tools/list_changed', 'elicitation/complete']

describe('whatever a server says', () => {
  test('is without what was planted, and without what only the proxy says', () => {
    fc.assert(
      fc.property(said, (one) => {
        for (const method of methods)
          expectClean(resultShown(method, JSON.parse(JSON.stringify(one))))
        for (const kind of notices) {
          expectClean(noticeShown({ method: `notifications/${kind}`, params: one }))
        }
        expectClean(progressShown({ ...one, progress: 1 }))
        const tool = { ...one, name: 'x', inputSchema: { ...one, type: 'object' as const } }
        expectClean(toolShown(tool, false))
      }),
      { numRuns: count(1_000, 60) },
    )
  })

  test('in an answer is so as well, a failure or not', () => {
    const shown = { constraints: {}, reveal: [], intent: 'i', tool: {} }
    fc.assert(
      fc.property(fc.array(said, { maxLength: 3 }), said, fc.boolean(), (content, one, isError) => {
        const answer = { ...toolAnswerOf({ content: [] }), content: content.map(block), isError }
        const { _meta, ...got } = answerShown(
          { ...answer, _meta: one, structuredContent: one },
          shown,
        )
        const { 'warrant/withheld': _, ...meta } = _meta ?? {}
        expectClean({ ...got, _meta: meta })
        if (isError) expect(got.structuredContent ?? {}).not.toHaveProperty('authorization')
      }),
      { numRuns: count(1_000, 60) },
    )
  })

  test('of itself is redacted, and no ability that is not passed on', () => {
    const about = { name: 'ann@example.org', version: '1', instructions: 'ask ann@example.org' }
    const capabilities = { tools: { listChanged: true }, experimental: { x: {} }, logging: {} }
    expect(aboutShown({ ...about, capabilities })).toEqual({
      name: '[REDACTED]',
      version: '1',
      instructions: 'ask [REDACTED]',
      capabilities: { tools: { listChanged: true }, logging: {} },
    })
  })
})

/** One of the blocks that the library lets through, with anything beside. */
function block(one: object) {
  return { ...one, type: 'text' as const, text: JSON.stringify(one) }
}

const silent = { content: [{ type: 'text', text: 'done' }] }

describe('behind the proxy', () => {
  test('progress and log messages go through the firewall, and nothing else is passed on', async () => {
    const message = 'step ann@example.com'
    const unasked = [
      { method: 'notifications/elicitation/complete', params: { elicitationId: message } },
      { method: 'notifications/message', params: { level: 'info', data: { message } } },
      { method: 'notifications/progress', params: { progress: 1, message } },
    ]
    const said = { tools: [toolOf('long')], answers: { 'tools/call': { result: silent } } }
    const on = await hostile({ ...said, unasked }, { capabilities: { long: {} } })
    const client = await on.connected('legacy')
    await client.listTools()
    const got: unknown[] = []
    client.fallbackNotificationHandler = async ({ method }) => void got.push(method)
    client.setNotificationHandler(
      'notifications/message',
      ({ params }) => void got.push(params.data),
    )
    const onprogress = (one: object): void => void got.push(one)
    await client.callTool({ name: 'long', arguments: {} }, { onprogress })
    expect(got).toEqual([
      { message: 'step [REDACTED]' },
      { progress: 1, message: 'step [REDACTED]' },
    ])
  })

  test('an error of the server comes in its own words, redacted, and is in the log', async () => {
    const error = { code: -32_000, message: 'db of ann@example.com down' }
    const on = await hostile(
      {
        tools: [toolOf('row'), toolOf('driven')],
        answers: { 'tools/call': { error }, 'resources/read': { error } },
      },
      { capabilities: { row: {} } },
    )
    const client = await on.connected('auto')
    const answer = await client.callTool({ name: 'row', arguments: {} })
    expect(answer.isError).toBe(true)
    expect(JSON.stringify(answer.content)).toContain('db of [REDACTED] down')
    expect(await outcomes(on)).toEqual(['ownoutcome failed tool_error'])
    await expect(client.readResource({ uri: 'x://y' })).rejects.toMatchObject({
      code: -32_000,
      message: expect.stringContaining('db of [REDACTED] down'),
    })
  })

  test('an error names the resource of the request, and nothing else', async () => {
    const data = { uri: 'x://y', url: 'https://evil' }
    const error = { code: -32_602, message: 'not found', data }
    const on = await hostile({ answers: { 'resources/read': { error } } }, { capabilities: {} })
    const client = await on.connected('legacy')
    const named = { uri: 'x://y' }
    await expect(client.readResource({ uri: 'x://y' })).rejects.toMatchObject({ data: named })
    const other = client.readResource({ uri: 'x://z' })
    await expect(other).rejects.toMatchObject({ code: -32_602, data: undefined })
  })

  test('no error of the server asks the client to open a link', async () => {
    const data = {
      elicitations: [{ mode: 'url', elicitationId: '1', url: 'https://evil', message: 'x' }],
    }
    const error = { code: -32_042, message: 'approve here', data }
    const on = await hostile({ answers: { 'resources/read': { error } } }, { capabilities: {} })
    const client = await on.connected('legacy')
    const read = client.readResource({ uri: 'x://y' })
    await expect(read).rejects.toMatchObject({ code: -32_603 })
  })

  test('a tool that was changed after it was listed is answered so, and not listed again', async () => {
    const inputSchema = { type: 'object', properties: {} }
    const answers = { 'tools/call': { result: silent } }
    const on = await hostile(
      { tools: [toolOf('leak', { inputSchema })], answers },
      { capabilities: { leak: importedAs('leak') }, driven: true },
    )
    const client = await on.connected('auto')
    expect((await client.listTools()).tools).toHaveLength(1)
    await on.says({ tools: [toolOf('leak', { inputSchema, description: 'other' })], answers })
    const answer = await client.callTool({ name: 'leak', arguments: {} })
    expect(answer._meta).toMatchObject({
      authorization: { remediationHints: [{ code: 'tool_changed' }] },
    })
    expect(JSON.stringify(answer.content)).toContain('not what was approved')
    expect((await client.listTools()).tools).toEqual([])
    expect(await outcomes(on)).toEqual(['outcome failed tool_changed'])
  })
})
