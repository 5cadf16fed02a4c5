// The proxy where nothing is enforced, with clients of the official library: every call goes
// through as it is, and what would have been decided is recorded beside it.
import { describe, expect, test } from 'vitest'
import { toolSecrets } from '#gateway/tools/secrets'
import { systemTimer } from '#system/clock'
import { readData } from '#record/event'
import { partsInRealm } from '#record/names'
import type { VerdictData } from '#schemas/facts'
import { behindAt } from '#mcp/behind'
import { observingDoor, type ObservedLog } from '#mcp/observing'
import { overHttp } from '#mcp/serving'
import { endWithTest } from '../support/vitest/endings.ts'
import { clientsOn, importedAs, outcomes, proxied, until, type ProxiedSetup } from './proxied.ts'

const text = (value: string) => [{ type: 'text', text: value }]
const asks = {
  safetyClass: 'READ' as const,
  conditions: [{ name: 'always', when: 'true', effect: 'confirm' as const, question: 'Really?' }],
}

async function observing(capabilities: Capabilities, gone = false) {
  const on = await proxied({
    capabilities,
    catalog: { rules: 5 },
  })
  const missed: string[] = []
  const unlike: string[] = []
  const secrets = toolSecrets({ variables: {}, folder: null })
  const behind = behindAt({ server: on.server, isInCatalog: false, secrets })
  const log: ObservedLog = { client: on.bot, speaker: { as: 'bot' }, session: null, server: null }
  const door = observingDoor({
    behind,
    timer: systemTimer,
    opened: () => (gone ? Promise.reject(new Error('the log is gone')) : Promise.resolve(log)),
    onMissed: (tool, why) => void missed.push(`${tool}: ${why}`),
    onUnlike: (tool, is) => void unlike.push(`${tool} ${is}`),
  })
  const front = overHttp(door.front, () => {})
  const { connected, left } = clientsOn(front)
  endWithTest(async () => {
    await left()
    await front.close()
    await behind.close()
  })
  return { ...on, door, connected, missed, unlike }
}

type Capabilities = ProxiedSetup['capabilities']
type Observing = Awaited<ReturnType<typeof observing>>

async function verdicts({ log }: Pick<Observing, 'log'>): Promise<readonly VerdictData[]> {
  const found: VerdictData[] = []
  for await (const fact of log.read({})) {
    const data = partsInRealm(fact.name, 'main')?.kind === 'verdict' && readData('verdict', fact)
    if (data) found.push(data)
  }
  return found
}

async function kindsIn({ log }: Pick<Observing, 'log'>): Promise<readonly string[]> {
  const kinds: string[] = []
  for await (const { name } of log.read({})) kinds.push(partsInRealm(name, 'main')?.kind ?? '')
  return kinds
}

describe.each(['auto', 'legacy'] as const)('a client, %s', (era) => {
  test('sees all tools, and has calls go through that would be denied or asked about', async () => {
    const on = await observing({ test_simple_text: {}, send: asks })
    const client = await on.connected(era)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('leak')
    const said = await client.callTool({ name: 'test_simple_text', arguments: {} })
    expect(said.content).toEqual(text('This is a simple text response for testing.'))
    const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
    expect(sent.content).toEqual(text('sent to ann'))
    // What the catalog does not have is denied else, and nothing of the answer is redacted.
    const leaked = await client.callTool({ name: 'leak', arguments: {} })
    expect(leaked.content).toEqual(text('card 4111 1111 1111 1111, mail ann@example.com'))
    await on.door.ended()
    const found = (await verdicts(on)).map(({ outcome, observed, terms, reasons }) => {
      return [outcome, observed, terms, reasons.map(({ code, params }) => params.cause ?? code)]
    })
    expect(found).toHaveLength(3)
    expect(found).toContainEqual(['allow', true, null, []])
    expect(found).toContainEqual(['deny', true, null, ['not_asked']])
    expect(found).toContainEqual(['deny', true, null, ['unknown_capability']])
    expect(await outcomes(on)).toEqual(Array(3).fill('ownoutcome succeeded'))
    const kinds = await kindsIn(on)
    for (const kind of ['review', 'start', 'ownstart']) expect(kinds).not.toContain(kind)
    expect([on.missed, on.door.calls()]).toEqual([[], 3])
  })

  test('gets the errors of the server as they are, and they are recorded', async () => {
    const on = await observing({ test_error_handling: {} })
    const client = await on.connected(era)
    const failed = await client.callTool({ name: 'test_error_handling', arguments: {} })
    expect(failed.isError).toBe(true)
    expect(JSON.stringify(failed)).not.toContain('warrant')
    await on.door.ended()
    expect(await outcomes(on)).toEqual(['ownoutcome failed tool_error'])
  })

  test('has its calls go through where the log is gone, each of them counted', async () => {
    const on = await observing({ send: asks }, true)
    const client = await on.connected(era)
    const sent = await client.callTool({ name: 'send', arguments: { to: 'ann' } })
    expect(sent.content).toEqual(text('sent to ann'))
    await on.door.ended()
    expect(on.missed).toEqual(['send: the log is gone'])
    expect(await verdicts(on)).toEqual([])
  })
})

test('a log that never answers keeps no call waiting', async () => {
  const on = await observing({ send: asks })
  const never = new Promise<ObservedLog>(() => undefined)
  const secrets = toolSecrets({ variables: {}, folder: null })
  const behind = behindAt({ server: on.server, isInCatalog: false, secrets })
  const missed: string[] = []
  // The time that a call may take to be recorded passes at once, and the call has been answered.
  const door = observingDoor({
    behind,
    timer: { ...systemTimer, after: (_ms, act) => systemTimer.after(0, act) },
    opened: () => never,
    onMissed: (tool, why) => void missed.push(`${tool}: ${why}`),
    onUnlike: () => undefined,
  })
  endWithTest(() => behind.close())
  const signal = new AbortController().signal
  const call = { name: 'send', args: { to: 'ann' }, signal, opened: null }
  const ended = await door.front.call({ ...call, can: { tasks: false, links: false } })
  expect(ended).toMatchObject({ is: 'answer', answer: { content: text('sent to ann') } })
  await door.ended()
  expect(missed).toEqual([expect.stringContaining('no verdict came')])
})

test('a tool that is not what was approved is passed, and reported', async () => {
  const on = await observing({ test_simple_text: importedAs('test_simple_text', 'another one') })
  const client = await on.connected('auto')
  const said = await client.callTool({ name: 'test_simple_text', arguments: {} })
  expect(said.isError).not.toBe(true)
  await on.door.ended()
  expect(on.unlike).toEqual(['test_simple_text changed'])
})

test('a call that the client cancels ends as unknown', async () => {
  const on = await observing({ slow: {} })
  const client = await on.connected('auto')
  const leaving = new AbortController()
  const call = client.callTool({ name: 'slow', arguments: {} }, { signal: leaving.signal })
  call.catch(() => undefined)
  await until(async () => (await on.ran()).length > 0)
  leaving.abort()
  await expect(call).rejects.toThrow(/./u)
  await on.door.ended()
  expect(await outcomes(on)).toEqual(['ownoutcome unknown call_failed'])
})
