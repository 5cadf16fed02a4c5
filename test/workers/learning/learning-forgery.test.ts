// What no one may do: change the graph without a person, for someone else, something else than was
// shown, or what the graph knows. A fact that tries counts for nothing, and a replay finds what was
// forged.
import { describe, expect, test } from 'vitest'
import { learntChange } from '#state/slices/learning/proposals'
import { nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { replay } from '#replay/replay'
import type { CatalogOperation } from '#schemas/catalog'
import type { ProposalData, RulingData, Candidate } from '#schemas/learning'
import { stages } from '#workers/stages'
import {
  filling,
  learnable,
  proposalOf,
  proposed,
  ruled,
  teach,
  folded,
} from '../../support/learning-scene.ts'
import { added } from '../../support/learning-graphs.ts'
import { tampered } from '../../support/replay-story.ts'
import { changeCatalog, keys, newKey, testParts } from '../../support/runtime.ts'
import {
  another,
  bind,
  expectReplay,
  names,
  place,
  say,
  scene,
  verdict,
  type Scene,
} from '../../support/scene.ts'
import type { Log } from '#ports/log'
import { logOf } from '../../support/wrapped-log.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

interface Asked {
  readonly on: Scene
  readonly address: string
  readonly id: string
  readonly data: ProposalData
}

/** Someone waits to be added, and people are asked. */
async function asked(setup = learnable): Promise<Asked> {
  const on = await scene(setup)
  const address = await say(on.log, { intent: moon })
  const { id, data } = await proposed(on)
  return { on, address, id, data }
}

/** Binds a ruling as no one's client would; what is not given is as it should be. */
async function forged(
  { on, id, data }: Asked,
  given: Partial<RulingData>,
  of: { readonly under?: string; readonly privateKey?: string | undefined } = {
    privateKey: keys.root,
  },
): Promise<string | null> {
  const name = nameOf(place, 'ruling', id, of.under ?? given.confirmer ?? 'root')
  const content = {
    proposal: nameOf(place, 'proposal', id),
    digest: data.digest,
    ruling: 'modified',
    confirmer: 'root',
    byOwner: false,
    releases: [],
    ...(given.ruling === undefined || given.ruling === 'modified'
      ? { candidate: filling(data.template) }
      : {}),
    ...given,
  }
  return fate(on, name, () => bind(on.log, 'ruling', name, content, of.privateKey))
}

/** Why the fact counts for nothing, once it is folded. */
async function fate(on: Scene, name: string, run: () => Promise<unknown>): Promise<string | null> {
  let why: string | null = null
  const stop = on.runtime.follower.listen((fact, folded) => {
    if (fact.name === name) why = folded.void
  })
  await run()
  await on.runtime.follower.reached((await on.log.head()).position)
  stop()
  return why
}

async function expectUntaught({ on, address }: Asked): Promise<void> {
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.graph.>')).toHaveLength(1)
  expect(await names(on.log, `main.1.verdict.${address}`)).toEqual([])
}

function curator(id: string, key: string, suspended = false): CatalogOperation {
  const entry = { id, roles: ['curator'], attributes: {}, keys: [key], suspended }
  return { op: 'put', collection: 'principals', entry }
}

describe('a ruling counts for nothing', () => {
  test.each([
    ['without a signature', {}, { privateKey: undefined }, 'it is not signed'],
    ['signed by someone else', {}, { privateKey: keys.piet }, 'no key of this person'],
    [
      'under the name of someone else',
      { confirmer: 'root' },
      { under: 'piet', privateKey: keys.root },
      'under another name',
    ],
    ['by who is no curator', { confirmer: 'piet' }, { privateKey: keys.piet }, 'not_a_curator'],
    ['by whom no one knows', { confirmer: 'ghost' }, { privateKey: keys.root }, 'unknown_person'],
    [
      'on something else than was shown',
      { digest: `sha256:${'0'.repeat(64)}` },
      { privateKey: keys.root },
      'something else than was shown',
    ],
    [
      'about another proposal',
      { proposal: 'main.1.proposal.OTHER' },
      { privateKey: keys.root },
      'another proposal',
    ],
    [
      'that accepts what no one proposed',
      { ruling: 'accepted' as const },
      { privateKey: keys.root },
      'there is no candidate',
    ],
    [
      'that adds more than is needed',
      { candidate: { levels: [added('moon', 0, 1, 2)], edge: null } },
      { privateKey: keys.root },
      'level_above_need',
    ],
    [
      'that adds something else',
      { candidate: { levels: [added('sun', 0, 1)], edge: null } },
      { privateKey: keys.root },
      'primitive_unasked',
    ],
    [
      'that skips and brings a candidate all the same',
      { ruling: 'skipped' as const, candidate: { levels: [added('moon', 0, 1)], edge: null } },
      { privateKey: keys.root },
      'brings no candidate',
    ],
    [
      'that says it is by the owner where others may rule',
      { byOwner: true },
      { privateKey: keys.root },
      'it is not by the owner',
    ],
  ])('%s', async (_, given, by, why) => {
    const of = await asked()
    expect(await forged(of, given, by)).toContain(why)
    await expectUntaught(of)
    await expectReplay(of.on)
  })

  test('about an intent of one’s own, even of a policy admin', async () => {
    const of = await asked()
    const own = newKey()
    await changeCatalog(of.on.runtime, curator('bot', publicKeyOf(own)))
    const why = await forged(of, { confirmer: 'bot' }, { privateKey: own })
    expect(why).toContain('met_the_gap')
    await expectUntaught(of)
  })

  test('by the owner of who met the gap, with no word of that', async () => {
    const of = await asked()
    const owned = { id: 'bot', owner: 'root', roles: [], attributes: {}, keys: [] }
    const entry = { ...owned, suspended: false }
    await changeCatalog(of.on.runtime, { op: 'put', collection: 'principals', entry })
    expect(await forged(of, {})).toBe('it does not say that it is by the owner')
    await expectUntaught(of)
    await expectReplay(of.on)
  })

  test('of someone who is suspended by then', async () => {
    const of = await asked()
    await changeCatalog(of.on.runtime, curator('piet', publicKeyOf(keys.piet), true))
    const why = await forged(of, { confirmer: 'piet' }, { privateKey: keys.piet })
    expect(why).toContain('unknown_person')
    await expectUntaught(of)
  })

  test('after another that counted', async () => {
    const of = await asked()
    await ruled(of.on, of.id, { ruling: 'rejected' })
    await changeCatalog(of.on.runtime, curator('piet', publicKeyOf(keys.piet)))
    const why = await forged(of, { confirmer: 'piet' }, { privateKey: keys.piet })
    expect(why).toBe('no such proposal is open')
  })
})

describe('a change set that no one signed', () => {
  test('counts for nothing where no ruling is open', async () => {
    const of = await asked()
    const name = nameOf(place, 'graph', 2)
    const operations = [{ op: 'add', name: 'moon' }]
    const ruling = nameOf(place, 'ruling', of.id, 'root')
    const content = { revision: 2, by: 'root', ruling, operations }
    const why = await fate(of.on, name, () => bind(of.on.log, 'graph', name, content))
    expect(why).toBe('it follows from no ruling that is open')
    await expectUntaughtBut(of, 2)
  })

  test.each([
    ['adds an operation', (data: Change) => ({ ...data, operations: [...data.operations, add] })],
    ['leaves one out', (data: Change) => ({ ...data, operations: data.operations.slice(0, -1) })],
    ['names another author', (data: Change) => ({ ...data, by: 'olga' })],
    [
      'names another provenance',
      (data: Change) => ({
        ...data,
        operations: data.operations.map((one) =>
          'provenance' in one ? { ...one, provenance: { ...provenance, source: 'authored' } } : one,
        ),
      }),
    ],
  ])('counts for nothing where it %s', async (_, change) => {
    const on = await scene({ ...learnable, stages: [] })
    await say(on.log, { intent: moon })
    const first = await another(on, { stages })
    const proposal = await proposed(first)
    await first.runtime.stop()
    await teach(on, proposal)
    const { state } = on.runtime.follower
    const open = state.learning.open.get(proposal.id)
    if (open === undefined) throw new Error('it is agreed to, and not in the graph yet')
    const rightly = learntChange(state, open)
    const content = Object.fromEntries(Object.entries(change(rightly.data)))
    const why = await fate(on, rightly.name, () => bind(on.log, 'graph', rightly.name, content))
    expect(why).not.toBe(null)
    // Its name is used, and what was agreed to is put in under the next.
    const next = await another(on, { stages })
    await next.watch.settled(next.log)
    expect(next.runtime.follower.state.graphRevision).toBe(3)
    await expectReplay(next)
  })
})

type Change = ReturnType<typeof learntChange>['data']
const provenance = { by: 'root', at: '2026-01-01T00:00:00.000Z' }
const add = { op: 'add', name: 'door' } as const

async function expectUntaughtBut({ on }: Asked, facts: number): Promise<void> {
  await on.watch.settled(on.log)
  expect(await names(on.log, 'main.1.graph.>')).toHaveLength(facts)
  expect(on.runtime.follower.state.graphRevision).toBe(1)
}

describe('a proposal that was forged', () => {
  test.each([
    ['under a name of another question', 'M'.repeat(26), {}, 'not that of what it asks'],
    ['with another digest', null, { digest: `sha256:${'1'.repeat(64)}` }, 'digest'],
    ['again', null, {}, 'asked already'],
  ])('%s counts for nothing', async (_, other, changed, why) => {
    const { on, id } = await asked()
    const data = await proposalOf(on, id)
    const era = { ...place, era: 1 }
    // Its own name is bound, so the forger has to take another.
    const name = nameOf(era, 'proposal', other ?? id.replace(/.$/, 'Z'))
    const content = { ...data, ...changed }
    const reported = await fate(on, name, () => bind(on.log, 'proposal', name, content))
    expect(reported).not.toBe(null)
    if (other !== null) expect(reported).toContain(why)
    expect(on.runtime.follower.state.learning.open.size).toBe(1)
  })

  test.each([
    ['another agent', (text: string) => text.replaceAll('"agent":"bot"', '"agent":"honest"')],
    ['another revision', (text: string) => text.replace('"graphRevision":1', '"graphRevision":0')],
  ])('to report of %s is found by a replay', async (_, change) => {
    const { on, id } = await asked()
    const name = nameOf(place, 'proposal', id)
    const { callbacks } = testParts(on.log, {})
    const log = tampered(on.log, (fact) => {
      if (fact.name !== name) return fact
      return { ...fact, bytes: Buffer.from(change(Buffer.from(fact.bytes).toString('utf8'))) }
    })
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    expect(report.differences).toBe(1)
    expect(report.first?.name).toBe(name)
    await callbacks.close()
  })
})

test('a resume that no one derived counts as forged', async () => {
  const { on, address } = await asked()
  const name = nameOf(place, 'resume', address, 1)
  const intent = { address, agent: 'bot', session: null }
  await bind(on.log, 'resume', name, { intent, attempt: 1, reason: { code: 'full', params: {} } })
  await on.watch.settled(on.log)
  const { callbacks } = testParts(on.log, {})
  const report = await replay({ log: on.log, place, rootKey: null, stages, callbacks })
  expect(report.first).toMatchObject({ name })
  await callbacks.close()
  // It only brings the next attempt on, which finds the same gap.
  expect(await names(on.log, `main.1.hold.${address}.*`)).toHaveLength(2)
  await ruled(on, (await proposed(on)).id, { ruling: 'skipped' })
  expect((await verdict(on.log, address)).outcome).toBe('deny')
})

// Two people look at the same question: only the first answer counts, and anyone who comes second
// learns who was first, when and how, also where that shows only once the second is bound.

const own = newKey()
const carl = { confirmer: 'carl', privateKey: own }

interface Two {
  readonly on: Scene
  /** Of another process, which receives nothing more until it has said something itself. */
  readonly late: Scene
  readonly id: string
  readonly candidate: Candidate
}

async function two(): Promise<Two> {
  const on = await scene(learnable)
  const entry = { id: 'carl', roles: ['curator'], attributes: {}, keys: [publicKeyOf(own)] }
  const put = { ...entry, suspended: false }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry: put })
  await say(on.log, { intent: moon })
  const { id, data } = await proposed(on)
  await on.watch.settled(on.log)
  const { position } = await on.log.head()
  const late = await another(on, { stages: [], wrap: (log) => deafAfter(log, position) })
  await proposed(late)
  return { on, late, id, candidate: filling(data.template) }
}

