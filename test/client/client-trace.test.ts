// A client and `warrant trace` give the same of an intent, whatever kinds of facts are about it.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { partsInRealm } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import { listenerFor } from '#present/story/story'
import type { Fact } from '#ports/log'
import { connect } from '#client/connect'
import type { Kind } from '#schemas/kinds'
import { readGolden } from '../golden/golden-log.ts'
import { run } from '../support/cli-runner.ts'
import { answer, deletion, erase, look, reviewed, scene } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const golden = fileURLToPath(new URL('../golden/0.2.0', import.meta.url))

/** What no intent is behind. */
const ofNoIntent: readonly Kind[] = ['catalog', 'snapshot', 'lift', 'routing']

const kindOf = ({ name }: Pick<Fact, 'name'>): Kind | undefined => partsInRealm(name, 'main')?.kind

/** A file with these facts, each appended at its time. */
async function fileOf(facts: readonly Fact[]): Promise<string> {
  const path = join(await temporaryFolder(), 'log.db')
  let now = 0
  const log = await sqliteLog(path, { clock: { now: () => now }, acceptClock: true })
  for (const fact of facts) {
    now = fact.appendedAt
    await log.append(fact)
  }
  await log.close()
  return path
}

/** A few intents that together have every kind of fact. */
function chosen(facts: readonly Fact[]): readonly string[] {
  const addresses = new Set(facts.map(({ name }) => partsInRealm(name, 'main')?.address ?? ''))
  const listeners = [...addresses].map((address) => ({ address, listener: listenerFor(address) }))
  const state = newState({ realm: 'main', era: 1 })
  for (const fact of facts) {
    const folded = evolve(state, fact)
    for (const { listener } of listeners) listener.receive(state, fact, folded)
  }
  const missing = new Set(facts.map(kindOf))
  for (const kind of [undefined, ...ofNoIntent]) missing.delete(kind)
  const kindsIn = ({ listener }: (typeof listeners)[number]) =>
    new Set(listener.reported.map(kindOf))
  const most = listeners.toSorted((one, other) => kindsIn(other).size - kindsIn(one).size)
  const some = most.filter((one) => {
    const fresh = [...kindsIn(one)].filter((kind) => missing.delete(kind))
    return fresh.length > 0
  })
  expect([...missing]).toEqual([])
  return some.map(({ address }) => address)
}

test.runIf(isFull)('a client and warrant trace give the same, of every kind of fact', async () => {
  const facts = await readGolden(golden)
  const log = await fileOf(facts)
  const client = await connect({ log, stages: false, acceptClock: true })
  const cwd = await temporaryFolder()
  for (const address of chosen(facts)) {
    const read = await client.read('trace', { intent: address, content: true })
    const words = ['trace', address, '--content', '--json', '--log', log]
    const { stdout } = await run(words, { cwd })
    expect({ ...JSON.parse(stdout), now: read.now }).toEqual(read)
    expect(read.summary).toMatch(/^`.+` asked/)
  }
  await client.close()
})

test('what is known can be asked without an intent, and the graph of now can be read', async () => {
  const on = await scene({ catalog: { capabilities: [look] }, graph: deletion() })
  const before = (await on.log.head()).position
  expect(on.bot.check(['delete', 'file'])).toMatchObject({ grounded: true, gaps: [] })
  const moon = on.bot.check(['moon'], { minDepth: 2 })
  expect(moon).toMatchObject({ grounded: false, gaps: [{ kind: 'EXISTENCE', primitive: 'moon' }] })
  expect(moon.text).toContain('✗  moon')
  expect(on.bot.graph().primitives.map(({ name }) => name)).toEqual(['file', 'delete'])
  expect((await on.log.head()).position).toBe(before)
})

test('a trace has the story, and says where an approval was not used', async () => {
  const on = await scene({
    catalog: { capabilities: [erase] },
    graph: deletion({ name: 'ask' }),
  })
  const guarded = on.bot.guard('erase', () => 'ran')
  const intent = await reviewed(on, { intent: { tool: 'erase' } })
  await answer(on, intent)
  await on.bot.verdict(intent)
  const { summary, steps } = await on.bot.read('trace', { intent })
  expect(summary).toMatch(
    /^`bot` asked to use `erase`: allowed; approved and not used, good until /,
  )
  expect(steps.map(({ title }) => title)).toContain('`olga` agrees')
  await guarded.redeem(intent)
  expect((await on.bot.read('trace', { intent })).summary).not.toContain('not used')
})
