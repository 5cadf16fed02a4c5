// What was reported of hooks of other tools, tried on ours: each event with what is right.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answerOffline } from '#cli/agents/hook/offline-answer'
import { beforeTool, hostOf } from '../../../shell/hooks/host-events.ts'

const FieldCase = z.strictObject({
  source: z.string(),
  host: z.string(),
  tool: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  cwd: z.string().optional(),
  event: z.unknown().optional(),
  expected: z.enum(['allow', 'ask', 'deny']),
})

const cases = readFileSync(join(import.meta.dirname, '../../../data/field/hooks.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => FieldCase.parse(JSON.parse(line)))

/** Without a log no one can be asked: what would be asked about is denied, with that reason. */
async function outcomeOf({ host, tool, input, cwd, event }: z.infer<typeof FieldCase>) {
  const { cwd: _, ...bare } = beforeTool(host, { tool: tool ?? '', input: input ?? {} })
  const given = event ?? { ...bare, ...(cwd !== undefined && { cwd }) }
  const answer = await answerOffline(hostOf(host), given)
  if (typeof answer === 'string') return answer
  return answer.outcome === 'deny' && answer.reason.includes('warrant asks:')
    ? 'ask'
    : answer.outcome
}

describe('an event of the field', () => {
  test.each(
    cases.map((one) => [`${one.host} ${JSON.stringify(one.event ?? one.input)}`, one] as const),
  )('%s', async (_, one) => {
    expect(await outcomeOf(one)).toBe(one.expected)
  })
})
