// An era without those before it, of which only the key that began the log is known: it is believed
// where that key signed for it, or let someone else by change sets that the era carries.
import { beforeEach, describe, expect, test } from 'vitest'
import { writeEvent } from '#record/event'
import { jsonOf, type Json } from '#record/canonical'
import { nameOf } from '#record/names'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { keyIdOf } from '#record/signature'
import { writeCatalogs, type BoundChange } from '#state/fold/catalogs'
import { chainOf, chainStart, writeSnapshot } from '#state/eras/genesis'
import type { State } from '#state/state'
import type { Log } from '#ports/log'
import { Principal } from '#schemas/catalog'
import { beginningOf, snapshotOf, soundBeginningOf } from '#replay/eras/beginning'
import { replay } from '#replay/replay'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { goldenLog } from '../../golden/golden-log.ts'
import { cutAt, judgedNow, sealOf, settled } from './parts/live.ts'
import { changeCatalog, keys, newKey, testParts } from '../../support/runtime.ts'
import { judged, look, place, scene, type Scene } from '../../support/scene.ts'

const mia = { id: 'mia', privateKey: newKey() }
const root = { id: 'root', privateKey: keys.root }
const idOf = (privateKey: string): string => keyIdOf(publicKeyOf(privateKey))
const rootKey = idOf(keys.root)
const intent = { tool: 'look' }

function policyAdmin({ id, privateKey }: typeof mia) {
  const entry = Principal.parse({ id, roles: ['policy-admin'], keys: [publicKeyOf(privateKey)] })
  return { op: 'put' as const, collection: 'principals' as const, entry }
}

async function turnedBy(on: Pick<Scene, 'runtime' | 'watch' | 'log'>, author: typeof mia) {
  const rotated = await rotate(on.runtime, author, null)
  await on.watch.settled(on.log)
  await on.runtime.follower.reached((await on.log.head()).position)
  return rotated
}

async function rootOf(log: Log, key = rootKey): Promise<string> {
  const { callbacks } = testParts(log, {})
  const report = await replay({ log, place, rootKey: key, stages, callbacks })
  await callbacks.close()
  expect(report).toMatchObject({ differences: 0, unchecked: 0, start: { isRooted: true } })
  return report.start?.key ?? ''
}

let on: Scene
beforeEach(async () => {
  on = await scene({ catalog: { capabilities: [look] } })
  await changeCatalog(on.runtime, policyAdmin(mia))
  await judged(on, { intent, ulid: 'a' })
})

