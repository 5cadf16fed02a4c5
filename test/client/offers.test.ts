// Offers: what an agent is offered is recorded and cited, and changes nothing of what it may do.
import { expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { schemaOf } from '#schemas/contents'
import { readEvent } from '#record/event'
import type { Model } from '#ports/models'
import { connect } from '#client/connect'
import { Capability } from '#schemas/catalog'
import { changeCatalog, newKey } from '../support/runtime.ts'
import { codes, names, scene } from '../support/scene.ts'

const READ = 'READ' as const
const anyArgs = { type: 'object' }
const key = newKey()
const mail = {
  id: 'mail.read',
  safetyClass: READ,
  description: 'Read a mail.',
  argsSchema: anyArgs,
}
const setup = {
  catalog: {
    capabilities: [
      mail,
      {
        id: 'mail.readAll',
        safetyClass: READ,
        description: 'Read all mail.',
        argsSchema: anyArgs,
        deny: [{ principal: 'bot' }],
      },
      { id: 'clock.now', safetyClass: READ, description: 'The time.', argsSchema: anyArgs },
    ],
    principals: [{ id: 'signer', owner: 'olga', keys: [publicKeyOf(key)] }],
  },
}

const model = (order: unknown): Model => ({
  name: 'scripted',
  ask: () => Promise.resolve({ answer: order }),
})

async function offerIn(on: Awaited<ReturnType<typeof scene>>) {
  const [name = ''] = await names(on.log, 'main.1.routing.>')
  const fact = await on.log.get(name)
  const reading = fact === undefined ? null : readEvent('routing', fact)
  return reading?.ok === true ? schemaOf('routing').parse(reading.event.data) : null
}

test('what is offered and forbidden is denied; what is allowed and not offered is allowed', async () => {
  const on = await scene(setup)
  const { cards, routing } = await on.bot.shortlist('read the mail')
  expect(cards.map(({ id }) => id).toSorted()).toEqual(['mail.read', 'mail.readAll'])
  const denied = await on.bot.ask({ tool: 'mail.readAll' }, { routing })
  expect(codes(denied)).toEqual(['not_permitted'])
  const allowed = await on.bot.ask({ tool: 'clock.now' }, { routing })
  expect(allowed.outcome).toBe('allow')
})

test('what an offer says changes no verdict', async () => {
  const on = await scene(setup)
  const without = await on.bot.ask({ tool: 'mail.readAll' })
  for (const goal of ['read the mail', 'what is the time', 'nothing of it']) {
    const { routing } = await on.bot.shortlist(goal)
    const { outcome, reasons, terms } = await on.bot.ask({ tool: 'mail.readAll' }, { routing })
    expect({ outcome, reasons, terms }).toEqual({
      outcome: without.outcome,
      reasons: without.reasons,
      terms: without.terms,
    })
  }
  const forged = await on.bot.ask({ tool: 'mail.readAll' }, { routing: 'root.-.anything' })
  expect(codes(forged)).toEqual(['not_permitted'])
})

test('a capability that is suspended after the allow runs nothing any more', async () => {
  const on = await scene(setup)
  const runs: object[] = []
  const suspended = { ...Capability.parse(mail), suspended: true as const }
  const stopped = new Promise<void>((resolve) => {
    on.runtime.follower.listen((_, { parts }) => {
      if (parts?.kind !== 'verdict') return
      const op = { op: 'put', collection: 'capabilities', entry: suspended } as const
      resolve(changeCatalog(on.runtime, op))
    })
  })
  on.bot.guard('mail.read', (args) => runs.push(args))
  const { intent } = await on.bot.ask({ tool: 'mail.read' })
  await stopped
  await expect(on.bot.redeem(intent)).rejects.toMatchObject({ code: 'capability_suspended' })
  expect(runs).toEqual([])
})

test('a pick that was tampered with is refused, and so is one of another turn', async () => {
  const on = await scene(setup)
  const first = await on.bot.shortlist('read the mail')
  const second = await on.bot.shortlist('what is the time')
  expect(on.bot.pick(first, ' MAIL.read\n')).toEqual({ id: 'mail.read' })
  expect(on.bot.pick(first, 'mail.readAll')).toEqual({ id: 'mail.readAll' })
  expect(on.bot.pick(first, 'mail.readAll; drop')).toMatchObject({ refused: 'not_a_candidate' })
  expect(on.bot.pick(first, 'clock.now')).toMatchObject({ refused: 'not_a_candidate' })
  expect(on.bot.pick(second, 'clock.now')).toEqual({ id: 'clock.now' })
})

test('an offer is recorded with the digest of its goal, its candidates and what ranked them', async () => {
  const on = await scene(setup)
  const { cards, routing } = await on.bot.shortlist('read the mail of Ann')
  const recorded = await offerIn(on)
  expect(recorded).toMatchObject({
    agent: 'bot',
    session: null,
    candidates: cards.map(({ id, score }) => ({ id, score })),
    catalog: on.runtime.follower.state.catalogRevision,
    ranker: 1,
  })
  expect(JSON.stringify(recorded)).not.toContain('Ann')
  expect(await names(on.log, 'main.1.routing.>')).toEqual([`main.1.routing.${routing}`])
  await on.bot.shortlist('read the mail', { record: false })
  expect(await names(on.log, 'main.1.routing.>')).toHaveLength(1)
})

test('a trace shows the offer that the intent cites, and where its tool stood', async () => {
  const on = await scene(setup)
  const { routing } = await on.bot.shortlist('read the mail')
  const { intent } = await on.bot.ask({ tool: 'mail.read' }, { routing })
  const { steps } = await on.bot.read('trace', { intent })
  expect(steps.map(({ name }) => name.split('.')[2])).toEqual([
    'routing',
    'vlp',
    'grounding',
    'rate',
    'verdict',
  ])
  const text = JSON.stringify(steps)
  expect(text).toContain('It was offered 2 candidates for its goal')
  expect(text).toMatch(/offered as number [12] of 2/)
  const other = await on.bot.ask({ tool: 'clock.now' }, { routing })
  const notOffered = await on.bot.read('trace', { intent: other.intent })
  expect(JSON.stringify(notOffered)).toContain('it was not offered')
  const none = await on.bot.ask({ tool: 'clock.now' }, { routing: 'bot.S-other.x' })
  const uncited = await on.bot.read('trace', { intent: none.intent })
  expect(JSON.stringify(uncited)).not.toContain('offered')
})

test('an agent with a key signs what it was offered, and unsigned it counts for nothing', async () => {
  const on = await scene(setup)
  const signer = await connect({ as: 'signer', privateKey: key, runtime: on.runtime })
  const good = await signer.shortlist('read the mail')
  const asked = await signer.ask({ tool: 'mail.read' }, { routing: good.routing })
  const story = await signer.read('trace', { intent: asked.intent })
  expect(story.steps[0]).toMatchObject({ name: `main.1.routing.${good.routing}`, void: null })
  const unsigned = await connect({ as: 'signer', runtime: on.runtime })
  const bad = await unsigned.shortlist('read the mail')
  const again = await signer.ask({ tool: 'mail.read' }, { routing: bad.routing })
  const [first] = (await signer.read('trace', { intent: again.intent })).steps
  expect(first?.void).toBe('its agent has a key and did not sign it')
})

test('a model puts the candidates in another order, and can neither add nor lose one', async () => {
  const on = await scene(setup)
  const ids = async (order: unknown) => {
    const found = await on.bot.shortlist('read the mail', { model: model(order), record: false })
    return [found.model, ...found.cards.map(({ id }) => id)]
  }
  const [none, first = '', second = ''] = await ids('no object')
  expect(none).toBeNull()
  expect(await ids({ order: [second] })).toEqual(['scripted', second, first])
  expect(await ids({ order: ['clock.now', 7, second, second, first] })).toEqual([
    'scripted',
    second,
    first,
  ])
  expect(await ids({ order: ['clock.now'] })).toEqual([null, first, second])
  const failing: Model = {
    name: 'down',
    ask: () => Promise.resolve({ failed: { code: 'timed_out', params: {} } }),
  }
  const kept = await on.bot.shortlist('read the mail', { model: failing })
  expect(kept.model).toBeNull()
  expect(kept.cards.map(({ id }) => id)).toEqual([first, second])
})
