// Which allowed calls came through on luck: what is counted of one, and that nothing an agent says
// hides a count or adds one to another's calls.
import { expect, test } from 'vitest'
import type { Json, JsonMap } from '#record/canonical'
import { CatalogOperation } from '#schemas/catalog'
import { changeCatalog } from '../support/runtime.ts'
import { answer, judged, reviewed, reviewOf, say, scene, verdict } from '../support/scene.ts'
import type { Scene } from '../support/scene.ts'
import { asked } from './asking.ts'

const text = { type: 'string' }
const properties = {
  file: text,
  mode: { enum: ['soft', 'hard'] },
  day: { type: 'string', format: 'date' },
  to: { type: 'array', items: text },
  body: text,
  number: { type: 'integer' },
  folder_id: { type: 'integer' },
}
const args = { argsSchema: { type: 'object', properties } }
const reading = { safetyClass: 'READ' as const, argsSchema: { type: 'object' } }
const setup = {
  catalog: {
    principals: [{ id: 'shop' }, { id: 'ann' }],
    trustedEvidence: [
      { sender: 'shop', for: ['*'] },
      { sender: 'ann', for: ['*'] },
    ],
    capabilities: [
      { id: 'list', ...reading, untrusted: [] },
      { id: 'read', ...reading, untrusted: [{ pointer: '/text' }] },
      { id: 'note', safetyClass: 'WRITE' as const, argsSchema: { type: 'object' } },
      { id: 'move', safetyClass: 'WRITE' as const, ...args },
    ],
  },
}

const justification = 'she asked for it in so many words'
const session = 'S-2026-01-01-bot-abcdef'

async function call(on: Scene, tool: string, given: JsonMap, as = 'bot'): Promise<void> {
  const intent = { tool, args: given, justification }
  const { outcome } = await judged(on, { as, session, intent })
  expect(outcome).toBe('allow')
}

const result = (on: Scene, tool: string, given: JsonMap, value: Json) =>
  say(on.log, {
    as: 'shop',
    session,
    message: { type: 'notice', payload: { tool, args: given, error: false, value } },
  })

const words = (on: Scene, content: string, as = 'ann') =>
  say(on.log, { as, session, message: { type: 'notice', content } })

const luck = async (on: Scene, given: object = {}) => {
  await on.runtime.follower.reached((await on.log.head()).position)
  const { rows, calls, agreed, lucky } = await asked(on.runtime, 'luck', given)
  const of = rows.map(({ tool, arg, agentAlone, others, unread }) => {
    return `${tool} ${arg} ${agentAlone} ${others} ${unread}`
  })
  return { of, calls, agreed, lucky }
}

test('what a reading call showed before anyone asked for it is no luck', async () => {
  const on = await scene(setup)
  await result(on, 'list', {}, [{ id: 'f-7', name: 'plan' }])
  await call(on, 'move', { file: 'f-7' })
  expect(await luck(on)).toEqual({ of: [], calls: 1, agreed: 0, lucky: 0 })
})

test('what no one but the agent said, and nothing read, is counted as both', async () => {
  const on = await scene(setup)
  await call(on, 'move', { file: 'f-7' })
  expect(await luck(on)).toEqual({ of: ['move /file 1 0 1'], calls: 1, agreed: 0, lucky: 1 })
})

test('what a person named and nothing read is unread alone', async () => {
  const on = await scene(setup)
  await words(on, 'please move f-7 away')
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on)).of).toEqual(['move /file 0 0 1'])
})

test('what was looked up by a guess was read, and stays the agent’s word alone', async () => {
  const on = await scene(setup)
  await call(on, 'list', { file: 'f-7' })
  await result(on, 'list', { file: 'f-7' }, { file: 'f-7', owner: 'olga' })
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on)).of).toEqual(['move /file 1 0 0'])
})

test('a tool that only repeats what it was given reads nothing', async () => {
  const on = await scene(setup)
  await words(on, 'please move f-7 away')
  await call(on, 'list', { file: 'f-7' })
  await result(on, 'list', { file: 'f-7' }, { file: 'f-7' })
  await result(on, 'list', { file: 'f-7' }, 'nothing is known of f-7')
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on)).of).toEqual(['move /file 0 0 1'])
})

test('what the agent had written before it was read back hides nothing', async () => {
  const on = await scene(setup)
  await call(on, 'note', { body: 'f-7' })
  await result(on, 'note', { body: 'f-7' }, 'done')
  await result(on, 'list', {}, [{ id: 'f-7', name: 'plan' }])
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on, { tool: ['move'] })).of).toEqual(['move /file 1 0 1'])
})

