// A guarded function runs once, on an allow, with exactly the arguments that were judged; and never
// otherwise.
import { beforeEach, expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { readEvent } from '#record/event'
import type { OutcomeData } from '#schemas/facts'
import { Refused } from '#client/connect'
import { stages } from '#workers/stages'
import { changeCatalog } from '../support/runtime.ts'
import {
  answer,
  anyArgs,
  bound,
  deletion,
  erase,
  expectReplay,
  look,
  names,
} from '../support/scene.ts'
import { place, scene, type Scene, type SceneSetup } from '../support/scene.ts'

const strict = {
  ...look,
  id: 'strict',
  argsSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
}
const setup: SceneSetup = {
  catalog: {
    capabilities: [look, erase, strict, { id: 'write', safetyClass: 'WRITE', argsSchema: anyArgs }],
    principals: [{ id: 'lone', roles: ['writer'] }],
  },
  graph: deletion({ name: 'ask' }),
}

let runs: unknown[]
beforeEach(() => {
  runs = []
})

/** A function that notes what it was run with. */
function noted(args: unknown, constraints: unknown): string {
  runs.push([args, constraints])
  return 'done'
}

async function outcomeOf(on: Scene): Promise<OutcomeData> {
  const [name = ''] = await names(on.log, 'main.1.ownoutcome.>')
  const reading = readEvent('ownoutcome', await bound(on.log, name))
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

test('on a refusal it does not run, and its caller gets the reasons and the gaps', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('look', noted)
  const refused = await guarded({}, { concepts: ['moon'] }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refused)
  expect(refused).toMatchObject({
    name: 'Refused',
    reasons: [{ code: 'ungrounded', recover: 'learn' }],
    gaps: [{ kind: 'EXISTENCE', primitive: 'moon' }],
    verdict: { outcome: 'deny' },
  })
  expect(runs).toEqual([])
  expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
  expect(await names(on.log, 'main.1.ownoutcome.>')).toEqual([])
})

test.each([
  ['a date', { at: new Date(0) }],
  ['no number', { at: Number.NaN }],
  ['a big integer', { at: 1n }],
  ['a map', { at: new Map() }],
  ['a function', { at: () => 1 }],
  ['half a character', { at: '\ud800' }],
  ['a hostile key', JSON.parse('{"__proto__": {"admin": true}}')],
  ['a hostile key further down', JSON.parse('{"a": {"__proto__": {"admin": true}}}')],
  ['a list with nothing in it', { at: [1, undefined] }],
])('arguments that JSON cannot hold are refused before anything is asked: %s', async (_, args) => {
  const on = await scene(setup)
  await expect(on.bot.guard('look', noted)(args)).rejects.toThrow()
  expect(runs).toEqual([])
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([])
})

test('an intent that no one answers runs nothing', async () => {
  const on = await scene({ ...setup, stages: [] })
  const running = on.bot.guard('look', noted)({}, { waitMs: 1_000 })
  const failed = expect(running).rejects.toMatchObject({ code: 'no_verdict' })
  await published(on)
  on.time.pass(1_000)
  await failed
  expect(runs).toEqual([])
})

async function published(on: Scene): Promise<void> {
  for await (const fact of on.log.follow(1, new AbortController().signal)) {
    if (fact.name.startsWith('main.1.vlp.')) break
  }
  // Anyone who publishes begins to wait for the verdict only when the message is durable.
  await new Promise((resolve) => setImmediate(resolve))
}

test('a log that cannot be reached runs nothing', async () => {
  const on = await scene(setup)
  await on.runtime.stop()
  await expect(on.bot.guard('look', noted)({})).rejects.toMatchObject({ code: 'log_closed' })
  expect(runs).toEqual([])
})

test('on an allow it runs once, with its arguments and constraints, and its outcome is recorded', async () => {
  const on = await scene(setup)
  const guarded = on.bot.guard('look', noted)
  expect(await guarded({ path: 'a' }, { constraints: { max_rows: 7, region: 'eu' } })).toBe('done')
  expect(runs).toEqual([[{ path: 'a' }, { max_rows: 7, region: 'eu' }]])
  const [start = ''] = await names(on.log, 'main.1.ownstart.>')
  const reading = readEvent('ownstart', await bound(on.log, start))
  expect(reading.ok).toBe(true)
  expect(await outcomeOf(on)).toMatchObject({ outcome: 'succeeded' })
  await expectReplay(on)
})

test('what its caller changes meanwhile does not run', async () => {
  const on = await scene(setup)
  const args = { path: 'a', list: [1] }
  const running = on.bot.guard('look', noted)(args)
  args.path = '/etc/passwd'
  args.list.push(2)
  await running
  expect(runs).toEqual([[{ path: 'a', list: [1] }, { max_rows: 50 }]])
})

test('what looks different each time it is looked at runs as it was judged', async () => {
  const on = await scene(setup)
  let looks = 0
  const args = {
    get n() {
      return (looks += 1)
    },
  }
  await on.bot.guard('strict', noted)(args)
  expect(runs).toEqual([[{ n: 1 }, { max_rows: 50 }]])
})

test('what it throws comes to its caller, and is recorded as failed without its words', async () => {
  const on = await scene(setup)
  const broken = on.bot.guard('look', () => {
    throw new RangeError('the password is hunter2')
  })
  await expect(broken({})).rejects.toThrow(RangeError)
  expect(await outcomeOf(on)).toMatchObject({
    outcome: 'failed',
    detail: 'RangeError',
  })
  const whole = await bound(on.log, (await names(on.log, 'main.1.ownoutcome.>'))[0] ?? '')
  expect(Buffer.from(whole.bytes).toString('utf8')).not.toContain('hunter2')
})

test('a promise that is rejected is a failure too', async () => {
  const on = await scene(setup)
  const broken = on.bot.guard('look', () => Promise.reject(new TypeError('no')))
  await expect(broken({})).rejects.toThrow(TypeError)
  expect(await outcomeOf(on)).toMatchObject({ outcome: 'failed', detail: 'TypeError' })
})

test('a warrant that someone has redeemed already runs nothing', async () => {
  const on = await scene(setup)
  on.runtime.follower.listen((_, { parts }) => {
    if (parts?.kind !== 'verdict') return
    const name = nameOf(place, 'ownstart', parts.address ?? '')
    void on.log.append({ name, bytes: Buffer.from('first') })
  })
  await expect(on.bot.guard('look', noted)({})).rejects.toMatchObject({ code: 'warrant_used' })
  expect(runs).toEqual([])
})

test('a warrant runs nothing one millisecond after its last moment', async () => {
  const on = await scene(setup)
  on.runtime.follower.listen((_, { parts }) => {
    if (parts?.kind === 'verdict') on.time.pass(300_001)
  })
  const guarded = on.bot.guard('look', noted)
  await expect(guarded({}, { waitMs: 1_000_000 })).rejects.toMatchObject({
    code: 'warrant_expired',
  })
  expect(runs).toEqual([])
  expect(await names(on.log, 'main.1.ownstart.>')).toEqual([])
})

test('a warrant is good at its last moment', async () => {
  const on = await scene(setup)
  on.runtime.follower.listen((_, { parts }) => {
    if (parts?.kind === 'verdict') on.time.pass(300_000)
  })
  expect(await on.bot.guard('look', noted)({}, { waitMs: 1_000_000 })).toBe('done')
})

test('an agent that was suspended after the allow runs nothing any more', async () => {
  const on = await scene(setup)
  const stopped = new Promise<void>((resolve) => {
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind === 'rate') resolve(changeCatalog(on.runtime, { op: 'suspend', id: 'bot' }))
    })
  })
  await expect(on.bot.guard('look', noted)({})).rejects.toThrow()
  await stopped
  expect(runs).toEqual([])
})

