// For any catalog, by the stages: who acts for another is refused what either of them alone would
// be, and who does not cite what it was given has its own rights.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { given as kit } from '#testing/given'
import { intent } from '#testing/steps'
import { count } from '../../../support/vitest/counts.ts'
import { anyArgs, reason } from '../../../support/scene.ts'
import { Condition } from '#schemas/catalog'
import type { Matcher } from '#schemas/rules/matcher'
import { asks, delegates, session } from './delegating.ts'

const roles = ['writer', 'admin', 'service', 'pii_reader']
const ids = ['planner', 'reader'] as const

const principal = fc.record({
  roles: fc.subarray(roles),
  attributes: fc.constantFrom({}, { tenant: 'eu' }),
  suspended: fc.constantFrom(false, false, false, true),
})

const matchers = fc.constantFrom<Matcher[][]>(
  [{ role: 'admin' }],
  [{ principal: 'reader' }, { role: 'service' }],
  [{ attributes: { tenant: 'eu' } }],
)

const conditions = [
  { name: 'own', effect: 'require', when: "principal.id != 'planner'" },
  { name: 'asked', effect: 'deny', when: "'service' in principal.roles" },
].map((entry) => Condition.parse(entry))

const capability = fc.record(
  {
    safetyClass: fc.constantFrom('READ' as const, 'WRITE' as const),
    sensitivity: fc.constantFrom('NONE' as const, 'PII' as const),
    allowedFields: fc.subarray(['id', 'name']),
    allow: matchers,
    deny: matchers,
    conditions: fc.subarray(conditions),
  },
  { requiredKeys: ['safetyClass'] },
)

test('of any catalog', () => {
  const seen = { allow: 0, deny: 0 }
  fc.assert(
    fc.property(capability, principal, principal, (tool, planner, reader) => {
      const principals = [planner, reader].map((one, index) => ({ ...one, id: ids[index] ?? '' }))
      const capabilities = [{ ...tool, id: 'do', argsSchema: anyArgs }]
      const catalog = { principals, capabilities, rules: newestRules }
      const data = { capabilities: ['do'] }
      const begun = kit({ catalog }, delegates('planner', 'reader', { data }))
      const alone = ids.map(
        (as) => begun.when(intent('do', { as, session, justification: reason })).verdict,
      )
      const both = begun.when(asks('do')).verdict
      const isAllowed = both?.outcome === 'allow'
      seen[isAllowed ? 'allow' : 'deny'] += 1
      expect(isAllowed).toBe(alone.every((one) => one?.outcome === 'allow'))
      if (!isAllowed) return
      const rows = alone.map((one) => Number(one?.terms?.constraints['max_rows']))
      expect(both.terms?.constraints['max_rows']).toBe(Math.min(...rows))
    }),
    { numRuns: count(300, 40), seed: 20_261_123 },
  )
  expect(Math.min(seen.allow, seen.deny)).toBeGreaterThan(0)
})

const acted = [
  { name: 'once', effect: 'deny', when: "acts.exists(a, a.tool == 'did')" },
  { name: 'few', effect: 'require', when: 'acts.size() < 2' },
  { name: 'after', effect: 'require', when: "acts.exists(a, a.tool == 'other' && a.allowed)" },
  { name: 'own', effect: 'deny', when: "principal.id == 'planner' && acts.size() > 0" },
].map((entry) => Condition.parse(entry))

test('whatever each of them did before', () => {
  const seen = { allow: 0, deny: 0 }
  const principals = ids.map((id) => ({ id, roles: ['writer'] }))
  const WRITE = { safetyClass: 'WRITE' as const, argsSchema: anyArgs }
  const others = ['did', 'other'].map((id) => ({ ...WRITE, id }))
  const earlier = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom('did', 'other')), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.subarray(acted, { maxLength: 2 }), earlier, (conditions, before) => {
      const capabilities = [{ ...WRITE, id: 'do', conditions }, ...others]
      const done = before.map(([as, tool]) => intent(tool, { as, session, justification: reason }))
      const data = { capabilities: ['do'] }
      const catalog = { principals, capabilities, rules: newestRules }
      const begun = kit({ catalog }, delegates('planner', 'reader', { data }), ...done)
      const alone = ids.map((as) =>
        begun.when(intent('do', { as, session, justification: reason })),
      )
      const both = begun.when(asks('do')).verdict?.outcome
      seen[both === 'allow' ? 'allow' : 'deny'] += 1
      expect(both === 'allow').toBe(alone.every(({ verdict }) => verdict?.outcome === 'allow'))
    }),
    { numRuns: count(200, 40), seed: 20_261_129 },
  )
  expect(Math.min(seen.allow, seen.deny)).toBeGreaterThan(4)
})
