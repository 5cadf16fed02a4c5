// What an owner bars a second time, or demands first, by what the agent did in the session before:
// attacked as the agent that wants it twice, and derived again.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Capability, type JsonObject } from '#schemas/catalog'
import { newestRules } from '#rules/catalog/rules-version'
import { changeCatalog } from '../../support/runtime.ts'
import { answer, codes, expectReplay, judged, reason, reviewed } from '../../support/scene.ts'
import { say, scene, verdict, type Saying, type Scene } from '../../support/scene.ts'
import { count } from '../../support/vitest/counts.ts'

const session = 'S-2026-01-01-bot-abcdef'
const other = 'S-2026-01-01-bot-fedcba'
const argsSchema = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'integer' }, bad: { type: 'boolean' } },
}
const WRITE = 'WRITE' as const
const once = {
  name: 'once',
  when: 'acts.exists(a, a.tool == "pay" && a.args.to == args.to && a.args.amount == args.amount)',
  effect: 'deny' as const,
  message: 'paid already',
}
const stopped = { name: 'stopped', when: 'has(args.bad)', effect: 'deny' as const }
const pay = { id: 'pay', safetyClass: WRITE, argsSchema, conditions: [once, stopped] }
const asked = {
  name: 'asked',
  when: 'args.amount > 100',
  effect: 'confirm' as const,
}
const verify = {
  id: 'verify',
  safetyClass: WRITE,
  argsSchema: { type: 'object', properties: { code: { type: 'string' } } },
  conditions: [
    {
      name: 'carries_out',
      when: 'acts.filter(a, a.tool == "pay").size() > acts.filter(a, a.tool == "verify").size()',
      effect: 'require' as const,
    },
  ],
}
const note = { id: 'note', safetyClass: WRITE, argsSchema: { type: 'object' } }
const look = { id: 'look', safetyClass: 'READ' as const, argsSchema: { type: 'object' } }
const rules = newestRules
const limits = ['pay', 'verify', 'note', 'look'].map((capability) => {
  return { capability, uses: 100, windowMs: 60_000 }
})
const setup = { catalog: { capabilities: [pay, verify, note, look], rules, limits } }

function call(tool: string, args: JsonObject, of: string = session): Saying {
  return { session: of, intent: { tool, args, justification: reason } }
}

const bad = call('pay', { to: 'ann', amount: 5, bad: true })

const paying = (amount = 5, to = 'ann', of: string = session): Saying => {
  return call('pay', { to, amount }, of)
}

async function comesTo(on: Scene, saying: Saying): Promise<string> {
  const found = await judged(on, saying)
  return found.outcome === 'allow' ? 'allow' : codes(found).join(' ')
}