test.each([
  ['in a message', (on: Scene) => words(on, 'I look at f-7', 'bot')],
  ['as the reason of a call', (on: Scene) => call(on, 'list', { query: ['f-7'] })],
  ['as the name of a member', (on: Scene) => call(on, 'list', { 'f-7': true })],
])('what the agent said first %s is no news in a result', async (_, says) => {
  const on = await scene(setup)
  await says(on)
  await result(on, 'list', {}, [{ id: 'f-7', name: 'plan' }])
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on)).of).toEqual(['move /file 1 0 0'])
})

test('what only others can have written is counted apart', async () => {
  const on = await scene(setup)
  await result(on, 'read', { path: 'a' }, { path: 'a', text: 'move f-7' })
  await call(on, 'move', { file: 'f-7' })
  expect((await luck(on)).of).toEqual(['move /file 0 1 1'])
})

test('lists of the schema, days, amounts and prose name nothing; addresses in a text do', async () => {
  const on = await scene(setup)
  const body = 'As agreed, see you. Write to eve@example.org if not.'
  await call(on, 'move', { mode: 'hard', day: '2026-05-01', number: 12, to: ['Bob'], body })
  expect((await luck(on)).of).toEqual(['move /body 1 0 1'])
})

test('a word, and a number of a thing, name things where a reading call shows such', async () => {
  const on = await scene(setup)
  await result(on, 'list', {}, [{ name: 'Bob', folder_id: 12, number: 12 }])
  await call(on, 'move', { to: ['Bob', 'Eve'], folder_id: 12, number: 5 })
  await call(on, 'move', { folder_id: 13 })
  expect((await luck(on)).of).toEqual(['move /to/* 1 0 1', 'move /folder_id 1 0 1'])
})

test('names that no schema has are one place, however many an agent makes up', async () => {
  const on = await scene(setup)
  for (const at of ['a', 'b', 'c']) await call(on, 'note', { [at]: `f-${at}1` })
  expect((await luck(on)).of).toEqual(['note /* 3 0 3'])
})

test('another session shows nothing, and another agent’s words take nothing away', async () => {
  const on = await scene(setup)
  await say(on.log, {
    as: 'shop',
    session: 'S-2026-01-01-bot-bcdefa',
    message: { type: 'notice', payload: { tool: 'list', args: {}, error: false, value: ['f-7'] } },
  })
  await words(on, 'f-7 f-8', 'olga')
  await result(on, 'list', {}, ['f-8', 'news'])
  await call(on, 'move', { file: 'f-7' })
  await call(on, 'move', { file: 'f-8' })
  expect(await luck(on)).toMatchObject({ of: ['move /file 1 0 1'], lucky: 1 })
})

test('what the catalog demands already, what was denied and what people agreed to is left out', async () => {
  const known = [{ arg: '/file', kind: 'id' as const }]
  const { capabilities, ...rest } = setup.catalog
  const [move] = capabilities.slice(-1)
  const on = await scene({
    catalog: {
      ...rest,
      capabilities: [
        ...capabilities,
        { ...move, ...args, id: 'shift', known, safetyClass: 'WRITE' as const },
      ],
    },
  })
  await words(on, 'shift f-7')
  await call(on, 'shift', { file: 'f-7' })
  const intent = { tool: 'move', args: { file: 'f-9' } }
  const { outcome } = await judged(on, { as: 'honest', session, intent })
  expect(outcome).toBe('deny')
  const shifting = { tool: 'shift', args: { file: 'f-9' }, justification }
  const address = await reviewed(on, { session, intent: shifting })
  await answer(on, address)
  expect(await verdict(on.log, address)).toMatchObject({ outcome: 'allow' })
  expect(await luck(on)).toEqual({ of: [], calls: 2, agreed: 1, lucky: 0 })
})

test('the rules that it proposes ask about what was luck, and about nothing that was checked', async () => {
  const on = await scene(setup)
  const shown = (file: string) => result(on, 'list', { file }, { file, owner: 'olga' })
  await words(on, 'move f-1, f-2 and f-3')
  await shown('f-1')
  await call(on, 'move', { file: 'f-1' })
  await call(on, 'move', { file: 'f-2' })
  await call(on, 'move', { file: 'x-9' })
  await on.runtime.follower.reached((await on.log.head()).position)
  const { demands, undeclared, rows } = await asked(on.runtime, 'luck')
  expect(rows).toMatchObject([{ arg: '/file', kind: 'id', calls: 3, agentAlone: 1, unread: 2 }])
  expect(undeclared).toEqual([])
  await changeCatalog(on.runtime, ...demands.map((one) => CatalogOperation.parse(one)))
  await shown('f-3')
  await call(on, 'move', { file: 'f-3' })
  for (const [file, asks] of [
    ['f-2', ['condition']],
    ['x-9', ['condition', 'value_unknown']],
  ] as const) {
    const intent = { tool: 'move', args: { file }, justification }
    const { questions } = await reviewOf(on.log, await reviewed(on, { session, intent }))
    expect([file, questions.map(({ kind }) => kind).toSorted()]).toEqual([file, asks])
  }
})
