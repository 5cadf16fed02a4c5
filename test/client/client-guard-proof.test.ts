// A guard that folds the log runs nothing on a verdict that the stages would not have bound where
// it stands, no matter who bound it; and no guard runs anything on one whose time cannot be.
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { jsonOf } from '#record/canonical'
import { readEvent, writeEvent } from '#record/event'
import type { Log } from '#ports/log'
import type { VerdictData } from '#schemas/facts'
import { refuseLate } from '#replay/verdicts/timely'
import { stages } from '#workers/stages'
import { forged, madeUp } from '../support/forger.ts'
import { keys, testRuntime } from '../support/runtime.ts'
import { answer, deletion, erase, look, names, reason } from '../support/scene.ts'
import { say, scene, verdict, type Scene } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { logOf } from '../support/wrapped-log.ts'

const minuteMs = 60_000
const unlimited = { uses: 'unlimited' as const, windowMs: minuteMs }
const catalog = {
  capabilities: [look, erase],
  limits: ['look', 'erase'].map((capability) => ({ capability, ...unlimited })),
}
const setup = { catalog, graph: deletion({ name: 'ask' }) }
const without = (name: string) => stages.filter((stage) => stage.name !== name)

let runs: unknown[]
beforeEach(() => {
  runs = []
})

function noted(args: unknown): string {
  runs.push(args)
  return 'done'
}

test('a verdict raced into the file before any stage had answered runs nothing', async () => {
  const path = join(await temporaryFolder(), 'log.db')
  const { runtime, bot } = await testRuntime({ ...setup, log: await sqliteLog(path), stages: [] })
  const forger = await sqliteLog(path)
  const abort = new AbortController()
  const racing = (async () => {
    for await (const { name, position } of forger.follow(1, abort.signal)) {
      if (!name.startsWith('main.1.vlp.')) continue
      const time = new Date().toISOString()
      const address = name.split('.').slice(3).join('.')
      expect((await forger.append(madeUp(address, { basis: position, time }))).appended).toBe(true)
    }
  })()
  try {
    const running = bot.guard('look', noted)({})
    await expect(running).rejects.toMatchObject({ code: 'verdict_not_derived', retry: 'never' })
    expect(runs).toEqual([])
    expect(await names(runtime.log, 'main.1.ownstart.>')).toEqual([])
  } finally {
    abort.abort()
    await racing
    await forger.close()
    await runtime.stop()
  }
})

/** Binds that verdict as soon as the fact of that kind is folded. */
function racing(on: Scene, kind: string, bind: (address: string) => Promise<unknown>): void {
  on.runtime.follower.listen((_, { parts }) => {
    if (parts?.kind === kind && parts.address !== null) void bind(parts.address)
  })
}

test('an allow at a time of the forger’s choice runs nothing, though it derives', async () => {
  const on = await scene({
    catalog,
    graph: deletion({ name: 'hours', requiresConfirmation: false, callback: 'hours' }),
    module: `export const hours = ({ now }) => ({ passed: now.slice(11, 13) === '12' })`,
    stages: without('policy'),
  })
  racing(on, 'grounding', async (address) => {
    const { position: basis } = await on.log.head()
    const time = new Date(on.time.now - 12 * 3_600_000).toISOString()
    const made = await forged(on, address, { stage: 'policy', basis, time })
    expect(made).toMatchObject({ data: { outcome: 'allow' } })
  })
  const running = on.bot.guard('erase', noted)({}, { justification: reason })
  await expect(running).rejects.toMatchObject({ code: 'verdict_late', retry: 'never' })
  expect(runs).toEqual([])
})

test('an allow from before it was withdrawn runs nothing', async () => {
  const on = await scene({ ...setup, stages: without('confirmation') })
  racing(on, 'review', async (address) => {
    await answer(on, address)
    const { position: basis } = await on.log.head()
    await on.bot.withdraw(address)
    const time = new Date(on.time.now).toISOString()
    const made = await forged(on, address, { stage: 'confirmation', basis, time })
    expect(made).toMatchObject({ data: { outcome: 'allow' } })
  })
  const running = on.bot.guard('erase', noted)({}, { justification: reason })
  await expect(running).rejects.toMatchObject({ code: 'verdict_not_derived' })
  expect(runs).toEqual([])
})

/** Replaces what policy would bind by what that makes of it. */
function changing(change: (data: VerdictData) => VerdictData): (log: Log) => Log {
  return (log) => ({
    ...logOf(log),
    append: (entry) => log.append({ ...entry, bytes: changed(entry.name, entry.bytes) }),
  })
  function changed(name: string, bytes: Uint8Array): Uint8Array {
    const reading = readEvent('verdict', { name, bytes })
    if (!reading.ok) return bytes
    const { data, stamp } = reading.event
    return writeEvent('verdict', name, jsonOf(change(data)), stamp)
  }
}

