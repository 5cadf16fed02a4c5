// What an owner bars a second time, or demands first, by what the agent did in the session before:
// attacked as the agent that wants it twice, and derived again.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Capability, type JsonObject } from '#schemas/catalog'
import { newestRules } from '#rules/catalog/rules-version'
import { reasonText } from '#present/reason-text'
import { replay } from '#replay/replay'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { changeCatalog, keys, moduleCallbacks } from '../../support/runtime.ts'
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
      when:
        'acts.filter(a, a.tool == "pay" && a.allowed).size() >' +
        ' acts.filter(a, a.tool == "verify").size()',
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
    const intent = { tool: 'pay', args: { to: 'ann', amount: 5 }, justification: reason }
    await say(on.log, { session, message: { type: 'notice', payload: { intent } } })
    await judged(on, { as: 'honest', session, intent })
    await judged(on, { session, intent: { ...intent, subject: { id: 'bot' } } })
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
    const [found] = (await judged(on, saying)).reasons
    expect(found).toMatchObject({ code: 'policy_faulted', recover: 'fix' })
    expect(found && reasonText(found)).toMatch(/`once` failed .*in no session: make it in one/)
    const subject = { id: 'bot' }
    const [asking] = (await judged(on, { ...paying(), intent: { tool: 'pay', subject } })).reasons
    expect(asking).toMatchObject({ params: { fault: { code: 'condition_actless' } } })
    expect(asking && reasonText(asking)).toMatch('not known of a call that')
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

describe('what lets no code be entered, since nothing was let by it:', () => {
  const args = { to: 'ann', amount: 5 }
  const intent = { tool: 'pay', args, justification: reason, distinct: true }
  const payload = { intent }
  const week = 7 * 86_400_000
  const inPlace = (name: string): Saying => ({ session, message: { type: name, payload } })
  // Of March 2026.
  const dayAhead = '01KJW000000000000000000000'

  test.each<[string, Saying]>([
    ['a notice that holds one', inPlace('notice')],
    ['evidence that holds one', inPlace('evidence')],
    ['a correction that holds one', inPlace('correction')],
    ['a message of tomorrow', { session, ulid: dayAhead, intent }],
    ['one that is only observed', { session, intent: { ...intent, observe: true } }],
    [
      'one that only asks about someone',
      { session, intent: { ...intent, subject: { id: 'bot' } } },
    ],
    ['one that asks several', { session, intent: { ...intent, evaluations: [] } }],
    ['one that looks', { session, intent: { ...intent, tool: 'look' } }],
    ['one whose tool looks alike', { session, intent: { ...intent, tool: 'ｐay' } }],
    [
      'one whose tool looks alike in another alphabet',
      { session, intent: { ...intent, tool: 'рay' } },
    ],
    ['one of another agent', { as: 'honest', session, intent }],
    ['one in the name of another', { as: 'honest', session, intent, message: { sender: 'bot' } }],
    ['one of another session', { session: other, intent }],
    ['one that says another session', { session: other, intent, message: { session_id: session } }],
    ['one outside of sessions', { intent }],
    ['one that is open', { session, intent: { ...intent, args: { to: 'ann', amount: 500 } } }],
  ])('%s', async (_, saying) => {
    const paid = { ...pay, conditions: [asked] }
    const on = await scene({
      catalog: { ...setup.catalog, capabilities: [paid, verify, note, look] },
    })
    await say(on.log, saying)
    expect(await comesTo(on, call('verify', { code: '1' }))).toBe('policy_blocked')
    await judged(on, call('pay', args))
    expect(await comesTo(on, call('verify', { code: '2' }))).toBe('allow')
    await expectReplay(on)
  })

  test.each(['declined', 'withdrawn', 'revoked', 'left'])('one that was %s', async (how) => {
    const paid = { ...pay, conditions: [asked] }
    const on = await scene({
      catalog: { ...setup.catalog, capabilities: [paid, verify, note, look] },
    })
    const address = await reviewed(on, paying(500))
    if (how === 'withdrawn') await on.bot.withdraw(address)
    if (how === 'revoked') await answer(on, address)
    if (how === 'left') on.time.pass(week)
    if (how === 'declined') await answer(on, address, { answers: false })
    const { name } = await verdict(on.log, address)
    if (how === 'revoked') {
      expect(await comesTo(on, call('verify', { code: '1' }))).toBe('allow')
      await judged(on, call('pay', args))
      const by = { by: 'root', privateKey: keys.root }
      await on.bot.revoke({ target: { verdict: name }, ...by })
    }
    expect(await comesTo(on, call('verify', { code: '2' }))).toBe('policy_blocked')
    await expectReplay(on)
  })
})

