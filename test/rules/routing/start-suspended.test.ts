// A capability that was suspended before the start of a gateway is not carried out, and neither is
// a call for someone who was.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { startRefusal } from '#messages/executions/start-refusal'
import { newState } from '#state/state'
import { Capability, Principal } from '#schemas/catalog'

const decidedAt = Date.parse('2026-01-01T00:00:00Z')
const start = {
  address: 'bot.-.a',
  verdict: 'main.1.verdict.bot.-.a',
  capability: 'mail.read',
  useBy: decidedAt + 300_000,
  position: 5,
  decidedAt,
  startedAt: decidedAt,
}

test.each([
  [{}, null],
  [{ suspended: true as const }, 'capability_suspended'],
])('with %j it is %j', (fields, refusal) => {
  const entry = Capability.parse({ id: 'mail.read', safetyClass: 'READ', ...fields })
  const { revocations, standings } = newState({ realm: 'main', era: 1 })
  const catalog = { ...emptyCatalog, capabilities: new Map([[entry.id, entry]]) }
  expect(startRefusal({ catalog, revocations, standings }, start)).toBe(refusal)
})

test.each([
  [['planner', 'bot'], {}, null],
  [['planner', 'bot'], { suspended: true }, 'agent_suspended'],
  [['stranger', 'bot'], {}, 'agent_suspended'],
  [undefined, { suspended: true }, null],
])('for %j, of whom one has %j, it is %j', (chain, fields, refusal) => {
  const entry = Capability.parse({ id: 'mail.read', safetyClass: 'READ' })
  const { revocations, standings } = newState({ realm: 'main', era: 1 })
  const bot = Principal.parse({ id: 'bot' })
  const planner = Principal.parse({ id: 'planner', ...fields })
  const principals = new Map([bot, planner].map((one) => [one.id, one]))
  const catalog = { ...emptyCatalog, principals, capabilities: new Map([[entry.id, entry]]) }
  expect(startRefusal({ catalog, revocations, standings }, { ...start, chain })).toBe(refusal)
})