test.each<[string, (terms: NonNullable<VerdictData['terms']>) => object]>([
  ['may be used for longer', ({ useBy }) => ({ useBy: useBy.replace(/^\d{4}/, '2036') })],
  ['has other constraints', () => ({ constraints: { region: '*' } })],
])('an allow that %s than the stages decided runs nothing', async (_, other) => {
  const wrap = changing((data) => ({
    ...data,
    terms: data.terms === null ? null : { ...data.terms, ...other(data.terms) },
  }))
  const on = await scene({ ...setup, wrap })
  const running = on.bot.guard('look', noted)({})
  await expect(running).rejects.toMatchObject({ code: 'verdict_not_derived' })
  expect(runs).toEqual([])
})

const inSession = {
  catalog: {
    ...catalog,
    principals: [{ id: 'desk' }],
    trustedEvidence: [{ sender: 'desk', for: ['*'] }],
  },
  graph: deletion({ name: 'said', requiresConfirmation: false, callback: 'said' }),
  module: `export const said = ({ evidence }) => ({
    passed: evidence.some(({ payload }) => payload?.ok === true),
  })`,
}

async function withEvidence(on: Scene): Promise<string> {
  const session = on.bot.session()
  const message = {
    type: 'evidence',
    receiver: 'bot',
    refers_to: 'x',
    provenance: ['system of record'],
    payload: { ok: true },
  }
  await say(on.log, { as: 'desk', session: session.id, message })
  const guarded = on.bot.guard('erase', noted)
  return guarded({ n: 1 }, { session, justification: reason })
}

test('an allow from evidence of its session and a callback is derived, and runs', async () => {
  const on = await scene(inSession)
  expect(await withEvidence(on)).toBe('done')
  expect(runs).toEqual([{ n: 1 }])
})

test('where the guard has no callback modules, what their answers were is read back', async () => {
  const working = await scene(inSession)
  const { module, ...elsewhere } = inSession
  expect(module).toContain('evidence')
  const on = await scene({ ...elsewhere, stages: [] }, working)
  expect(await withEvidence(on)).toBe('done')
  expect(runs).toEqual([{ n: 1 }])
})

test('a verdict is bounded by its own time where its basis is not known', async () => {
  const on = await scene(setup)
  const given = await verdict(on.log, await say(on.log, { intent: { tool: 'look' } }))
  expect(() => refuseLate(given, null)).not.toThrow()
  const { appendedAt } = given.origin
  const late = { ...given, origin: { ...given.origin, appendedAt: appendedAt + minuteMs + 1 } }
  expect(() => refuseLate(late, null)).toThrow(expect.objectContaining({ code: 'verdict_late' }))
})

test('a program that starts after the verdict derives it out of the log', async () => {
  const asking = await scene(setup)
  const { intent } = await asking.bot.ask({ tool: 'look', args: { n: 1 } })
  const later = await scene({ ...setup, stages: [] }, asking)
  expect(await later.bot.guard('look', noted).redeem(intent)).toBe('done')
  expect(runs).toEqual([{ n: 1 }])
})

test('and runs nothing on one that was made up before it started', async () => {
  const asking = await scene({ ...setup, stages: [] })
  const { address, position } = await asking.bot.publish({
    type: 'query',
    content: 'may I look',
    payload: { intent: { tool: 'look', args: {} } },
  })
  const time = new Date(asking.time.now).toISOString()
  await asking.log.append(madeUp(address, { basis: position, time }))
  const later = await scene({ ...setup, stages: [] }, asking)
  const running = later.bot.guard('look', noted).redeem(address)
  await expect(running).rejects.toMatchObject({ code: 'verdict_not_derived' })
  expect(runs).toEqual([])
})

test('a program without stages proves a verdict by what others said in its session', async () => {
  const informed = {
    catalog: { ...catalog, trustedEvidence: [{ sender: 'quin', for: ['informed'] }] },
    graph: deletion({ name: 'informed', requiresConfirmation: false, callback: 'informed' }),
    module: `export const informed = ({ evidence }) =>
      ({ passed: evidence.some(({ payload }) => payload?.ok === true) })`,
  }
  const deciding = await scene(informed)
  const guarding = await scene({ ...informed, stages: [] }, deciding)
  const session = guarding.bot.session()
  const cited = { refers_to: 'x', provenance: ['system of record'] }
  const message = { type: 'evidence', ...cited, payload: { ok: true } }
  await say(deciding.log, { as: 'quin', session: session.id, privateKey: keys.quin, message })
  const options = { session, justification: reason }
  expect(await guarding.bot.guard('erase', noted)({ n: 1 }, options)).toBe('done')
  expect(runs).toEqual([{ n: 1 }])
})
