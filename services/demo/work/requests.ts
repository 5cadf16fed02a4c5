// What a worker asks for after a task, and what that comes to: how many people are asked, if any.
import { readData } from '#core/kernel/event'
import { nameOf } from '#core/kernel/names'
import type { SessionHandle } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import type { JsonObject } from '#schemas/catalog'
import type { DemoTool, NextOutcome } from './task.ts'

const waitMs = 60_000

const args: Readonly<Record<DemoTool, JsonObject>> = {
  read: { service: 'shop' },
  deploy: { service: 'shop', version: 'next' },
  delete: { branch: 'old' },
}

export async function askNext(
  client: Warrant,
  session: SessionHandle,
  tool: DemoTool,
): Promise<NextOutcome> {
  const intent = { tool, args: args[tool], justification: 'it is what follows from the task' }
  const verdict = await client.ask(intent, { session, waitMs })
  if (verdict.outcome === 'deny') return 'refused'
  const { log, place } = client.runtime
  const review = await log.get(nameOf(place, 'review', verdict.intent, 1))
  switch (readData('review', review)?.quorum ?? 0) {
    case 0:
      return 'allowed'
    case 1:
      return 'asks 1'
    default:
      return 'asks 2'
  }
}
