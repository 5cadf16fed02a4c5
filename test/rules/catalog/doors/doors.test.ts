// For whom a door speaks: those that the catalog assigns to it, and no one who decides for others.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { doorRefusal, speaksThrough, type DoorRefusal } from '#rules/catalog/doors/speaking'
import type { z } from 'zod'
import type { Principal } from '#schemas/catalog'

type Given = z.input<typeof Principal>

function knowing(...principals: readonly Given[]) {
  const { catalog = emptyCatalog } = catalogFromFile({
    principals: [...principals],
    groups: [{ id: 'desk', members: principals.some(({ id }) => id === 'dora') ? ['dora'] : [] }],
  })
  return catalog
}

const bot: Given = { id: 'bot', via: ['http', 'mcp'] }

const cases: readonly (readonly [string, readonly Given[], DoorRefusal | null])[] = [
  ['it is assigned', [bot], null],
  ['it is unknown', [], 'unknown'],
  ['it is suspended', [{ ...bot, suspended: true }], 'suspended'],
  ['no door is assigned', [{ id: 'bot' }], 'unassigned'],
  ['another door is assigned', [{ id: 'bot', via: ['mcp'] }], 'unassigned'],
  ['it signs change sets', [{ ...bot, roles: ['policy-admin'] }], 'has_duty'],
  ['it rules on proposals', [{ ...bot, roles: ['curator'] }], 'has_duty'],
  ['it owns an agent', [bot, { id: 'other', owner: 'bot' }], 'has_duty'],
]

test.each(cases)('where %s the door `http` is answered', (_, principals, refusal) => {
  const catalog = knowing(...principals)
  expect(doorRefusal(catalog, 'bot', 'http')).toBe(refusal)
  // A suspension is a reason of its own: what came before it stays.
  const counts = refusal === null || refusal === 'suspended'
  expect(speaksThrough(catalog, 'bot', 'http')).toBe(counts)
})

test('a member of a group that confirms uses no door', () => {
  const catalog = knowing({ id: 'dora', via: ['http'] })
  expect(doorRefusal(catalog, 'dora', 'http')).toBe('has_duty')
})

test('what is no name of a door speaks for no one', () => {
  for (const door of [undefined, null, 7, ['http'], { http: true }, '']) {
    expect(speaksThrough(knowing(bot), 'bot', door)).toBe(false)
  }
})
