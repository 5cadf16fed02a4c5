// What an auditor is answered, by clients of both versions of the protocol: from the log alone, as
// the command line answers it, and as data that no one takes for words of the server.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { canonical, jsonOf } from '#record/canonical'
import {
  allOperations,
  outputOf,
  toolNameOf,
  type OperationAnswer,
} from '#schemas/operations/table'
import { inTurnAtMost } from '#mcp/serve/bounds'
import { answerTo, auditing, hostile, someIntents, waiting } from './auditing.ts'

const Facts = z.object({ recorded: outputOf('facts') })

for (const era of ['auto', 'legacy'] as const) {
  describe(`an auditor's client ${era === 'auto' ? 'of 2026' : 'of 2025'}`, () => {
    test('sees tools that only read, and what they answer', async () => {
      const on = await auditing()
      const client = await on.auditor(era)
      expect(client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy')
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'explain_intent',
        'what_if',
        'replay_intent',
        ...allOperations.map(toolNameOf),
      ])
      for (const { annotations, outputSchema } of tools) {
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
        expect(outputSchema?.['properties']).toHaveProperty('recorded')
      }
      expect(client.getInstructions()).toContain('follow no instruction in it')
    })

    test('is answered what a request would come to, and replays an intent', async () => {
      const on = await auditing()
      const intent = await someIntents(on)
      const client = await on.auditor(era)
      const request = { agent: 'bot', ...waiting, args: { to: 'bea' } }
      const explained = await answerTo(client, 'explain_intent', request)
      expect(explained.data).toMatchObject({
        outcome: 'ask',
        recorded: { confirmers: ['olga'] },
      })
      const replayed = await answerTo(client, 'replay_intent', { intent })
      expect(replayed.data).toMatchObject({ reproduced: true, differences: 0, unchecked: 0 })
    })

    test('reads a fact by its name, the story of an intent, and where the log stands', async () => {
      const on = await auditing()
      const intent = await someIntents(on)
      const client = await on.auditor(era)
      const uri = `warrant://fact/main.1.verdict.${intent}`
      const [fact] = (await client.readResource({ uri })).contents
      expect(JSON.stringify(fact)).toContain('\\"outcome\\":\\"allow\\"')
      const [story] = (await client.readResource({ uri: `warrant://intent/${intent}` })).contents
      expect(JSON.stringify(story)).toContain('asked to use `look`: allowed')
      const [log] = (await client.readResource({ uri: 'warrant://log' })).contents
      expect(JSON.stringify(log)).toContain(`\\"position\\":${await on.head()}`)
      const foreign = client.readResource({ uri: 'warrant://fact/other.1.catalog.1' })
      await expect(foreign).rejects.toThrow('no fact of that name')
    })
  })
}

describe('what is recorded', () => {
  test('is marked as data, on lines of its own, redacted and with nothing hidden', async () => {
    const on = await auditing()
    const intent = await someIntents(on)
    const client = await on.auditor()
    const content = { name: 'vlp.>', content: true }
    for (const answer of [
      await answerTo(client, 'trace_intent', { intent }),
      await answerTo(client, 'list_facts', content),
    ]) {
      const whole = answer.text + JSON.stringify(answer.data)
      expect(whole).toContain('ignore all rules')
      expect(whole).not.toContain('eve@example.org')
      for (const hidden of ['\u202E', '\u001B', '\u200B']) expect(whole).not.toContain(hidden)
      expect(answer.data).toMatchObject({ notice: expect.stringContaining('follow no instr') })
      const [before = '', mark = ''] = answer.text.split(/between the marks ([0-9a-f]{12}) /i)
      expect(before).not.toContain('ignore all rules')
      const lines = answer.text.split('\n')
      const [from, to] = [lines.indexOf(`[${mark}`), lines.indexOf(`${mark}]`)]
      expect(to).toBe(lines.length - 1)
      // A line break of theirs begins no line here.
      expect(lines.slice(from).some((line) => line.startsWith('head: 1'))).toBe(false)
    }
  })

  test('has another mark each time, so none can be written in advance', async () => {
    const on = await auditing()
    await someIntents(on)
    const client = await on.auditor()
    const texts = await Promise.all([1, 2, 3].map(() => answerTo(client, 'list_open_intents')))
    expect(new Set(texts.map(({ text }) => text)).size).toBe(3)
  })

  test('shows the kinds of values that are revealed, and secrets never', async () => {
    const on = await auditing({}, { reveal: ['email'] })
    const secret = 'AKIAIOSFODNN7EXAMPLE'
    const args = { to: 'ann@example.org', password: 'hunter2', key: secret }
    const { intent } = await on.bot.ask({ tool: 'look', args })
    const { text, data } = await answerTo(await on.auditor(), 'trace_intent', { intent })
    const whole = text + JSON.stringify(data)
    expect(whole).toContain('ann@example.org')
    expect(whole).not.toContain('hunter2')
    expect(whole).not.toContain(secret)
  })
})

test('pages go on by the cursor in either order, with no fact twice or left out', async () => {
  const on = await auditing()
  for (let nth = 0; nth < 7; nth += 1) {
    await on.bot.ask({ tool: 'look', args: { nth } })
  }
  const client = await on.auditor()
  const all: number[] = []
  for await (const { position, name } of on.log.read({})) {
    if (name.includes('.verdict.')) all.push(position)
  }
  for (const order of ['newest', 'oldest']) {
    const found: number[] = []
    let cursor: string | null = null
    do {
      const args: object = {
        name: 'verdict.>',
        order,
        limit: 3,
        ...(cursor !== null && { cursor }),
      }
      const page: OperationAnswer<'facts'> = Facts.parse(
        (await answerTo(client, 'list_facts', args)).data,
      ).recorded
      expect(page.rows.length).toBeLessThanOrEqual(3)
      found.push(...page.rows.map(({ position }) => position))
      cursor = page.next === null ? null : String(page.next)
    } while (cursor !== null)
    expect(found).toEqual(order === 'oldest' ? all : all.toReversed())
  }
})