describe('an act that is barred a second time', () => {
  test('is allowed once, and once for each of what the condition compares', async () => {
    const on = await scene(setup)
    expect(await comesTo(on, paying())).toBe('allow')
    expect(await comesTo(on, paying())).toBe('policy_blocked')
    expect(await comesTo(on, paying(6))).toBe('allow')
    expect(await comesTo(on, paying(5, 'bob'))).toBe('allow')
    expect(await comesTo(on, paying(6))).toBe('policy_blocked')
    await expectReplay(on)
  })

  test('stays barred after more calls than are looked at for what was agreed to', async () => {
    const on = await scene(setup)
    expect(await comesTo(on, paying())).toBe('allow')
    for (let nth = 0; nth < 70; nth += 1) await judged(on, call('note', { nth }))
    expect(await comesTo(on, paying())).toBe('policy_blocked')
    await expectReplay(on)
  })

  test('is not barred by one that was denied, only looks, or is elsewhere', async () => {
    const on = await scene(setup)
    expect(await comesTo(on, bad)).toBe('policy_blocked')
    await judged(on, call('look', { to: 'ann', amount: 5 }))
    expect(await comesTo(on, paying(5, 'ann', other))).toBe('allow')
    expect(await comesTo(on, paying())).toBe('allow')
    await expectReplay(on)
  })

  test('is barred while the first waits for people, and free once declined', async () => {
    const on = await scene({
      catalog: { capabilities: [{ ...pay, conditions: [once, asked] }], rules, limits: [] },
    })
    const first = await reviewed(on, paying(500))
    const args = { to: 'ann', amount: 500 }
    const intent = { tool: 'pay', args, justification: reason, distinct: true }
    const distinct = { session, intent }
    expect(await comesTo(on, distinct)).toBe('policy_blocked')
    await answer(on, first, { answers: false })
    await verdict(on.log, first)
    const again = await reviewed(on, paying(500))
    await answer(on, again)
    expect((await verdict(on.log, again)).outcome).toBe('allow')
    expect(await comesTo(on, distinct)).toBe('policy_blocked')
    await expectReplay(on)
  })

  test('refuses outside of a session, where no one can say what was done', async () => {
    const on = await scene(setup)
    const saying = {
      intent: { tool: 'pay', args: { to: 'ann', amount: 5 }, justification: reason },
    }
    expect(await comesTo(on, saying)).toBe('policy_faulted')
    await expectReplay(on)
  })
})

test('what carries out a call is let once for each that was let, and no other', async () => {
  const on = await scene(setup)
  const code = call('verify', { code: '123456' })
  expect(await comesTo(on, code)).toBe('policy_blocked')
  await judged(on, bad)
  expect(await comesTo(on, code)).toBe('policy_blocked')
  await judged(on, paying(5, 'ann', other))
  expect(await comesTo(on, code)).toBe('policy_blocked')
  await judged(on, paying())
  expect(await comesTo(on, code)).toBe('allow')
  expect(await comesTo(on, code)).toBe('policy_blocked')
  await expectReplay(on)
})

test('no two of the same are ever let, in whatever order, or at once', async () => {
  const step = fc.record({
    tool: fc.constantFrom('pay', 'pay', 'verify', 'note', 'look'),
    amount: fc.integer({ min: 1, max: 3 }),
    waits: fc.boolean(),
    isStopped: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const on = await scene(setup)
      const all: { readonly address: string; readonly of: string }[] = []
      for (const { tool, amount, waits, isStopped } of steps) {
        const paid = { to: 'ann', amount, ...(isStopped && { bad: true }) }
        const args = tool === 'verify' ? { code: '1' } : paid
        const intent = { tool, args, distinct: true, justification: reason }
        const address = await say(on.log, { session, intent })
        all.push({ address, of: `${tool} ${String(amount)}` })
        if (waits) await verdict(on.log, address)
      }
      const allowed: string[] = []
      for (const { address, of } of all) {
        if ((await verdict(on.log, address)).outcome === 'allow') allowed.push(of)
      }
      const payments = allowed.filter((of) => of.startsWith('pay'))
      expect(new Set(payments).size).toBe(payments.length)
      const codesLet = allowed.filter((of) => of.startsWith('verify')).length
      expect(codesLet).toBeLessThanOrEqual(payments.length)
      await expectReplay(on)
    }),
    { numRuns: count(60, 12) },
  )
})

describe('a condition that reads acts', () => {
  test('is refused where nothing is read for it, and under older rules', async () => {
    const old = await scene({ catalog: { capabilities: [note], rules: newestRules - 1 } })
    const put = { op: 'put', collection: 'capabilities', entry: Capability.parse(pay) } as const
    await expect(changeCatalog(old.runtime, put)).rejects.toThrow('rules version 9')
    const on = await scene(setup)
    const budget = { name: 'b', max: 1, windowMs: 1000, when: 'acts.size() == 0' }
    const set = { op: 'set' as const, key: 'budgets' as const, value: [budget] }
    await expect(changeCatalog(on.runtime, set)).rejects.toThrow('`acts` cannot be read here')
  })
})
