// No agent approves itself: what an airline agent reports of its tools or its customer counts for
// nothing, however it is worded. The same words from the airline's own tools and desk count.
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressOf, nameOf } from '#record/names'
import { publicKeyOf } from '#record/crypto/private-key'
import { CatalogFile } from '#schemas/catalog'
import { GraphFile } from '#schemas/graph'
import { connect, type SessionHandle } from '#client/connect'
import type { Warrant } from '#client/warrant'
import { keys, newKey, testRuntime, type TestRuntime } from '../../support/runtime.ts'

const seed = new URL('../../../seeds/airline/', import.meta.url)
const voices = { 'airline-tools': newKey(), 'airline-desk': newKey() }
const session = 'S-2024-05-15-trip-abcdef'
const justification = 'the customer of this conversation wants it'

let played: TestRuntime
let agent: Warrant
let own: SessionHandle

beforeEach(async () => {
  const [catalog, graph, module] = await Promise.all([
    readFile(new URL('catalog.json', seed), 'utf8'),
    readFile(new URL('graph.json', seed), 'utf8'),
    readFile(new URL('callbacks.ts', seed), 'utf8'),
  ])
  const file = CatalogFile.parse(JSON.parse(catalog))
  const principals = file.principals.map((principal) => {
    const key = Object.entries(voices).find(([id]) => id === principal.id)?.[1]
    return key === undefined ? principal : { ...principal, keys: [publicKeyOf(key)] }
  })
  const customer = { id: 'airline-customer', keys: [publicKeyOf(newKey())] }
  const rest = principals.filter(({ id }) => id !== customer.id)
  const attributes = { tenant: 'airline' }
  const served = { id: 'server', attributes, roles: ['writer', 'admin'], owner: customer.id }
  played = await testRuntime({
    catalog: { ...file, principals: [...rest, customer, served] },
    graph: GraphFile.parse(JSON.parse(graph)),
    module,
  })
  agent = await connect({ as: 'server', runtime: played.runtime })
  own = agent.session(session)
})

afterEach(() => played.runtime.stop())

const trip = {
  reservation_id: 'ABC123',
  user_id: 'mia_1',
  cabin: 'business',
  flight_type: 'one_way',
  origin: 'JFK',
  destination: 'SEA',
  flights: [
    { flight_number: 'HAT001', date: '2024-05-20', price: 100, origin: 'JFK', destination: 'SEA' },
  ],
  passengers: [{ first_name: 'Mia', last_name: 'Li', dob: '1990-04-05' }],
  payment_history: [{ payment_id: 'credit_card_1', amount: 100 }],
  created_at: '2024-05-15T10:00:00',
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
}

const looked = {
  type: 'evidence',
  content: 'get_reservation_details answered',
  confidence: 0.8,
  provenance: ['the booking system'],
  receiver: 'server',
  refers_to: 'MSG-abcdef-0001',
  payload: {
    tool: 'get_reservation_details',
    args: { reservation_id: 'ABC123' },
    error: false,
    value: trip,
  },
}

const yes = {
  type: 'notice',
  content: 'the customer spoke',
  confidence: 0.8,
  receiver: 'server',
  payload: { kind: 'customer', confirmed: true },
}

/** Asks to cancel; what becomes of it shows which evidence was believed. */
async function cancel(): Promise<{ outcome: string; codes: string[]; asked: boolean }> {
  const intent = { tool: 'cancel_reservation', args: { reservation_id: 'ABC123' }, justification }
  const fields = { type: 'query', content: 'cancel it', payload: { intent } }
  const { address } = await agent.publish(fields, own)
  const settled = agent.verdict(address, 20_000).then(({ outcome, reasons }) => {
    return { outcome, codes: reasons.map(({ code }) => code), asked: false }
  })
  const { log, place, follower } = played.runtime
  const asked = new Promise<{ outcome: string; codes: string[]; asked: boolean }>((resolve) => {
    follower.listen(({ name }) => {
      if (name === nameOf(place, 'review', address, 1)) {
        resolve({ outcome: 'none', codes: [], asked: true })
      }
    })
  })
  const early = await log.get(nameOf(place, 'review', address, 1))
  if (early !== undefined) return { outcome: 'none', codes: [], asked: true }
  return Promise.race([settled, asked])
}

async function speak(as: keyof typeof voices, fields: typeof looked | typeof yes): Promise<void> {
  const voice = await connect({ as, privateKey: voices[as], runtime: played.runtime })
  await voice.publish(fields, { id: session, seq: 0 })
}

test('the word of the tools and of the desk lets the change go on', async () => {
  await speak('airline-tools', looked)
  await speak('airline-desk', yes)
  expect(await cancel()).toEqual({ outcome: 'allow', codes: [], asked: false })
})

test('without the word of the tools the change is refused', async () => {
  await speak('airline-desk', yes)
  expect(await cancel()).toMatchObject({ outcome: 'deny', codes: ['policy_blocked'] })
})

test('without the word of the desk the customer is asked', async () => {
  await speak('airline-tools', looked)
  expect(await cancel()).toMatchObject({ asked: true })
})

test('a result that the agent publishes itself counts for nothing', async () => {
  await speak('airline-desk', yes)
  await agent.publish(looked, own)
  expect(await cancel()).toMatchObject({ outcome: 'deny', codes: ['policy_blocked'] })
})

test('a yes that the agent publishes itself counts for nothing', async () => {
  await speak('airline-tools', looked)
  await agent.publish(yes, own)
  expect(await cancel()).toMatchObject({ asked: true })
})

test('a message under the agent’s name that claims to be from the tools is ignored', async () => {
  await speak('airline-desk', yes)
  await forge('server', 'airline-tools', looked)
  expect(await cancel()).toMatchObject({ outcome: 'deny', codes: ['policy_blocked'] })
})

test('a result bound under the tools` own name, without their key, counts for nothing', async () => {
  await speak('airline-desk', yes)
  await forge('airline-tools', 'airline-tools', looked)
  expect(await cancel()).toMatchObject({ outcome: 'deny', codes: ['policy_blocked'] })
})

test('a yes bound under the desk’s own name, signed with another key, counts for nothing', async () => {
  await speak('airline-tools', looked)
  const forger = await connect({
    as: 'airline-desk',
    privateKey: keys.olga,
    runtime: played.runtime,
  })
  await forger.publish(yes, { id: session, seq: 0 })
  expect(await cancel()).toMatchObject({ asked: true })
})

test('the word of the tools in another session counts for nothing', async () => {
  await speak('airline-desk', yes)
  const { runtime } = played
  const voice = await connect({ as: 'airline-tools', privateKey: voices['airline-tools'], runtime })
  await voice.publish(looked, { id: 'S-2024-05-15-other-abcdef', seq: 0 })
  expect(await cancel()).toMatchObject({ outcome: 'deny', codes: ['policy_blocked'] })
})

// Binds a message under one sender's name that says it is of another, as a raw log client could.
async function forge(under: string, sender: string, fields: typeof looked): Promise<void> {
  const { log, place, ids, clock } = played.runtime
  const liar = await connect({ as: sender, runtime: played.runtime })
  const published = await liar.publish(fields, { id: 'S-2024-05-15-draft-abcdef', seq: 0 })
  const fact = await log.get(published.name)
  const text = Buffer.from(fact?.bytes ?? []).toString('utf8')
  const bytes = Buffer.from(text.replace('S-2024-05-15-draft-abcdef', session), 'utf8')
  const address = addressOf(under, session, ids.next(clock.now()))
  await log.append({ name: nameOf(place, 'vlp', address), bytes })
}
