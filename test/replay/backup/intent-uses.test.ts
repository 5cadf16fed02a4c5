// What an export of one intent holds of budgets: the uses of those that it takes and of no other,
// since what others have used is no part of its proof. It derives all the same.
import { expect, test } from 'vitest'
import type { Budget } from '#schemas/budgets/budget'
import type { Fact } from '#ports/log'
import { takeIntent } from '#replay/backup/intent'
import { stages } from '#workers/stages'
import { anyArgs, judged, place, say, scene, verdict, type Scene } from '../../support/scene.ts'
import { moduleCallbacks } from '../../support/runtime.ts'

const READ = 'READ' as const
const windowMs = 3_600_000
const budgets: Budget[] = [
  { name: 'sums', of: 'args.n', max: 10, windowMs, per: 'args.to', capabilities: ['pay'] },
  { name: 'mails', max: 100, windowMs, capabilities: ['mail'] },
]
const setup = {
  catalog: {
    capabilities: ['pay', 'mail'].map((id) => ({ id, safetyClass: READ, argsSchema: anyArgs })),
    principals: [{ id: 'eve', owner: 'olga' }],
    limits: [{ safetyClass: READ, uses: 'unlimited' as const, windowMs: 1 }],
    budgets,
  },
}

const paying = (to: string, n: number) => ({ tool: 'pay', args: { to, n } })

/** Others use up of both budgets, before and after each other. */
async function used(on: Scene): Promise<void> {
  for (const n of [1, 2, 3]) {
    await judged(on, { as: 'eve', intent: paying('eve', n) })
    await judged(on, { as: 'eve', intent: { tool: 'mail' } })
  }
}

/** The uses in the export of that intent, which derives what was recorded of it. */
async function exported({ log }: Scene, address: string): Promise<readonly string[]> {
  const callbacks = moduleCallbacks(undefined)
  const deriving = { place, rootKey: null, stages, callbacks }
  const { parts, report, isWhole } = await takeIntent(log, address, deriving)
  await callbacks.close()
  expect([report.differences, isWhole]).toEqual([0, false])
  const facts: Fact[] = []
  for await (const part of parts()) if ('name' in part) facts.push(part)
  return facts.flatMap(({ name }) => (/[.]budget[.]/.test(name) ? [usesOf(name)] : []))
}

const usesOf = (name: string): string => name.split('.').slice(3).join('.')

test('an intent that takes of a budget has the uses of that one, and of its own key', async () => {
  const on = await scene(setup)
  await judged(on, { intent: paying('ann', 4) })
  await used(on)
  const address = await say(on.log, { intent: paying('ann', 5) })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  await used(on)
  expect(await exported(on, address)).toEqual(['sums.ann.1', 'sums.ann.2'])
})

test('an intent that takes of no budget has none of their uses', async () => {
  const on = await scene({
    ...setup,
    catalog: {
      ...setup.catalog,
      capabilities: [
        ...setup.catalog.capabilities,
        { id: 'look', safetyClass: READ, argsSchema: anyArgs },
      ],
    },
  })
  await used(on)
  const address = await say(on.log, { intent: { tool: 'look' } })
  expect((await verdict(on.log, address)).outcome).toBe('allow')
  expect(await exported(on, address)).toEqual([])
})

test('one that a budget refuses has what it was refused for', async () => {
  const on = await scene(setup)
  await judged(on, { intent: paying('ann', 9) })
  const address = await say(on.log, { intent: paying('ann', 5) })
  expect((await verdict(on.log, address)).reasons[0]?.code).toBe('budget_exceeded')
  expect(await exported(on, address)).toContain('sums.ann.1')
})
