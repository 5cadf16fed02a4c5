// What an intent may cite: few messages, and not much of them, so that reading what it cites never
// costs more than reading the intent itself.
import { expect, test } from 'vitest'
import { nameOf } from '#record/names'
import {
  codes,
  groundingOf,
  judged,
  look,
  place,
  say,
  scene,
  type Scene,
} from '../../support/scene.ts'

const setup = { catalog: { capabilities: [look] } }
const intent = { tool: 'look' }
const tooMany = {
  code: 'schema_invalid',
  path: '/refers_to',
  params: { cause: 'cites_too_many' },
}

async function said(on: Scene, count: number, bytes = 1): Promise<readonly string[]> {
  const names: string[] = []
  for (let n = 0; n < count; n += 1) {
    const message = { type: 'notice', content: 'x'.repeat(bytes) }
    names.push(nameOf(place, 'vlp', await say(on.log, { message })))
  }
  return names
}

async function issues(on: Scene, refers: readonly string[]) {
  const address = await say(on.log, { intent, message: { refers_to: [...refers] } })
  const { message } = await groundingOf(on.log, address)
  return message.issues.map(({ code, path, params }) => ({ code, path, params }))
}

test('an intent that cites eight messages by name is read, and one more is malformed', async () => {
  const on = await scene(setup)
  const names = await said(on, 9)
  const eight = names.slice(1)
  expect(await issues(on, [...eight, ...eight])).toEqual([])
  expect(await issues(on, ['a', 'b', ...names])).toContainEqual(tooMany)
  expect(codes(await judged(on, { intent, message: { refers_to: [...names] } }))).toEqual([
    'malformed_message',
  ])
  expect(await issues(on, names)).toContainEqual(tooMany)
  const ids = Array.from({ length: 8_000 }, (_, n) => `m${n}`)
  const found = await issues(on, ids)
  expect(found).toContainEqual(tooMany)
})

test('of what an intent cites only the first megabyte is read', async () => {
  const on = await scene(setup)
  const names = await said(on, 6, 200_000)
  expect(await issues(on, names.slice(1))).toEqual([])
  expect(await issues(on, names)).toEqual([
    { code: 'refers_to_unresolved', path: '/refers_to/5', params: {} },
  ])
})

test('a message that many intents cite is checked once', async () => {
  const on = await scene(setup)
  const names = await said(on, 1)
  const known = { knownConstraints: [], rules: 7 }
  const { checkedMessages } = await import('#runtime/engine/gathering/checked-messages')
  const checked = checkedMessages()
  const fact = await on.log.get(names[0] ?? '')
  if (fact === undefined) throw new Error('it was bound')
  expect(checked(fact, known)).toBe(checked({ ...fact }, known))
  expect(checked(fact, { ...known, rules: 6 })).not.toBe(checked(fact, known))
  expect(checked(fact, { ...known, knownConstraints: ['other'] })).not.toBe(checked(fact, known))
})
