// What a person takes back is not acted on: by the guard before and after its start, in the next
// era, and in the eyes of a replay.
import { expect, test } from 'vitest'
import { nameOf, token } from '#record/names'
import { revokedBy } from '#messages/warrants/revocations'
import { rotate } from '#replay/eras/rotate'
import type { RevocationTarget } from '#schemas/action/revocation'
import { changeCatalog, keys } from '../../support/runtime.ts'
import {
  bind,
  expectReplay,
  judged,
  look,
  names,
  place,
  read,
  replayed,
  scene,
  type Scene,
} from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'

const setup = {
  catalog: {
    capabilities: [look, { ...look, id: 'list' }],
    principals: [
      { id: 'child', owner: 'bot' },
      { id: 'two', owner: 'piet' },
      { id: 'a b', owner: 'olga' },
    ],
  },
}

let runs = 0
const noted = () => (runs += 1)

async function allowed(on: Scene, tool = 'look') {
  const verdict = await judged(on, { intent: { tool } })
  expect(verdict.outcome).toBe('allow')
  return verdict
}

function revoked(on: Scene, target: RevocationTarget, by: keyof typeof keys = 'root') {
  return on.bot.revoke({ target, by, privateKey: keys[by] })
}

test.each<[string, (verdict: string) => RevocationTarget]>([
  ['the warrant', (verdict) => ({ verdict })],
  ['its capability', () => ({ capability: 'look' })],
  ['its agent', () => ({ agent: 'bot' })],
])('allowed, then %s revoked, then acted on: nothing runs', async (_, target) => {
  runs = 0
  const on = await scene(setup)
  const guarded = on.bot.guard('look', noted)
  const { intent, name } = await allowed(on)
  await revoked(on, target(name), 'root')
  await expect(guarded.redeem(intent)).rejects.toMatchObject({ code: 'warrant_revoked' })
  expect(runs).toBe(0)
  expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
  await expectReplay(on)
})

test('what is decided after it counts as before', async () => {
  runs = 0
  const on = await scene(setup)
  await allowed(on)
  for (const target of [{ capability: 'look' }, { agent: 'bot' }]) await revoked(on, target)
  await on.bot.guard('look', noted)({})
  expect(runs).toBe(1)
})

test('it takes back nothing else', async () => {
  runs = 0
  const on = await scene(setup)
  const guarded = on.bot.guard('list', noted)
  const [first, second] = [await allowed(on), await allowed(on, 'list')]
  await revoked(on, { verdict: first.name })
  await revoked(on, { capability: 'look' })
  await revoked(on, { agent: 'two' })
  await guarded.redeem(second.intent)
  expect(runs).toBe(1)
})

test('bound between the look and the start, it still stops the call, which reports that', async () => {
  runs = 0
  let racing = false
  const on: Scene = await scene({
    ...setup,
    wrap: (log) => ({
      ...logOf(log),
      append: async (entry) => {
        if (racing && entry.name.includes('.ownstart.')) {
          racing = false
          await bindRevocation(on, { capability: 'look' })
        }
        return log.append(entry)
      },
    }),
  })
  const guarded = on.bot.guard('look', noted)
  const { intent } = await allowed(on)
  racing = true
  await expect(guarded.redeem(intent)).rejects.toMatchObject({ code: 'warrant_revoked' })
  expect(runs).toBe(0)
  const outcome = await read(on.log, 'ownoutcome', nameOf(place, 'ownoutcome', intent))
  expect(outcome).toMatchObject({ outcome: 'refused', code: 'warrant_revoked' })
  await expectReplay(on)
})

let said = 0

function bindRevocation(
  on: Scene,
  target: RevocationTarget,
  by: keyof typeof keys = 'root',
  signer = by,
) {
  said += 1
  const name = nameOf(place, 'revocation', `01JR${said}`)
  return bind(on.log, 'revocation', name, { target, by }, keys[signer])
}

