// Tools of the AI SDK run on an allow alone, once, with what was judged; what people are asked
// about suspends and goes on by the SDK's own parts, in another process too.
import { describe, expect, test } from 'vitest'
import type { ModelMessage } from 'ai'
import { expectReplay, names } from '../support/scene.ts'
import { desk, deskSetup, intents, rule, type Desk } from './scripted-desk.ts'
import { sdk6, sdk7, type Line, type Sdk, type SdkRun } from './scripted-ai.ts'

const session = 'S-2026-01-01-bot-0a1b2c'
const user = (content: string): ModelMessage => ({ role: 'user', content })
const call = (tool: string, id = 'c1', path = 'a'): Line => [{ id, tool, args: { path } }]

async function begun(sdk: Sdk, on?: Desk): Promise<Desk & SdkRun> {
  const of = on === undefined ? await desk() : await desk(deskSetup, on)
  return { ...of, ...sdk.begin(of.bot, of.ran, { session }) }
}

/** What the model reads in place of a result, or as one. */
function outputs(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'tool') return []
    return content.flatMap((part) => {
      return part.type === 'tool-result' ? [JSON.stringify(part.output)] : []
    })
  })
}

describe.each([sdk6, sdk7])('version $version', (sdk) => {
  test('what is allowed runs, with the defaults that were judged, and what it returns is the answer', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.generate([call('look'), 'done'], [user('look at a')])
    expect([text, on.ran]).toEqual(['done', [['look', { path: 'a', depth: 1 }]]])
    expect(outputs(messages)).toEqual([expect.stringContaining('look of a')])
    await expectReplay(on)
  })

  test('what is refused does not run, and the model reads what is missing', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.generate([call('fly'), 'sorry'], [user('fly')])
    expect([text, on.ran]).toEqual(['sorry', []])
    expect(outputs(messages)).toEqual([expect.stringMatching(/refused.*missing.*moon/s)])
    expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
  })

  test('what people are asked about suspends, and goes on in another process as approved', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    expect(on.ran).toEqual([])
    await rule(on, true)
    const later = await begun(sdk, on)
    const approvals = await later.governed.approvals(messages)
    expect(approvals?.content).toMatchObject([{ type: 'tool-approval-response', approved: true }])
    if (approvals === null) throw new Error('nothing waits')
    const { text } = await later.generate(['deleted'], [...messages, approvals])
    expect([text, later.ran]).toEqual(['deleted', [['erase', { path: 'a', depth: 1 }]]])
    expect(await intents(on)).toHaveLength(1)
    await expectReplay(on)
  })

  test('what people decline is answered with why, and does not run', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    await rule(on, false)
    const approvals = await on.governed.approvals(messages)
    if (approvals === null) throw new Error('nothing waits')
    const { text, ...rest } = await on.generate(['a pity'], [...messages, approvals])
    expect([text, on.ran]).toEqual(['a pity', []])
    expect(outputs(rest.messages).join()).toContain('refused')
  })

  test('a yes of the application alone runs nothing', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    const { text } = await on.generate(['waiting'], [...messages, approved(messages)])
    expect([text, on.ran]).toEqual(['waiting', []])
    expect(await names(on.log, 'main.1.decision.>')).toEqual([])
  })

  test('answers that come twice run it once', async () => {
    const on = await begun(sdk)
    const { messages } = await on.generate([call('erase')], [user('delete a')])
    await rule(on, true)
    const answered = [...messages, approved(messages)]
    const both = [on, await begun(sdk, on)].map((one) => one.generate(['deleted'], answered))
    await Promise.all(both)
    await on.generate(['deleted'], answered)
    expect(await names(on.log, 'main.1.ownstart.>')).toHaveLength(1)
  })

  test('calls that come together are each judged', async () => {
    const on = await begun(sdk)
    const together = [call('look', 'c1', 'a'), call('look', 'c2', 'b'), call('fly', 'c3')].flat()
    const { text } = await on.generate([calls(together), 'done'], [user('look')])
    expect(text).toBe('done')
    expect(on.ran.map(([, args]) => args)).toMatchObject([{ path: 'a' }, { path: 'b' }])
    expect(await intents(on)).toHaveLength(3)
  })

  test('streamed, it is the same: what is allowed runs and what is asked about suspends', async () => {
    const on = await begun(sdk)
    const { text, messages } = await on.stream([call('look'), call('erase', 'c2')], [user('go')])
    expect([text, on.ran.map(([name]) => name)]).toEqual(['', ['look']])
    await rule(on, true)
    const approvals = await on.governed.approvals(messages)
    if (approvals === null) throw new Error('nothing waits')
    const rest = await on.stream(['deleted'], [...messages, approvals])
    expect([rest.text, on.ran.map(([name]) => name)]).toEqual(['deleted', ['look', 'erase']])
  })

  test('where the log is out of reach nothing runs, and the model reads no reason to go around', async () => {
    const on = await begun(sdk)
    await on.runtime.stop()
    const { messages } = await on.generate([call('look'), 'sorry'], [user('look')])
    expect(on.ran).toEqual([])
    expect(outputs(messages)).toEqual([expect.stringContaining('log_closed')])
  })
})

function calls(lines: readonly (string | { id: string; tool: string; args: unknown })[]): Line {
  return lines.filter((one) => typeof one !== 'string')
}

/** What an application says that believes its own button. */
function approved(messages: readonly ModelMessage[]): ModelMessage {
  const content = messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return []
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-approval-request') return []
      const { approvalId } = part
      return [{ type: 'tool-approval-response' as const, approvalId, approved: true }]
    })
  })
  return { role: 'tool', content }
}
