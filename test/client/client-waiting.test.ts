// Waiting for a verdict that does not come: what is missing, who learns of it, and when it ends.
import { shortIntent } from '#present/approving'
import { expect, test } from 'vitest'
import { connect, Pending } from '#client/connect'
import { stages } from '#workers/stages'
import { answer, bound, deletion, erase, groundingOf, look } from '../support/scene.ts'
import { reviewed, say, scene, type Scene } from '../support/scene.ts'

const setup = { catalog: { capabilities: [look, erase] }, graph: deletion({ name: 'ask' }) }

const missing = (...running: string[]) => stages.filter(({ name }) => running.includes(name))

async function unanswered(on: Scene, address: string): Promise<string> {
  const waiting = on.bot.verdict(address, 1_000).catch((error: unknown) => error)
  await on.watch.settled(on.log)
  on.time.pass(1_000)
  const error = await waiting
  expect(error).toMatchObject({ code: 'no_verdict', retry: 'soon' })
  return error instanceof Error ? error.message : ''
}

test('a client without an answer learns which stage has not answered', async () => {
  const intent = { tool: 'look' }
  const grounding = await scene({ ...setup, stages: [] })
  expect(await unanswered(grounding, await say(grounding.log, { intent }))).toContain(
    'grounding stage',
  )
  const policy = await scene({ ...setup, stages: missing('grounding') })
  const waiting = await say(policy.log, { intent })
  await groundingOf(policy.log, waiting)
  await policy.runtime.follower.reached((await policy.log.head()).position)
  expect(await unanswered(policy, waiting)).toContain('policy stage')
})

test('a client that waits for people learns for whom, and for the stage once they have answered', async () => {
  const on = await scene({ ...setup, stages: missing('grounding', 'policy') })
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  expect(await unanswered(on, address)).toContain('waits for approval from `olga` until')
  await answer(on, address)
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(await unanswered(on, address)).toContain('confirmation stage')
  const expired = await reviewed(on, { intent: { tool: 'erase' } })
  on.time.pass(900_001)
  expect(await unanswered(on, expired)).toContain('confirmation stage')
})

test('a client that waits for learning is informed, and no one waits for an invalid intent', async () => {
  const on = await scene({ ...setup, catalog: { ...setup.catalog, learning: true } })
  const held = await say(on.log, { intent: { tool: 'look', concepts: ['moon'], onGap: 'learn' } })
  await bound(on.log, `main.1.hold.${held}.1`)
  await on.runtime.follower.reached((await on.log.head()).position)
  expect(await unanswered(on, held)).toContain('learning')
  expect(await unanswered(on, 'bot.-.nothing')).toContain('waits for its message')
})

test('a time-out has what is missing as data, with the address and the time', async () => {
  const on = await scene({ ...setup, stages: missing('grounding', 'policy') })
  const address = await reviewed(on, { intent: { tool: 'erase' } })
  const waiting = on.bot.verdict(address, { waitMs: 5_000 }).catch((error: unknown) => error)
  await on.watch.settled(on.log)
  on.time.pass(5_000)
  const error = await waiting
  if (!(error instanceof Pending)) throw new Error('it is another error')
  expect(error).toMatchObject({ intent: address, waits: { for: 'people', people: ['olga'] } })
  // For people it may not have waited at all.
  expect(error.message).toMatch(/^no verdict yet: intent `bot\.[^`]+` waits for approval from/)
  expect(error.message).toContain(`\`warrant approve ${shortIntent(address)}\``)
})

test('who asks learns once that people are asked, and need not wait for them', async () => {
  const on = await scene(setup)
  const seen: string[] = []
  const asking = on.bot.ask(
    { tool: 'erase' },
    {
      onReview(waits, intent) {
        seen.push(intent, ...waits.people)
        return false
      },
    },
  )
  await expect(asking).rejects.toMatchObject({ code: 'no_verdict', waits: { for: 'people' } })
  expect(seen).toEqual([expect.stringMatching(/^bot\./), 'olga'])
  const [address = ''] = seen
  const again = on.bot.verdict(address, { onReview: () => seen.push('again') > 0 })
  await answer(on, address)
  expect((await again).outcome).toBe('allow')
  expect(seen.slice(2)).toEqual(['again'])
})

test('what a callback throws ends its own wait and not the fold', async () => {
  const on = await scene(setup)
  const onReview = (): never => {
    throw new Error('of the caller')
  }
  await expect(on.bot.ask({ tool: 'erase' }, { onReview })).rejects.toThrow('of the caller')
  expect((await on.bot.ask({ tool: 'look' })).outcome).toBe('allow')
})

test('a client that closes leaves no one waiting', async () => {
  const on = await scene({ ...setup, stages: [] })
  const client = await connect({ as: 'bot', runtime: on.runtime })
  const waiting = expect(client.verdict('bot.-.u1')).rejects.toMatchObject({ code: 'no_verdict' })
  await new Promise((resolve) => setImmediate(resolve))
  await client.close()
  await waiting
  // The runtime was given, so it is not the client’s to stop.
  expect((await on.log.head()).position).toBeGreaterThan(0)
})
