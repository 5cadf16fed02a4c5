// Seeding: what a folder changes of a log, what it leaves alone, and what is refused before
// anything is bound.
import { readdir, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { graphToFile } from '#knowledge/graph/graph'
import { publicKeyOf } from '#record/crypto/private-key'
import { listKeys } from '#runtime/keys/key-files'
import { keys, newKey } from '../support/runtime.ts'
import {
  emptyRuntime,
  erase,
  eraser,
  file,
  graph,
  seedOf,
  keysHere,
  seedFolder,
} from './seed-folder.ts'

describe('the first seed of a log', () => {
  test('makes a key that only its owner can read, and a policy admin of it', async () => {
    const runtime = await emptyRuntime()
    const folder = await seedOf({ 'graph.json': graph(file) })
    const report = await seedFolder(runtime, folder)
    expect(report).toMatchObject({ author: 'you', createdKey: { name: 'you' } })
    const [key] = await listKeys(keysHere(runtime).places)
    const mode = await stat(key?.file ?? '')
    expect(mode.mode & 0o777).toBe(0o600)
    const you = runtime.follower.state.catalog.principals.get('you')
    expect(you).toMatchObject({ roles: ['policy-admin'], keys: [key?.publicKey] })
    expect(JSON.stringify(report)).not.toContain('PRIVATE')
  })

  test('signs with the policy admin whom the catalog names, if that key is given', async () => {
    const principals = [{ id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }]
    const folder = await seedOf({ 'catalog.json': { principals } })
    const foreign = await emptyRuntime()
    await expect(seedFolder(foreign, folder)).rejects.toMatchObject({ code: 'no_policy_admin' })
    expect(await listKeys(keysHere(foreign).places)).toEqual([])
    const runtime = await emptyRuntime()
    const author = { id: 'root', privateKey: keys.root }
    expect(await seedFolder(runtime, folder, { author })).toMatchObject({ author: 'root' })
    expect([...runtime.follower.state.catalog.principals.keys()]).toEqual(['root'])
  })

  test('is refused where its author would be no policy admin', async () => {
    const principals = [{ id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }]
    const folder = await seedOf({ 'catalog.json': { principals } })
    const runtime = await emptyRuntime()
    for (const author of [
      { id: 'root', privateKey: newKey() },
      { id: 'mallory', privateKey: keys.root },
    ]) {
      await expect(seedFolder(runtime, folder, { author })).rejects.toMatchObject({
        code: 'no_policy_admin',
      })
    }
    expect(runtime.follower.state.position).toBe(0)
  })

  test('adds key and role to the principal that the catalog has under that name', async () => {
    const runtime = await emptyRuntime()
    const principals = [{ id: 'you', roles: ['writer'], attributes: { tenant: 'a' } }]
    const folder = await seedOf({ 'catalog.json': { principals } })
    await seedFolder(runtime, folder)
    const you = runtime.follower.state.catalog.principals.get('you')
    expect(you).toMatchObject({ roles: ['writer', 'policy-admin'], attributes: { tenant: 'a' } })
    expect((await seedFolder(runtime, folder)).changes).toEqual([])
  })

  test('binds nothing and writes nothing in a dry run', async () => {
    const runtime = await emptyRuntime()
    const folder = await seedOf({ 'graph.json': graph(file), 'catalog.json': {} })
    const report = await seedFolder(runtime, folder, { dryRun: true })
    expect(report.changes).toEqual([
      { kind: 'catalog', operations: 2, revision: null },
      { kind: 'graph', operations: 3, revision: null },
    ])
    expect(runtime.follower.state.position).toBe(0)
    expect(await readdir(runtime.folder)).toEqual([])
  })
})

describe('a later seed', () => {
  test('changes nothing where nothing differs, whatever the order of keys', async () => {
    const runtime = await emptyRuntime()
    const both = {
      'graph.json': graph(file, erase([])),
      'catalog.json': { capabilities: [eraser] },
    }
    await seedFolder(runtime, await seedOf(both))
    const { position } = runtime.follower.state
    const again = { ...file, depths: file.depths.toReversed() }
    const folder = await seedOf({ ...both, 'graph.json': graph(erase([]), again) })
    expect(await seedFolder(runtime, folder)).toMatchObject({ changes: [] })
    expect(runtime.follower.state.position).toBe(position)
  })

  test('adds a level, replaces a description, leaves alone what only the log has', async () => {
    const runtime = await emptyRuntime()
    await seedFolder(runtime, await seedOf({ 'graph.json': graph(file, erase([])) }))
    const other = {
      name: 'FILE',
      depths: [
        { level: 0 },
        { level: 1, properties: { is: 'bytes' } },
        { level: 2, properties: { can: 'be read' } },
      ],
    }
    const bare = { name: 'erase', depths: [{ level: 0 }] }
    const report = await seedFolder(runtime, await seedOf({ 'graph.json': graph(other, bare) }))
    expect(report.graph).toEqual({ rename: 1, describe: 2 })
    expect(report.leftAlone).toEqual({ primitives: 0, levels: 1, edges: 1 })
    const [first, second] = graphToFile(runtime.follower.state.graph).primitives
    expect(first).toMatchObject({ name: 'FILE', depths: [{}, { properties: { is: 'bytes' } }, {}] })
    expect(second?.depths[1]?.relata).toHaveLength(1)
  })

  test('replaces an edge whose policies differ, in one change set', async () => {
    const runtime = await emptyRuntime()
    await seedFolder(runtime, await seedOf({ 'graph.json': graph(file, erase([])) }))
    const folder = await seedOf({ 'graph.json': graph(file, erase([{ name: 'ask' }])) })
    const report = await seedFolder(runtime, folder)
    expect(report.graph).toEqual({ unrelate: 1, relate: 1 })
    expect(report.changes).toEqual([{ kind: 'graph', operations: 2, revision: 2 }])
    const [, second] = graphToFile(runtime.follower.state.graph).primitives
    expect(second?.depths[1]?.relata).toMatchObject([{ policies: [{ name: 'ask' }] }])
  })

  test('does not mention settings that the file does not name', async () => {
    const runtime = await emptyRuntime()
    await seedFolder(runtime, await seedOf({ 'catalog.json': { learning: true } }))
    await seedFolder(runtime, await seedOf({ 'catalog.json': { knownConstraints: ['c'] } }))
    expect(runtime.follower.state.catalog).toMatchObject({
      learning: true,
      knownConstraints: ['c'],
    })
    await seedFolder(runtime, await seedOf({ 'catalog.json': { learning: false } }))
    expect(runtime.follower.state.catalog).toMatchObject({ learning: false })
  })

  test('is refused to anyone who is no policy admin of the log', async () => {
    const runtime = await emptyRuntime()
    const folder = await seedOf({ 'catalog.json': { capabilities: [eraser] } })
    await seedFolder(runtime, await seedOf({ 'catalog.json': {} }))
    const author = { id: 'you', privateKey: newKey() }
    await expect(seedFolder(runtime, folder, { author })).rejects.toMatchObject({
      code: 'change_void',
    })
    const [key] = await listKeys(keysHere(runtime).places)
    const options = { key: key?.file ?? '', as: 'mallory' }
    await expect(seedFolder(runtime, folder, options)).rejects.toMatchObject({
      code: 'no_policy_admin',
    })
  })

  test('lifts no suspension, and may not take the last policy admin away', async () => {
    const runtime = await emptyRuntime()
    const author = { id: 'root', privateKey: keys.root }
    const root = { id: 'root', roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }
    const principals = (...more: unknown[]) => ({ 'catalog.json': { principals: [root, ...more] } })
    await seedFolder(runtime, await seedOf(principals({ id: 'bot', suspended: true })), { author })
    const report = await seedFolder(runtime, await seedOf(principals({ id: 'bot' })), { author })
    expect(report.changes).toEqual([])
    const folder = await seedOf({ 'catalog.json': { principals: [{ ...root, suspended: true }] } })
    await expect(
      seedFolder(runtime, folder, { author: { id: 'other', privateKey: keys.olga } }),
    ).rejects.toMatchObject({ code: 'policy_admin_lost' })
  })
})

describe('a folder that is not sound is refused by name', () => {
  const dangling = graph(erase([]))
  const twice = { principals: [{ id: 'a' }, { id: 'a' }] }
  const inexact = '{"limits":[{"uses":9007199254740993}]}'
  const ownerless = { principals: [{ id: 'a', owner: 'b' }] }
  test.each([
    ['seed_missing', 'holds no seed', {}],
    ['seed_unreadable', '`: it is not JSON at line 2', { 'graph.json': '{"primitives":[\n}' }],
    ['seed_unreadable', '(at `/limits/0/uses`)', { 'catalog.json': inexact }],
    ['graph_invalid', 'primitives[0]', { 'graph.json': graph({ nam: 'x' }) }],
    ['name_repeated', 'primitives[1]: `FILE`', { 'graph.json': graph(file, { name: 'FILE' }) }],
    ['target_dangling', 'primitives[0].depths[1].relata[0]', { 'graph.json': dangling }],
    ['id_repeated', 'principals/1/id', { 'catalog.json': twice }],
    ['unknown_owner', 'principals/a', { 'catalog.json': ownerless }],
    ['callbacks_invalid', 'callbacks.ts', { 'catalog.json': {}, 'callbacks.ts': 'import "x"' }],
  ])('%s: %s', async (code, phrase, files) => {
    const runtime = await emptyRuntime()
    const refused = seedFolder(runtime, await seedOf(files))
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(phrase)
    expect(runtime.follower.state.position).toBe(0)
  })
})
