// Which grants can count at all: what is wrong with one is found before it is bound, and by every
// fold in the same way.
import { expect, test } from 'vitest'
import type { Catalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { grantsOf, withoutPast } from '#rules/grants/book'
import { grantFault } from '#rules/grants/grant'
import { listedGrant } from '#rules/grants/listed'
import { answersQuestion } from '#rules/grants/question'
import { GrantData } from '#schemas/action/grant'
import { CatalogFile } from '#schemas/catalog'
import type { Question } from '#schemas/review'
import { testPublicKey } from '#testing/setup'

const day = 24 * 3_600_000
const now = Date.UTC(2026, 0, 1)
const agents = Array.from({ length: 12 }, (_, index) => `bot-${index}`)
const argsSchema = {
  type: 'object',
  properties: { n: { type: 'integer' }, to: { type: 'string' } },
  additionalProperties: false,
}

function made(more: object = {}): Catalog {
  const people = ['olga', 'piet'].map((id) => ({ id, keys: [testPublicKey(id)] }))
  // Each agent is in a fleet of its own, and so in any of the cells.
  const owned = agents.map((id) => ({ id, owner: 'olga', attributes: { fleet: id } }))
  const file = CatalogFile.parse({
    principals: [...people, ...owned, { id: 'away', owner: 'piet' }],
    capabilities: [
      { id: 'pay', safetyClass: 'WRITE', argsSchema },
      { id: 'erase', safetyClass: 'DESTRUCTIVE', argsSchema },
    ],
    ...more,
  })
  const { catalog, refused } = catalogFromFile(file)
  return catalog ?? expect.fail(refused.message)
}

const plain = {
  confirmer: 'olga',
  review: null,
  capability: 'pay',
  safetyClass: 'WRITE',
  agents: ['bot-0'],
  when: 'args.n < 10',
  questions: [{ kind: 'condition', rule: 'large' }],
  uses: 3,
  until: new Date(now + day).toISOString(),
}
const faultOf = (more: object, catalog = made()) =>
  grantFault(catalog, GrantData.parse({ ...plain, ...more }), now)

test('a grant that is right has no fault', () => {
  expect(faultOf({})).toBeNull()
  expect(faultOf({ budget: { of: 'args.n', max: '10' } })).toBeNull()
})

test.each([
  [{ when: 'args.m < 10' }, 'no field `m` is known here'],
  [{ when: 'args.n' }, 'must to bool'],
  [{ budget: { of: 'args.to.size() > 1', max: '1' } }, 'budget: it comes to bool'],
  [{ budget: { of: 'args.n', max: '0.000' } }, 'its budget is 0'],
  [{ capability: 'apy' }, 'there is no tool `apy`'],
  [{ safetyClass: 'READ' }, '`pay` is WRITE'],
  [{ capability: 'erase', safetyClass: 'DESTRUCTIVE' }, 'each call of class DESTRUCTIVE'],
  [{ confirmer: 'piet' }, '`piet` may not decide for `bot-0`'],
  [{ confirmer: 'eve' }, 'no active `eve`'],
  [{ agents: ['bot-0', 'away'] }, '`olga` may not decide for `away`'],
  [{ agents: ['bot-0', 'BOT-0'] }, 'the catalog has no `BOT-0`'],
  [{ agents: ['bot-0', 'bot-0'] }, 'names an agent twice'],
  [{ until: new Date(now).toISOString() }, 'has passed already'],
  [{ until: new Date(now + 367 * day).toISOString() }, 'longer than 366 days'],
  [{ questions: [{ kind: 'value_unknown', arg: '/to', value: 'email' }] }, 'no values for `/to`'],
  [{ questions: [{ kind: 'condition', rule: 'a', confirmation: 'x' }] }, 'no confirmation `x`'],
  [{ cell: 0 }, 'the realm has no cells'],
])('is refused with what is wrong: %j', (more, text) => {
  expect(faultOf(more)).toContain(text)
})

test.each([
  { when: 'args.to == "ann\u200b"' },
  { when: 'args.to == "\u202etxt.exe"' },
  { when: 'args.n <\n10' },
  { agents: ['bot-0\u2060'] },
  { note: 'fine\u00ad' },
  { values: [{ arg: '/to', kind: 'email', among: ['a\ufe0fnn@x.com'] }] },
])('what does not show cannot be signed: %j', (more) => {
  expect(faultOf(more)).toContain('do not show')
})

test('agents of several cells need a grant that gives each cell its share', () => {
  const catalog = made({ cells: 3 })
  const cellIn = (id: string): number => cellOf(catalog, id) ?? -1
  const other = agents.find((id) => cellIn(id) !== cellIn('bot-0')) ?? ''
  const cell = cellIn('bot-0')
  expect(faultOf({ cell }, catalog)).toBeNull()
  expect(faultOf({}, catalog)).toContain('does not say the cell')
  expect(faultOf({ cell: cellIn(other) }, catalog)).toContain('does not say the cell')
  const both = { agents: ['bot-0', other] }
  expect(faultOf({ ...both, cell }, catalog)).toContain('give each cell its share')
  expect(faultOf({ ...both, perCell: true }, catalog)).toBeNull()
  expect(faultOf({ ...both, perCell: true, cell }, catalog)).toContain('of each')
})

const values = [{ arg: '/to', kind: 'email' as const, among: ['ann@x.com'] }]
const valued = { values, questions: [{ kind: 'value_unknown', arg: '/to', value: 'email' }] }
const asks = (value: string, arg = '/to'): Question => ({
  kind: 'value_unknown',
  value: { arg, kind: 'email', value, found: 'nowhere' },
})

test('a value is the same however it is spelled, and no other is', () => {
  const grant = GrantData.parse({ ...plain, ...valued })
  expect(answersQuestion(grant, asks('ANN@x.com '))).toBe(true)
  expect(answersQuestion(grant, asks('ann@x.com.evil'))).toBe(false)
  expect(answersQuestion(grant, asks('\u0430nn@x.com'))).toBe(false)
  expect(answersQuestion(grant, asks('ann@x.com', '/cc'))).toBe(false)
  expect(answersQuestion(grant, { ...asks('ann@x.com'), confirmation: 'desk' })).toBe(false)
})

test('a check that failed is overruled for one call alone', () => {
  const at = { policy: 'small', source: 'a', target: 'b' }
  const grant = GrantData.parse({ ...plain, questions: [{ kind: 'policy', ...at }] })
  const asked = { kind: 'policy' as const, ...at }
  expect(answersQuestion(grant, { ...asked, callback: null })).toBe(true)
  expect(answersQuestion(grant, { ...asked, callback: { passed: true, message: 'ok' } })).toBe(true)
  expect(answersQuestion(grant, { ...asked, callback: { passed: false } })).toBe(false)
  expect(answersQuestion(grant, { ...asked, target: 'c', callback: null })).toBe(false)
})

const signature = { format: 'ed25519', key: 'x', value: `${'A'.repeat(85)}A` }
const kept = () => {
  const data = GrantData.parse({ ...plain, signature })
  const until = Date.parse(data.until)
  return { id: 'g', name: 'main.1.grant.g.olga', position: 1, appendedAt: now, until, data }
}

test('one that can answer for nothing any more says why', () => {
  const grant = { ...kept(), endedBy: null }
  const listed = (at: number, more = {}) =>
    listedGrant(made(), { grant: { ...grant, ...more } }, at)
  expect(listed(now)).toMatchObject({ state: 'idle', usesLeft: 3 })
  expect(listed(now).why).toContain('key that signed it')
  expect(listed(grant.until + 1)).toMatchObject({ state: 'expired', why: null })
  expect(listed(now, { endedBy: 'main.1.revocation.x' })).toMatchObject({ state: 'revoked' })
})

test('a grant is kept for a month after its end, and its id for ever', () => {
  const grants = grantsOf([{ ...kept(), endedBy: null }])
  expect(withoutPast(grants, now + 31 * day)).toBe(grants)
  const later = withoutPast(grants, now + 31 * day + 1)
  expect([later.byId.size, later.byCapability.size, [...later.dropped]]).toEqual([0, 0, ['g']])
})
