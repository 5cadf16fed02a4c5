// What a door does in the name of a principal: it counts where the catalog assigns the door, and
// nowhere else, whatever the message says; and one request is one intent however often it comes.
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { nameInside } from '#record/roles'
import { signMessage } from '#messages/signed-message'
import { doorAgents } from '#client/doors/door-agent'
import { connect } from '#client/connect'
import { VlpMessage } from '#schemas/vlp'
import { newKey } from '../../support/runtime.ts'
import {
  codes,
  deletion,
  erase,
  judged,
  look,
  read,
  replayed,
  scene,
  type Scene,
} from '../../support/scene.ts'

const key = newKey()

async function doorScene(): Promise<Scene> {
  return scene({
    catalog: {
      rules: 2,
      principals: [
        { id: 'ada', owner: 'olga', via: ['http'] },
        { id: 'eve', owner: 'olga', via: ['mcp'] },
        { id: 'kim', owner: 'olga', via: ['http'], keys: [publicKeyOf(key)] },
        { id: 'omar', via: ['http'] },
        { id: 'ozzy', owner: 'omar' },
      ],
      capabilities: [look, erase],
      limits: [{ capability: 'look', uses: 'unlimited', windowMs: 60_000 }],
    },
    graph: deletion({ name: 'ask', requiresConfirmation: true }),
  })
}

const intent = { tool: 'look', args: { at: 1 } }

describe('a message that says through which door it came', () => {
  test.each([
    ['counts where that is assigned', 'ada', 'http', []],
    ['is forged where another is', 'eve', 'http', ['sender_mismatch']],
    ['is forged where none is', 'bot', 'http', ['sender_mismatch']],
    ['is forged of someone who decides for others', 'omar', 'http', ['sender_mismatch']],
    ['is forged where no door could be called that', 'ada', 7, ['sender_mismatch']],
  ])('%s', async (_, as, door, reasons) => {
    const on = await doorScene()
    const message = { _extras: { warrant_via: door } }
    expect(codes(await judged(on, { as, intent, message })).slice(0, 1)).toEqual(reasons)
    expect((await replayed(on)).differences).toBe(0)
  })
})

describe('an agent behind a door', () => {
  test('asks, and the message says through which door', async () => {
    const { runtime, log } = await doorScene()
    const verdict = await doorAgents(runtime, 'http').agentFor('ada').ask(intent)
    expect(verdict.outcome).toBe('allow')
    const fact = await log.get(`main.1.vlp.${verdict.intent}`)
    expect(JSON.parse(Buffer.from(fact?.bytes ?? []).toString())).toMatchObject({
      sender: 'ada',
      _extras: { warrant_via: 'http' },
    })
  })

  test('is refused where the door does not speak for it', async () => {
    const { runtime } = await doorScene()
    const agents = doorAgents(runtime, 'http')
    for (const id of ['eve', 'bot', 'omar', 'root', 'unheard-of']) {
      expect(() => agents.agentFor(id)).toThrow(expect.objectContaining({ code: 'door_refused' }))
    }
  })

  test('starts once and ends once, and replay finds nothing wrong', async () => {
    const on = await doorScene()
    const ada = doorAgents(on.runtime, 'http').agentFor('ada')
    const { intent: address } = await ada.ask(intent)
    await expect(ada.end(address, { outcome: 'failed' })).rejects.toMatchObject({
      code: 'not_started',
    })
    expect(await ada.start(address)).toMatchObject({ capability: 'look' })
    await expect(ada.start(address)).rejects.toMatchObject({ code: 'warrant_used' })
    await ada.end(address, { outcome: 'succeeded' })
    await ada.end(address, { outcome: 'succeeded' })
    await expect(ada.end(address, { outcome: 'failed' })).rejects.toMatchObject({
      code: 'outcome_recorded',
    })
    expect(await read(on.log, 'ownoutcome', `main.1.ownoutcome.${address}`)).toMatchObject({
      outcome: 'succeeded',
    })
    const { differences, findings } = await replayed(on)
    expect([differences, findings.counts]).toMatchObject([0, { startWithoutAllow: 0 }])
  })

  test('takes back what people have before them', async () => {
    const on = await doorScene()
    const ada = doorAgents(on.runtime, 'http').agentFor('ada')
    const args = { n: 1 }
    const asked = { tool: 'erase', args, justification: 'the customer asked for it' }
    const pending = await ada.ask(asked, { onReview: () => false }).catch((error: unknown) => error)
    const { intent: address } = Object(pending)
    await ada.withdraw(address)
    expect(codes(await ada.verdict(address))).toContain('withdrawn')
  })
})