function deafAfter(log: Log, position: number): Log {
  let receive = (): void => undefined
  const received = new Promise<void>((resolve) => {
    receive = resolve
  })
  return {
    ...logOf(log),
    append: async (entry, options) => {
      const appended = await log.append(entry, options)
      receive()
      return appended
    },
    async *follow(from, signal) {
      signal.addEventListener('abort', receive, { once: true })
      for await (const fact of log.follow(from, signal)) {
        if (fact.position > position) await received
        yield fact
      }
    },
  }
}

async function addedFirst({ on, id, candidate }: Two): Promise<void> {
  await ruled(on, id, { ruling: 'modified', candidate })
  await folded(on, () => !on.runtime.follower.state.learning.open.has(id))
}

const first = (then: string) => ({ code: 'ruled', message: expect.stringMatching(then) })
const time = '2026-01-01T00:00:00.000Z'

describe('who answers second', () => {
  test('learns who added it, when, and in which revision', async () => {
    const both = await two()
    const { on, late, id, candidate } = both
    await addedFirst(both)
    const said = `^\`root\` answered this first, at ${time} \\(modified, revision 2 of the graph\\)`
    const then = `${said}; yours is in the log and counts for nothing: .*show ${id}`
    await expect(
      late.bot.rule({ proposal: id, ruling: 'modified', candidate, ...carl }),
    ).rejects.toMatchObject(first(then))
    expect(await names(on.log, 'main.1.ruling.>')).toHaveLength(2)
    await expectReplay(on)
  })

  test('learns of a no, by either', async () => {
    const { on, late, id } = await two()
    await ruled(on, id, { ruling: 'rejected' })
    await expect(late.bot.rule({ proposal: id, ruling: 'skipped', ...carl })).rejects.toMatchObject(
      first(`^\`root\` answered this first, at ${time} \\(rejected\\); yours`),
    )
  })

  test('binds nothing where it is known by then', async () => {
    const both = await two()
    const { on, id, candidate } = both
    await addedFirst(both)
    await expect(
      on.bot.rule({ proposal: id, ruling: 'modified', candidate, ...carl }),
    ).rejects.toMatchObject(first('; nothing is bound: '))
    expect(await names(on.log, 'main.1.ruling.>')).toHaveLength(1)
  })

  test('learns that before the answer is in the graph', async () => {
    const { on, late, id, candidate } = await two()
    await on.runtime.stop()
    const alone = await another(on, { stages: [] })
    await proposed(alone)
    await ruled(alone, id, { ruling: 'modified', candidate })
    await expect(
      alone.bot.rule({ proposal: id, ruling: 'skipped', ...carl }),
    ).rejects.toMatchObject(first('\\(modified, not in the graph yet\\); nothing is bound'))
    await expect(late.bot.rule({ proposal: id, ruling: 'skipped', ...carl })).rejects.toMatchObject(
      first('\\(modified, not in the graph yet\\); yours is in the log'),
    )
    expect(await names(alone.log, 'main.1.ruling.>')).toHaveLength(2)
  })

  test('learns only that it is not open where no one answered it', async () => {
    const { on } = await two()
    await expect(
      on.bot.rule({ proposal: 'ZZZZZZZZ', ruling: 'skipped', ...carl }),
    ).rejects.toMatchObject({ code: 'no_proposal' })
  })
})
