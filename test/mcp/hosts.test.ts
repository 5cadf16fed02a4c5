// What the host of an agent answers while people are asked, played by the official client: it opens
// a link and comes back, or polls a task. Its word is relayed, and is never a decision of people.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { partsInRealm } from '#record/names'
import { readData } from '#record/event'
import { agreed, proxied, until, type Era, type Proxied } from './proxied.ts'
import { keys } from '../support/runtime.ts'

const reviewUrl = 'https://console.example/r/{intent}'
const capabilities = { send: { safetyClass: 'WRITE' as const } }
const call = { name: 'send', arguments: { to: 'ann' } }
const eras: readonly Era[] = ['auto', 'legacy']

type Kind = Parameters<typeof readData>[0]

/** What the facts of that kind hold. */
async function facts({ log }: Proxied, kind: Kind) {
  const found = []
  for await (const fact of log.read({})) {
    if (partsInRealm(fact.name, 'main')?.kind === kind) found.push(readData(kind, fact))
  }
  return found
}

async function declined({ bot }: Pick<Proxied, 'bot'>, intent: string): Promise<void> {
  const note = 'no one asked for it'
  await bot.decide({ intent, confirmer: 'olga', privateKey: keys.olga, answers: false, note })
}

/** The host answers the link at once, whatever a person decides beside it. */
async function answering(era: Era, answer: object, then: typeof agreed) {
  const on = await proxied({ capabilities, reviewUrl })
  const options = { capabilities: { elicitation: { url: {}, form: {} } } }
  const client = await on.connected(era, options)
  const modes: (string | undefined)[] = []
  const later: Promise<void>[] = []
  client.setRequestHandler('elicitation/create', ({ params }) => {
    modes.push(params.mode)
    const url = params.mode === 'url' ? params.url : ''
    const intent = decodeURIComponent(url.split('/r/')[1] ?? '')
    later.push(then(on, intent))
    return { action: 'accept', ...answer }
  })
  const result = await client.callTool(call)
  await Promise.all(later)
  return { on, result, modes }
}

describe.each(eras)('a host that opens the link: %s', (era) => {
  test('has the call run once people have agreed', async () => {
    const { on, result, modes } = await answering(era, {}, agreed)
    expect(result.isError).not.toBe(true)
    expect(modes).toEqual(['url'])
    expect(await on.ran()).toEqual(['send'])
    expect(await facts(on, 'decision')).toMatchObject([{ confirmer: 'olga' }])
  })

  test('and answers that it agrees has decided nothing', async () => {
    const answer = { content: { answers: true, approved: true, confirmer: 'olga' } }
    const { on, result } = await answering(era, answer, declined)
    expect(result.isError).toBe(true)
    expect(await on.ran()).toEqual([])
    expect(await facts(on, 'decision')).toMatchObject([{ confirmer: 'olga' }])
  })

  test('and declines it is recorded as relayed, by the agent, and as no decision', async () => {
    const on = await proxied({ capabilities, reviewUrl })
    const client = await on.connected(era, { capabilities: { elicitation: { url: {} } } })
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
    await client.callTool(call)
    expect(await facts(on, 'decision')).toEqual([])
    const [withdrawal] = await facts(on, 'withdrawal')
    expect(withdrawal).toMatchObject({ note: expect.stringContaining('relayed') })
  })

  test('is asked for no form where it shows forms alone', async () => {
    const on = await proxied({ capabilities, reviewUrl })
    const client = await on.connected(era, { capabilities: { elicitation: { form: {} } } })
    let asked = 0
    client.setRequestHandler('elicitation/create', () => {
      asked += 1
      return { action: 'accept', content: { approved: true } }
    })
    expect((await client.callTool(call)).isError).toBe(true)
    expect(asked).toBe(0)
    expect(await facts(on, 'decision')).toEqual([])
    expect(await on.ran()).toEqual([])
  })
})

const TaskAnswer = z.looseObject({
  status: z.string(),
  result: z.looseObject({ content: z.array(z.unknown()) }).optional(),
})

test.each(eras)('a host that polls a task gets its result once people agreed: %s', async (era) => {
  const on = await proxied({ capabilities })
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  const client = await on.connected(era, { capabilities: { extensions } })
  const begun = client.callTool(call)
  // This version of the client reads no task in the answer to a call of 2026: it only polls one.
  if (era === 'auto') await expect(begun).rejects.toThrow('Unsupported result type')
  else expect(await begun).toMatchObject({ taskId: expect.any(String), status: 'working' })
  const [taskId = ''] = on.runtime.follower.state.intents.keys()
  const polled = () => {
    return client.request({ method: 'tasks/get', params: { taskId } }, TaskAnswer)
  }
  expect((await polled()).status).toBe('working')
  expect(await on.ran()).toEqual([])
  await agreed(on, taskId)
  await until(async () => (await polled()).status === 'completed')
  expect((await polled()).result?.content).toEqual([{ type: 'text', text: 'sent to ann' }])
  expect(await on.ran()).toEqual(['send'])
})
