// Two people look at the same question: only the first answer counts, and anyone who comes second
// learns who was first, when and how, also where that shows only once the second is bound.
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Log } from '#ports/log'
import type { Candidate } from '#schemas/learning'
import { filling, folded, learnable, proposed, ruled } from '../../support/learning-scene.ts'
import { changeCatalog, newKey } from '../../support/runtime.ts'
import { another, expectReplay, names, say, scene, type Scene } from '../../support/scene.ts'
import { logOf } from '../../support/wrapped-log.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }
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

async function added({ on, id, candidate }: Two): Promise<void> {
  await ruled(on, id, { ruling: 'modified', candidate })
  await folded(on, () => !on.runtime.follower.state.learning.open.has(id))
}

const first = (then: string) => ({ code: 'ruled', message: expect.stringMatching(then) })
const time = '2026-01-01T00:00:00.000Z'

describe('who answers second', () => {
  test('learns who added it, when, and in which revision', async () => {
    const both = await two()
    const { on, late, id, candidate } = both
    await added(both)
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
    await added(both)
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
