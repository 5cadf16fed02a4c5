// What a policy admin's change comes to: applied at the next revision, or reported why not.
import { expect, test } from 'vitest'
import type { Log } from '#ports/log'
import { change } from '#authoring/change'
import { changeCatalog, changeGraph, keys, newKey, testRuntime } from '../support/runtime.ts'
import { codes, deletion, erase, expectReplay, judged, look, scene } from '../support/scene.ts'
import { logOf } from '../support/wrapped-log.ts'

test('a policy admin reads why a change set cannot be applied, and nothing is bound', async () => {
  const { runtime } = await testRuntime()
  const { position } = await runtime.log.head()
  const author = { id: 'root', privateKey: keys.root }
  const operations = [{ op: 'suspend' as const, id: 'unknown' }]
  await expect(change(runtime, { kind: 'catalog', operations }, author)).rejects.toMatchObject({
    code: 'unknown_entry',
  })
  expect((await runtime.log.head()).position).toBe(position)
  await runtime.stop()
})

test('a signature with a key that is no policy admin’s comes to nothing, and is reported', async () => {
  const { runtime } = await testRuntime()
  const operations = [{ op: 'add' as const, name: 'moon' }]
  for (const author of [
    { id: 'root', privateKey: newKey() },
    { id: 'olga', privateKey: keys.olga },
  ]) {
    await expect(change(runtime, { kind: 'graph', operations }, author)).rejects.toMatchObject({
      code: 'change_void',
    })
  }
  expect(runtime.follower.state.graphRevision).toBe(0)
  await runtime.stop()
})

test('a void change set is never taken for a success, though another came right behind it', async () => {
  const { runtime } = await testRuntime()
  const { follower } = runtime
  const operations = [{ op: 'add' as const, name: 'moon' }]
  // By the time this append is known to be durable, the next policy admin has been folded too.
  const append: Log['append'] = async (entry) => {
    const appended = await runtime.log.append(entry)
    await changeGraph(runtime, { op: 'add', name: 'sun' })
    return appended
  }
  const overtaken = { ...runtime, log: { ...logOf(runtime.log), append } }
  const author = { id: 'root', privateKey: newKey() }
  await expect(change(overtaken, { kind: 'graph', operations }, author)).rejects.toMatchObject({
    code: 'change_void',
  })
  expect(follower.state.graphRevision).toBe(2)
  await runtime.stop()
})

test('two policy admins at once both have their way, one after the other', async () => {
  const { runtime } = await testRuntime()
  const all = Array.from({ length: 10 }, (_, n) =>
    changeGraph(runtime, { op: 'add', name: `p${n}` }),
  )
  await Promise.all(all)
  expect(runtime.follower.state.graphRevision).toBe(10)
  await runtime.stop()
})

test('two policy admins who both add the same have one who is informed', async () => {
  const { runtime } = await testRuntime()
  const same = () => changeGraph(runtime, { op: 'add', name: 'moon' })
  const outcomes = await Promise.allSettled([same(), same()])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await runtime.stop()
})

test('junk in the sequence of revisions stops no policy admin', async () => {
  const { runtime } = await testRuntime()
  for (const revision of [1, 2, 5]) {
    await runtime.log.append({ name: `main.1.graph.${revision}`, bytes: Buffer.from('junk') })
  }
  for (const name of ['a', 'b', 'c']) await changeGraph(runtime, { op: 'add', name })
  expect(runtime.follower.state.graphRevision).toBe(6)
  await runtime.stop()
})

test('the stop button stops an agent at once, and lets it go on when it is lifted', async () => {
  const on = await scene({ catalog: { capabilities: [look, erase] }, graph: deletion() })
  const asked = { intent: { tool: 'look' } }
  expect((await judged(on, asked)).outcome).toBe('allow')
  await changeCatalog(on.runtime, { op: 'suspend', id: 'bot' })
  expect(codes(await judged(on, asked))).toEqual(['agent_suspended'])
  // Anyone who writes the entry again does not lift the suspension by the way.
  const entry = { id: 'bot', roles: ['writer'], attributes: {}, keys: [], suspended: false }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
  expect(codes(await judged(on, asked))).toEqual(['agent_suspended'])
  await changeCatalog(on.runtime, { op: 'unsuspend', id: 'bot' })
  expect((await judged(on, asked)).outcome).toBe('allow')
  await expectReplay(on)
})