describe('where the era before was sealed by someone whom the root key let', () => {
  test('the root key is enough to believe what is left', async () => {
    expect((await turnedBy(on, mia)).snapshot).toMatchObject({ by: 'mia', isRooted: true })
    await judgedNow(on, { intent, ulid: 'b' })
    await on.watch.settled(on.log)
    const seal = await sealOf(on, 2)
    expect(await rootOf(cutAt(on.log, seal))).toBe(idOf(mia.privateKey))
    const parts = { ...on.setup.parts, rootKey }
    const cut = await scene({ ...on.setup, parts, wrap: (log) => cutAt(log, seal) }, on)
    expect(cut.runtime.follower.state.root).toBe(rootKey)
    expect((await cut.bot.ask(intent)).name).toMatch(/^main\.2\.verdict\./)
  })

  test('it stays so through eras that are taken away one after the other', async () => {
    await turnedBy(on, root)
    const seal = await sealOf(on, 2)
    const wrap = (log: Log) => cutAt(log, seal)
    const parts = { ...on.setup.parts, rootKey }
    const cut = await scene({ ...on.setup, parts, wrap }, on)
    const noor = { id: 'noor', privateKey: newKey() }
    await changeCatalog(cut.runtime, policyAdmin(noor))
    await changeCatalog(cut.runtime, { op: 'remove', collection: 'principals', id: 'mia' })
    await turnedBy(cut, noor)
    await judgedNow(cut, { intent, ulid: 'c' })
    await cut.watch.settled(cut.log)
    expect(await rootOf(cutAt(cut.log, await sealOf(cut, 3)))).toBe(idOf(noor.privateKey))
  })

  test('numbers that junk has used do not stand in the way', async () => {
    await on.log.append({ name: 'main.1.catalog.3', bytes: Buffer.from('junk') })
    await on.log.append({ name: 'main.2.catalog.4', bytes: Buffer.from('junk') })
    await settled(on)
    await turnedBy(on, root)
    await changeCatalog(on.runtime, { op: 'set', key: 'learning', value: true })
    expect((await on.log.get('main.2.catalog.5'))?.position).toBeGreaterThan(0)
    expect((await turnedBy(on, mia)).snapshot.isRooted).toBe(true)
    expect(await rootOf(cutAt(on.log, await sealOf(on, 3)))).toBe(idOf(mia.privateKey))
  })

  test('an era is rotated without the first change sets too, and is reported as not rooted', async () => {
    const { log } = on.runtime
    const read: Log['read'] = async function* (range, names) {
      for await (const fact of log.read(range, names)) {
        if (fact.name !== 'main.1.catalog.1') yield fact
      }
    }
    const without = { ...on.runtime, log: { ...log, read } }
    expect((await rotate(without, mia, null)).snapshot.isRooted).toBe(false)
    await settled(on)
    const cut = cutAt(on.log, await sealOf(on, 2))
    await expect(soundBeginningOf(cut, place, rootKey)).rejects.toThrow(idOf(mia.privateKey))
  })

  test('another key learns that it began nothing here', async () => {
    await turnedBy(on, mia)
    const cut = cutAt(on.log, await sealOf(on, 2))
    for (const other of [idOf(mia.privateKey), idOf(keys.olga)]) {
      const refused = soundBeginningOf(cut, place, other)
      await expect(refused).rejects.toMatchObject({ code: 'root_key_differs', retry: 'never' })
      await expect(refused).rejects.toThrow(rootKey)
    }
  })
})

interface Forged {
  readonly state: State
  readonly by: string
  readonly privateKey: string
  readonly changes: readonly BoundChange[] | null
}

/** An archived era as someone would write it who has nothing but that key. */
function archived({ state, by, privateKey, changes }: Forged): Log {
  const next = { realm: 'main', era: 2 }
  const position = state.position
  const stamp = { source: 'test/hand', time: '2026-01-01T00:00:00.000Z', basis: position }
  const contents: Json[] = [{ step: 'seal', seals: 1, by, signature: null }]
  const chainIn = (step: string, texts: readonly string[]) => {
    let after = chainStart
    for (const [index, digest] of [...chainOf(texts)].entries()) {
      contents.push({ step, part: index + 1, after, text: texts[index] ?? '' })
      after = digest
    }
    return { parts: texts.length, digest: after }
  }
  const chunks = chainIn('chunk', [...writeSnapshot(state)])
  const catalogs = changes && chainIn('catalogs', [...writeCatalogs(changes)])
  contents.push({ step: 'end', by, position, ...chunks, ...(catalogs && { catalogs }) })
  const facts = contents.map((content, index) => {
    const name = nameOf(next, 'snapshot', index + 1)
    const { step } = Object(content)
    const isSigned = step === 'seal' || step === 'end'
    const signature = isSigned ? signData({ log: state.log, name }, content, privateKey) : null
    const data = jsonOf(isSigned ? { ...Object(content), signature } : content)
    const bytes = writeEvent('snapshot', name, data, stamp)
    return { name, bytes, position: position + index, appendedAt: state.appendedAt }
  })
  return goldenLog(facts)
}