describe('a request with an id of its own', () => {
  test('is one intent however often it comes', async () => {
    const { runtime } = await doorScene()
    const ada = doorAgents(runtime, 'http').agentFor('ada')
    const id = 'K123'
    const all = await Promise.all([1, 2, 3].map(() => ada.ask(intent, { key: id })))
    expect(new Set(all.map(({ intent: address }) => address))).toEqual(new Set(['ada.-.K123']))
    expect((await ada.ask(intent, { key: id })).position).toBe(all[0]?.position)
  })

  test('is refused where that id is another request’s', async () => {
    const { runtime } = await doorScene()
    const ada = doorAgents(runtime, 'http').agentFor('ada')
    await ada.ask(intent, { key: 'K123' })
    const other = ada.ask({ tool: 'look', args: { at: 2 } }, { key: 'K123' })
    await expect(other).rejects.toMatchObject({ code: 'request_differs' })
  })

  test('finds the equal request that was open before it', async () => {
    const { runtime } = await doorScene()
    const client = await connect({ runtime, as: 'ada' })
    const asked = { tool: 'erase', args: { n: 1 }, justification: 'the customer asked for it' }
    const leave = { onReview: () => false }
    const first = await client.ask(asked, leave).catch((error: unknown) => error)
    const ada = doorAgents(runtime, 'http').agentFor('ada')
    for (const id of ['K1', 'K1']) {
      const again = await ada.ask(asked, { key: id, ...leave }).catch((error: unknown) => error)
      expect(Object(again).intent).toBe(Object(first).intent)
    }
    await client.close()
  })
})

describe('a principal with a key', () => {
  const address = 'kim.-.M1'
  const message = VlpMessage.parse({
    id: 'MSG-1',
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender: 'kim',
    content: 'use look',
    confidence: 0.8,
    payload: { intent },
  })

  test('is relayed what it signed for that address, once', async () => {
    const { runtime } = await doorScene()
    const kim = doorAgents(runtime, 'http').agentFor('kim')
    expect(kim.isKeyed).toBe(true)
    const of = { log: runtime.follower.state.log, name: nameInside(`main.1.vlp.${address}`) }
    const signed = signMessage(of, message, key)
    expect((await kim.relay(address, signed)).appended).toBe(true)
    expect((await kim.relay(address, signed)).appended).toBe(false)
    expect((await kim.verdict(address)).outcome).toBe('allow')
  })

  test('is relayed nothing that it did not sign for this log and that address', async () => {
    const { runtime, log } = await doorScene()
    const kim = doorAgents(runtime, 'http').agentFor('kim')
    const name = nameInside(`main.1.vlp.${address}`)
    const signed = signMessage({ log: runtime.follower.state.log, name }, message, key)
    const elsewhere = signMessage({ log: null, name }, message, key)
    const before = (await log.head()).position
    for (const [at, what] of [
      [address, message],
      [address, elsewhere],
      ['kim.-.M2', signed],
      ['ada.-.M1', signed],
      ['kim.s.M1', signed],
      ['kim.-.M1.more', signed],
      ['', signed],
    ] as const) {
      await expect(kim.relay(at, what)).rejects.toMatchObject({ code: 'signature_needed' })
    }
    expect((await log.head()).position).toBe(before)
  })
})
