// Equal open requests: the second is refused and names the first, unless it says that it is
// distinct; and only under rules that have this.
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { fileURLToPath } from 'node:url'
import { readGolden } from '../golden/golden-log.ts'
import { foldAll, restored, textOf } from '../replay/eras/parts/fold.ts'
import { answer, codes, deletion, erase, expectReplay, look } from '../support/scene.ts'
import { judged, reviewed, say, scene, verdict, type Scene } from '../support/scene.ts'

const session = 'S-2026-01-01-bot-012345'

function equalScene(rules = newestRules): Promise<Scene> {
  return scene({
    catalog: { capabilities: [look, erase], rules },
    graph: deletion({ name: 'ask' }),
  })
}

const intent = { tool: 'erase', args: { path: 'a' } }

test('a request that is open already is refused, and the first is named', async () => {
  const on = await equalScene()
  const first = await reviewed(on, { intent })
  const second = await judged(on, { intent: { ...intent, goal: 'once more', args: { path: 'a' } } })
  expect(second.reasons).toEqual([
    {
      code: 'duplicate_request',
      recover: 'fix',
      params: { fact: `main.1.vlp.${first}`, path: '/distinct' },
    },
  ])
  await answer(on, first)
  expect((await verdict(on.log, first)).outcome).toBe('allow')
  await expectReplay(on)
})

test.each([
  ['of another session', { session, intent }],
  ['of another agent', { as: 'honest', intent: { ...intent, tool: 'look' } }],
  ['with other arguments', { intent: { ...intent, args: { path: 'b' } } }],
  ['with other constraints', { intent: { ...intent, constraints: { max_rows: 3 } } }],
  ['with another scope', { intent: { ...intent, scope: { of: 'b' } } }],
  ['that says it is distinct', { intent: { ...intent, distinct: true } }],
  ['that is observed only', { intent: { ...intent, observe: true } }],
])('a request %s is no repetition', async (_, saying) => {
  const on = await equalScene()
  await reviewed(on, { intent })
  const address = await say(on.log, saying)
  await on.watch.settled(on.log)
  await on.runtime.follower.reached((await on.log.head()).position)
  const open = on.runtime.follower.state.intents.get(address)
  if (open === undefined) {
    expect(codes(await verdict(on.log, address))).not.toContain('duplicate_request')
  } else expect(open.equalTo).toBeUndefined()
  await expectReplay(on)
})

test('what was decided or taken back may be asked for again', async () => {
  const on = await equalScene()
  const first = await reviewed(on, { intent })
  await answer(on, first)
  await verdict(on.log, first)
  const second = await reviewed(on, { intent })
  await on.bot.withdraw(second)
  const third = await reviewed(on, { intent })
  expect(codes(await judged(on, { intent }))).toEqual(['duplicate_request'])
  await answer(on, third, { answers: false })
  expect(codes(await verdict(on.log, third))).toEqual(['declined'])
  await expectReplay(on)
})

test('the first rules know no repetition and no distinct request', async () => {
  const on = await equalScene(1)
  await reviewed(on, { intent })
  await reviewed(on, { intent })
  const unknown = await judged(on, { intent: { ...intent, distinct: true } })
  expect(codes(unknown)).toEqual(['malformed_message'])
  await expectReplay(on)
})

test('what is open is recognised in a state that was restored', async () => {
  const folder = fileURLToPath(new URL('../golden/0.2.0-equal', import.meta.url))
  const facts = await readGolden(folder)
  const whole = foldAll(facts)
  for (let at = 0; at <= facts.length; at += 1) {
    const before = foldAll(facts.slice(0, at))
    if (before.sealed !== null) continue
    const copy = restored(before)
    expect(new Map(copy.requests)).toEqual(new Map(before.requests))
    expect(textOf(foldAll(facts.slice(at), copy))).toBe(textOf(whole))
  }
})