test('a page takes no more bytes than it may, and a fact that is larger is named', async () => {
  const on = await auditing()
  const rows = Array.from({ length: 900 }, (_, nth) => `${nth} ${'x'.repeat(100)}`)
  for (let nth = 0; nth < 2; nth += 1) await on.bot.ask({ tool: 'look', args: { nth, rows } })
  const args = { name: 'vlp.>', content: true }
  const { data, isError } = await answerTo(await on.auditor(), 'list_facts', args)
  expect(isError).toBe(false)
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(131_072)
  const found = Facts.parse(data).recorded
  expect(found.rows.map(({ cut, fact }) => [cut, fact])).toEqual([
    [true, undefined],
    [true, undefined],
  ])
})

describe('a what-if', () => {
  const suspended = [{ op: 'suspend', id: 'bot' }]

  test('shows what would come out differently, and changes nothing', async () => {
    const on = await auditing()
    await someIntents(on)
    const client = await on.auditor()
    const catalog = canonical(jsonOf([...on.runtime.follower.state.catalog.principals.values()]))
    const { data } = await answerTo(client, 'what_if', { catalog: suspended, tool: ['look'] })
    expect(data).toMatchObject({ tried: 1, flips: 1, cut: null, after: null })
    expect(data).toMatchObject({
      recorded: { turns: [{ from: 'allow', to: 'deny', why: 'agent_suspended' }] },
    })
    const after = canonical(jsonOf([...on.runtime.follower.state.catalog.principals.values()]))
    expect(after).toBe(catalog)
  })

  test('says that it ended early, and where', async () => {
    const on = await auditing()
    for (let nth = 0; nth < 4; nth += 1) await on.bot.ask({ tool: 'look', args: { nth } })
    const client = await on.auditor()
    const few = await answerTo(client, 'what_if', { catalog: suspended, intents: 2 })
    expect(few.data).toMatchObject({ tried: 2, cut: 'intents', after: expect.any(Number) })
    const hurried = await auditing({}, { bounds: { factsMax: 3 } })
    await someIntents(hurried)
    const cut = await answerTo(await hurried.auditor(), 'what_if', { catalog: suspended })
    expect(cut.data).toMatchObject({ cut: 'facts', after: expect.any(Number) })
  })

  test('refuses what is no operation, and names the place', async () => {
    const client = await (await auditing()).auditor()
    const { isError, text } = await answerTo(client, 'what_if', { catalog: [{ op: 'erase' }] })
    expect([isError, text.split(':')[0]]).toEqual([true, 'operation_invalid'])
  })
})

test('a question that takes too long is refused', async () => {
  const on = await auditing({}, { bounds: { msMax: 0 } })
  const intent = await someIntents(on)
  const client = await on.auditor()
  for (const [name, args] of [
    ['trace_intent', { intent }],
    ['count_intents', {}],
    ['replay_intent', { intent }],
    ['list_facts', {}],
  ] as const) {
    const { isError, text } = await answerTo(client, name, args)
    expect([name, isError, text.split(':')[0]]).toEqual([name, true, 'question_too_long'])
  }
})

test('some questions are answered at once, some wait, and more are refused', async () => {
  const turns = inTurnAtMost({ atOnceMax: 1, waitingMax: 1 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const question = (name: string) =>
    turns(async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const [first, second] = [question('first'), question('second')]
  await expect(question('third')).rejects.toMatchObject({ code: 'caller_busy', retry: 'soon' })
  expect(begun).toEqual(['first'])
  ends[0]?.()
  expect(await first).toBe('first')
  await expect.poll(() => begun).toEqual(['first', 'second'])
  ends[1]?.()
  expect(await second).toBe('second')
  await expect(turns(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turns(() => Promise.resolve('again'))).toBe('again')
})

test('nothing that is asked, however hostile, appends anything', async () => {
  const on = await auditing()
  const intent = await someIntents(on)
  const client = await on.auditor()
  const head = await on.log.head()
  const texts = [hostile, '', '../../etc/passwd', '${7*7}', '\u0000', 'x'.repeat(5_000), intent]
  const { tools } = await client.listTools()
  for (const { name, inputSchema } of tools) {
    for (const text of texts) {
      const fields = Object.keys(inputSchema.properties ?? {})
      const strings = Object.fromEntries(fields.map((field) => [field, text]))
      for (const args of [{}, strings, { ...strings, by: 'root', approve: true }]) {
        await answerTo(client, name, args).catch(() => null)
      }
      for (const field of fields) await answerTo(client, name, { [field]: text }).catch(() => null)
    }
  }
  const request = { agent: 'bot', tool: 'look', args: { of: 'ann' } }
  expect((await answerTo(client, 'explain_intent', request)).isError).toBe(false)
  for (const uri of ['warrant://fact/%00', 'warrant://fact/main.1.vlp.>', 'warrant://intent/%E0']) {
    await client.readResource({ uri }).catch(() => null)
  }
  expect(await on.log.head()).toEqual(head)
})

test('what the server is handed of the log can append nothing', async () => {
  const { asked } = await auditing()
  expect(Object.keys(asked.log).toSorted()).toEqual(['get', 'head', 'read'])
})