describe('an archived era that someone forged', () => {
  let state: State
  let changes: readonly BoundChange[]
  beforeEach(async () => {
    await turnedBy(on, mia)
    const opened = await snapshotOf(on.log, { realm: 'main', era: 2 }, rootKey)
    if (opened === null || opened.catalogs === null) throw new Error('mia rotated the era')
    state = opened.state
    changes = opened.catalogs
  })

  const mallory = { id: 'mallory', privateKey: newKey() }
  const refused = async (forged: Partial<Forged>, code = 'root_key_unproven') => {
    const log = archived({ state, by: 'mia', privateKey: mia.privateKey, changes, ...forged })
    await expect(soundBeginningOf(log, place, rootKey)).rejects.toMatchObject({ code })
    expect((await beginningOf(log, place, rootKey)).start).toBe(null)
    return log
  }
  const withMallory = (): State => {
    const { entry } = policyAdmin(mallory)
    const principals = new Map(state.catalog.principals)
    principals.set('mallory', entry)
    return { ...state, catalog: { ...state.catalog, principals } }
  }

  test('is what was written, where nothing was forged', async () => {
    const log = archived({ state, by: 'mia', privateKey: mia.privateKey, changes })
    expect((await soundBeginningOf(log, place, rootKey)).start?.isRooted).toBe(true)
    expect(changes.map(({ name }) => name)).toEqual(['main.1.catalog.1', 'main.1.catalog.2'])
  })

  test('is refused where a catalog of their own names them, whatever it carries', async () => {
    const forged = { state: withMallory(), by: 'mallory', privateKey: mallory.privateKey }
    await refused({ ...forged, changes: null })
    const log = await refused(forged)
    // It names the genuine root key, and without one demanded nothing more is known of it.
    const { start } = await soundBeginningOf(log, place, null)
    expect(start).toMatchObject({ by: 'mallory', isRooted: false })
  })

  test('is refused where a change set lets them that no policy admin signed', async () => {
    const name = 'main.1.catalog.3'
    const { entry } = policyAdmin(mallory)
    const operations = [{ op: 'put', collection: 'principals', entry }]
    const content = jsonOf({ revision: 3, by: 'mallory', operations })
    const signature = signData({ log: state.log, name }, content, mallory.privateKey)
    const data = jsonOf({ revision: 3, by: 'mallory', operations, signature })
    const stamp = { source: 'test/hand', time: '2026-01-01T00:00:00.000Z', basis: 1 }
    const mine = { name, bytes: writeEvent('catalog', name, data, stamp) }
    const forged = { by: 'mallory', privateKey: mallory.privateKey }
    const after = { ...withMallory(), catalogRevision: 3 }
    await refused({ ...forged, state: after, changes: [...changes, mine] })
  })

  test('is refused where a change set is left out, edited, or out of order', async () => {
    const [first, second] = changes
    if (first === undefined || second === undefined) throw new Error('there are two')
    const text = Buffer.from(second.bytes).toString().replace('mia', 'mai')
    const edited = { ...second, bytes: Buffer.from(text) }
    for (const other of [[], [first], [second], [second, first], [first, edited]]) {
      await refused({ changes: other.length === 0 ? null : other })
    }
  })

  test('is refused where another log of the same people let them', async () => {
    const other = await scene({ catalog: { capabilities: [look] } })
    await changeCatalog(other.runtime, policyAdmin(mallory))
    await turnedBy(other, mallory)
    const theirs = await snapshotOf(other.log, { realm: 'main', era: 2 }, rootKey)
    const forged = { by: 'mallory', privateKey: mallory.privateKey }
    await refused({ ...forged, state: withMallory(), changes: theirs?.catalogs ?? null })
  })
})

test.each([root, mia])(
  'what an older version turned needs the signature of the root key: $id',
  async (author) => {
    await turnedBy(on, author)
    const opened = await snapshotOf(on.log, { realm: 'main', era: 2 }, null)
    if (opened === null) throw new Error('the era was rotated')
    const { id: by, privateKey } = author
    const log = archived({ state: opened.state, by, privateKey, changes: null })
    const begun = soundBeginningOf(log, place, rootKey)
    if (author === root) expect((await begun).start).toMatchObject({ by: 'root', isRooted: true })
    else await expect(begun).rejects.toMatchObject({ code: 'root_key_unproven' })
  },
)
