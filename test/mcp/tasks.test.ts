// A call that people decide later, as a task: by requests written by hand, as a client that knows
// the tasks extension sends them.
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { keys } from '../support/runtime.ts'
import { proxied } from './proxied.ts'

const Answered = z.looseObject({
  result: z
    .looseObject({ taskId: z.string().optional(), status: z.string().optional() })
    .optional(),
  error: z.looseObject({ code: z.number() }).optional(),
})

type On = Awaited<ReturnType<typeof proxied>>

async function asked({ front }: On, method: string, params: Record<string, unknown>) {
  const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const name = params['name'] ?? params['taskId']
  const response = await front.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        host: '127.0.0.1',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(name),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': capabilities,
          },
        },
      }),
    }),
  )
  return Answered.parse(await response.json())
}

const send = { safetyClass: 'WRITE' as const }
const call = { name: 'send', arguments: { to: 'ann' } }

async function decided({ bot }: On, intent: string, answers: boolean): Promise<void> {
  const note = 'Ann asked for it yesterday'
  await bot.decide({ intent, confirmer: 'olga', privateKey: keys.olga, answers, note })
}

async function ended(on: On, taskId: string) {
  return vi.waitFor(
    async () => {
      const { result } = await asked(on, 'tasks/get', { taskId })
      expect(result?.status).not.toBe('working')
      return result
    },
    { timeout: 600_000 },
  )
}

test('a task is an intent in the log, and its result is what the tool answered', async () => {
  const on = await proxied({ capabilities: { send } })
  const { result } = await asked(on, 'tools/call', call)
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 86_400_000 })
  const taskId = result?.taskId ?? ''
  expect(on.runtime.follower.state.intents.has(taskId)).toBe(true)
  await decided(on, taskId, true)
  expect(await ended(on, taskId)).toMatchObject({
    status: 'completed',
    result: { content: [{ type: 'text', text: 'sent to ann' }] },
  })
  expect(await on.ran()).toEqual(['send'])
})

test('a task that people decline is completed with the denial', async () => {
  const on = await proxied({ capabilities: { send } })
  const taskId = (await asked(on, 'tools/call', call)).result?.taskId ?? ''
  await decided(on, taskId, false)
  expect(await ended(on, taskId)).toMatchObject({ result: { isError: true } })
  expect(await on.ran()).toEqual([])
})

test('a task that is cancelled is taken back, and never runs', async () => {
  const on = await proxied({ capabilities: { send } })
  const taskId = (await asked(on, 'tools/call', call)).result?.taskId ?? ''
  await asked(on, 'tasks/cancel', { taskId })
  expect(await ended(on, taskId)).toMatchObject({ status: 'cancelled' })
  const verdict = await on.bot.verdict(taskId)
  expect(verdict.outcome).toBe('deny')
  expect(await on.ran()).toEqual([])
})

test('a task is neither read nor cancelled by its name where it is not of this agent', async () => {
  const on = await proxied({ capabilities: { send } })
  for (const taskId of ['eve.-.01M8548N2E9STFRTS1TPGPSYJG', 'bot.-.x', '', 'bot']) {
    expect((await asked(on, 'tasks/get', { taskId })).error?.code).toBe(-32_602)
    expect((await asked(on, 'tasks/cancel', { taskId })).error?.code).toBe(-32_602)
  }
})