test('a verdict that cannot be read is never an allow', async () => {
  for (const bytes of ['', '{"outcome":"allow"}', 'allow']) {
    const on = await scene({ ...setup, stages: [] })
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind !== 'vlp') return
      const name = nameOf(place, 'verdict', parts.address ?? '')
      void on.log.append({ name, bytes: Buffer.from(bytes) })
    })
    await expect(on.bot.guard('look', noted)({})).rejects.toMatchObject({ code: 'verdict_void' })
  }
  expect(runs).toEqual([])
})

test('an allow that was moved here from another intent runs nothing', async () => {
  const on = await scene(setup)
  const { name } = await on.bot.ask({ tool: 'look' })
  const allow = Buffer.from((await bound(on.log, name)).bytes).toString('utf8')
  const other = await scene({ ...setup, stages: [] })
  other.runtime.follower.listen((_, { parts }) => {
    if (parts?.kind !== 'vlp') return
    const moved = nameOf(place, 'verdict', parts.address ?? '')
    const bytes = Buffer.from(allow.replace(`"id":"${name}"`, `"id":"${moved}"`))
    void other.log.append({ name: moved, bytes })
  })
  await expect(other.bot.guard('look', noted)({})).rejects.toMatchObject({ code: 'verdict_void' })
  expect(runs).toEqual([])
})