describe('a payment that the agent writes otherwise', () => {
  const strict = { ...pay.argsSchema, additionalProperties: false }
  test.each<[string, JsonObject, string]>([
    ['a whole number as a fraction', { to: 'ann', amount: 5.0 }, 'policy_blocked'],
    ['a number as text', { to: 'ann', amount: '5' }, 'invalid_arguments'],
    ['with an argument more', { to: 'ann', amount: 5, more: 1 }, 'invalid_arguments'],
  ])('%s comes to nothing', async (_, args, comes) => {
    const capabilities = [{ ...pay, argsSchema: strict }]
    const on = await scene({ catalog: { capabilities, rules, limits: [] } })
    expect(await comesTo(on, paying())).toBe('allow')
    expect(await comesTo(on, call('pay', args))).toBe(comes)
    await expectReplay(on)
  })

  test('in any spelling of the number is the same payment', async () => {
    for (const written of ['5', '5.0', '5e0', '50e-1', '0.5E+1']) {
      const on = await scene(setup)
      expect(await comesTo(on, paying())).toBe('allow')
      const text = JSON.stringify({
        id: 'MSG-1',
        protocol: 'VLP/1.1',
        type: 'query',
        timestamp: '2026-01-01T00:00:00Z',
        sender: 'bot',
        content: 'may I',
        confidence: 0.5,
        session_id: session,
        payload: { intent: call('pay', { to: 'ann', amount: 777 }).intent },
      })
      const bytes = text.replace('777', written)
      expect(await comesTo(on, { session, bytes })).toBe('policy_blocked')
    }
  })
})

describe('acts in time', () => {
  test('stay when the era changes, whenever they were decided', async () => {
    const paid = { ...pay, conditions: [once, asked] }
    const on = await scene({ catalog: { capabilities: [paid, verify], rules, limits: [] } })
    const of = on.bot.session(session)
    const ask = async (tool: string, args: JsonObject) => {
      const asking = { tool, args, justification: reason, distinct: true }
      const found = await on.bot.ask(asking, { session: of })
      return found.outcome === 'allow' ? 'allow' : codes(found).join(' ')
    }
    expect(await ask('pay', { to: 'ann', amount: 5 })).toBe('allow')
    const open = await reviewed(on, paying(500))
    const denied = await reviewed(on, paying(600))
    await rotate(on.runtime, { id: 'root', privateKey: keys.root }, null)
    expect(await ask('pay', { to: 'ann', amount: 5 })).toBe('policy_blocked')
    expect(await ask('pay', { to: 'ann', amount: 500 })).toMatch('policy_blocked')
    await answer(on, open)
    await answer(on, denied, { answers: false })
    expect(await ask('verify', { code: '1' })).toBe('allow')
    const report = await replay({
      log: on.log,
      place: { realm: 'main', era: 2 },
      rootKey: null,
      stages,
      callbacks: moduleCallbacks(undefined),
    })
    expect(report.differences).toBe(0)
  })

  test('do not begin again where the session was closed', async () => {
    const on = await scene(setup)
    expect(await comesTo(on, paying())).toBe('allow')
    await say(on.log, { session, message: { type: 'session_context', payload: {} } })
    expect(await comesTo(on, paying())).not.toBe('allow')
    await expectReplay(on)
  })

  test('cannot be pushed out of sight: a session of too many messages is refused', async () => {
    const on = await scene(setup)
    expect(await comesTo(on, paying())).toBe('allow')
    for (let nth = 0; nth < 1_024; nth += 1) {
      await say(on.log, { session, message: { type: 'notice', content: `${nth}` } })
    }
    expect(await comesTo(on, paying())).toMatch('context_gate_failed')
    expect(await comesTo(on, call('verify', { code: '1' }))).toMatch('context_gate_failed')
    await expectReplay(on)
  })
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
