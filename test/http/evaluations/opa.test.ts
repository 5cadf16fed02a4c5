// The shape of OPA's data API: as `@ai-sdk/policy-opa` asks, and as any other client of OPA.
import { opaPolicy, type PolicyClient } from '@ai-sdk/policy-opa'
import { generateText, tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OpaAnswer } from '#schemas/http/opa'
import { scriptedModel } from '../../frameworks/scripted-ai.ts'
import { decisionPoint, type Catalog, type DecisionPoint } from './decision-point.ts'

const argsSchema = { type: 'object' }
const catalog: Catalog = {
  principals: [
    {
      id: 'gate',
      owner: 'olga',
      roles: ['writer'],
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'staff' } }] },
    },
    { id: 'ann', roles: ['staff'] },
    { id: 'boss' },
  ],
  capabilities: [
    { id: 'read_file', safetyClass: 'READ', argsSchema },
    { id: 'write_file', safetyClass: 'WRITE', argsSchema },
    {
      id: 'send',
      safetyClass: 'READ',
      argsSchema,
      conditions: [{ name: 'large', effect: 'confirm', when: 'has(args.n) && args.n > 10' }],
    },
  ],
  defaults: { justificationFor: [] },
}

async function data(point: DecisionPoint, path: string, input: unknown): Promise<OpaAnswerOf> {
  const response = await point.send(`/v1/data/${path}`, { input })
  expect(response.status).toBe(200)
  return OpaAnswer.parse(await response.json())
}
type OpaAnswerOf = ReturnType<typeof OpaAnswer.parse>

test('a path of ours is answered, with the name of the verdict; of another there is nothing', async () => {
  const point = await decisionPoint(catalog)
  const input = { tool: { name: 'read_file' }, args: { path: 'a' }, messages: [{ role: 'user' }] }
  const name = expect.stringMatching(/^main\.1\.verdict\.gate\.-\./)
  expect(await data(point, 'warrant/allow', input)).toEqual({ result: true, decision_id: name })
  const decided = await data(point, 'warrant/decision', input)
  expect(decided).toEqual({ result: { decision: 'allow' }, decision_id: name })
  expect(await point.on.log.get(decided.decision_id ?? '')).toBeDefined()
  for (const path of ['warrant', 'system/main', 'warrant/allow/x', 'a%2Fb']) {
    expect(await data(point, path, input)).toEqual({})
  }
})

test('another may be named, and is judged by its own rights', async () => {
  const point = await decisionPoint(catalog)
  const asked = { tool: { name: 'write_file' }, args: {} }
  const of = (id: string) => ({ ...asked, subject: { type: 'user', id } })
  expect(await data(point, 'warrant/allow', asked)).toMatchObject({ result: true })
  expect(await data(point, 'warrant/allow', of('ann'))).toMatchObject({ result: false })
  expect(await data(point, 'warrant/decision', of('boss'))).toMatchObject({
    result: { decision: 'deny', reason: expect.stringContaining('does not let the caller ask') },
  })
})

test('what cannot be read is denied, never undefined', async () => {
  const point = await decisionPoint(catalog)
  const bad = [undefined, null, 7, {}, { tool: 'read_file' }, { tool: { name: 'x\u0000' } }]
  for (const input of bad) {
    expect(await data(point, 'warrant/allow', input)).toEqual({ result: false })
    expect(await data(point, 'warrant/decision', input)).toMatchObject({
      result: { decision: 'deny' },
    })
  }
})

test('decides for `opaPolicy`, which asks its user where people would be', async () => {
  const point = await decisionPoint(catalog)
  const client: PolicyClient = {
    evaluate: async (path, input) => {
      const response = await point.send(`/v1/data/${path}`, { input })
      return JSON.parse(await response.text()).result
    },
  }
  const ran: string[] = []
  const inputSchema = z.object({ n: z.number() })
  const running = (name: string) => tool({ inputSchema, execute: () => ran.push(name) })
  const calls = ['read_file', 'send', 'fly'].map((name) => ({
    id: name,
    tool: name,
    args: { n: 11 },
  }))
  const { responseMessages } = await generateText({
    model: scriptedModel([calls, 'done']),
    stopWhen: ({ steps }) => steps.length >= 3,
    tools: { read_file: running('read_file'), send: running('send'), fly: running('fly') },
    toolApproval: opaPolicy({ client, path: 'warrant/decision' }),
    messages: [{ role: 'user', content: 'go' }],
  })
  expect(ran).toEqual(['read_file'])
  expect(JSON.stringify(responseMessages)).toMatch(/tool-approval-request.*"send"/)
  expect(JSON.stringify(responseMessages)).toContain('no capability `fly`')
})