test('an allow for other arguments or another capability runs nothing', async () => {
  for (const [tool, args] of [
    ['look', { path: 'a' }],
    ['strict', { n: 1 }],
  ] as const) {
    const on = await scene({ ...setup, stages: [] })
    const other = await scene(setup)
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind !== 'vlp') return
      void copied(other, on, { tool, args }, parts.address ?? '')
    })
    const running = on.bot.guard('look', noted)({ path: 'b' })
    await expect(running).rejects.toMatchObject({ code: 'verdict_not_derived' })
  }
  expect(runs).toEqual([])
})

// A verdict on something else, with the address of this intent written into it.
async function copied(
  from: Scene,
  to: Scene,
  intent: { readonly tool: string; readonly args: Readonly<Record<string, string | number>> },
  address: string,
): Promise<void> {
  const given = await from.bot.ask({ ...intent, args: { ...intent.args } })
  const allow = Buffer.from((await bound(from.log, given.name)).bytes).toString('utf8')
  const bytes = Buffer.from(allow.replaceAll(given.intent, address))
  await to.log.append({ name: nameOf(place, 'verdict', address), bytes })
}

test('a guard waits for people, and runs when they agree', async () => {
  const on = await scene({ ...setup, stages })
  const running = on.bot.guard('erase', noted)({ path: 'a' }, { goal: 'tidy up' })
  await new Promise<void>((resolve) => {
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind === 'review') resolve(answer(on, parts.address ?? ''))
    })
  })
  expect(await running).toBe('done')
  expect(runs).toEqual([[{ path: 'a' }, { max_rows: 50 }]])
})

test('what an agent marks as observed is not run by a guard that enforces', async () => {
  const on = await scene(setup)
  await expect(on.bot.guard('look', noted)({}, { observe: true })).rejects.toBeInstanceOf(Refused)
  expect(runs).toEqual([])
})

test('a hundred calls at once each run once', async () => {
  const limits = [{ capability: 'look', uses: 'unlimited' as const, windowMs: 1 }]
  const on = await scene({ ...setup, catalog: { ...setup.catalog, limits } })
  const guarded = on.bot.guard('look', noted)
  const all = await Promise.all(Array.from({ length: 100 }, (_, n) => guarded({ n })))
  expect(all).toHaveLength(100)
  const ran = runs.map((run) => JSON.stringify(run))
  expect(new Set(ran).size).toBe(100)
  expect(await names(on.log, 'main.1.ownoutcome.>')).toHaveLength(100)
})