test('a program that started a revoked warrant all the same is found by replay', async () => {
  for (const [outcome, kinds] of [
    ['succeeded', ['startAfterRevocation']],
    ['refused', []],
  ] as const) {
    const on = await scene(setup)
    const { intent: address, name: verdict } = await allowed(on)
    await revoked(on, { agent: 'bot' })
    const intent = { address, agent: 'bot', session: null }
    await bind(on.log, 'start', nameOf(place, 'start', address), { intent, verdict })
    await bind(on.log, 'outcome', nameOf(place, 'outcome', address), { intent, outcome })
    const { findings } = await replayed(on)
    expect(findings.shown.map(({ kind }) => kind)).toEqual(kinds)
  }
})

test('policy admins revoke anything; owners what is of their agents; others nothing', async () => {
  const on = await scene(setup)
  const { name } = await allowed(on)
  const grant = 'main.1.grant.01JG.piet'
  const may: readonly [keyof typeof keys, RevocationTarget][] = [
    ['root', { agent: 'two' }],
    ['root', { capability: 'nowhere' }],
    ['root', { verdict: name }],
    ['root', { grant }],
    ['olga', { agent: 'bot' }],
    ['olga', { agent: 'child' }],
    ['olga', { agent: 'a b' }],
    ['olga', { verdict: name }],
    ['olga', { verdict: `main.1.verdict.${token('a b')}.-.X` }],
    ['olga', { verdict: 'main-c2.1.verdict.child.-.X' }],
    ['piet', { grant }],
  ]
  for (const [by, target] of may) await revoked(on, target, by)
  const mayNot: readonly [keyof typeof keys, RevocationTarget][] = [
    ['olga', { capability: 'look' }],
    ['olga', { agent: 'two' }],
    ['olga', { agent: 'olga' }],
    ['olga', { agent: 'nowhere' }],
    ['olga', { grant }],
    ['olga', { verdict: 'other.1.verdict.bot.-.X' }],
    ['olga', { verdict: 'main.1.grounding.bot.-.X' }],
    ['olga', { verdict: 'bot' }],
    ['piet', { verdict: name }],
    ['piet', { agent: 'bot' }],
    ['quin', { grant }],
  ]
  for (const [by, target] of mayNot) {
    await expect(revoked(on, target, by)).rejects.toMatchObject({ code: 'revocation_void' })
    await bindRevocation(on, target, by)
  }
  await bindRevocation(on, { agent: 'bot' }, 'olga', 'quin')
  await on.runtime.follower.reached((await on.log.head()).position)
  const { revocations } = on.runtime.follower.state
  expect(revocations.size).toBe(new Set(may.map(([, of]) => JSON.stringify(of))).size)
  const { facts, voidCount } = await replayed(on)
  expect(facts).toBeGreaterThan(0)
  expect(voidCount).toBe(mayNot.length + 1)
})

test('a suspended person revokes nothing', async () => {
  const on = await scene(setup)
  await changeCatalog(on.runtime, { op: 'suspend', id: 'piet' })
  await bindRevocation(on, { agent: 'two' }, 'piet')
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(on.runtime.follower.state.revocations.size).toBe(0)
})

test('it holds in the next era, and after a restart there', async () => {
  runs = 0
  const on = await scene(setup)
  const guarded = on.bot.guard('look', noted)
  const { intent, name, position } = await allowed(on)
  await revoked(on, { verdict: name }, 'olga')
  await rotate(on.runtime, { id: 'root', privateKey: keys.root }, null)
  await expect(guarded.redeem(intent)).rejects.toMatchObject({ code: 'warrant_revoked' })
  const of = { verdict: name, decidedAt: position }
  expect(revokedBy(on.runtime.follower.state, of)).toMatch(/^main\.1\.revocation\./)
  const next = await scene(setup, on)
  expect(revokedBy(next.runtime.follower.state, of)).toMatch(/^main\.1\.revocation\./)
  expect(runs).toBe(0)
})
