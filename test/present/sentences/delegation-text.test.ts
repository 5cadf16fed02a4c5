// What is wrong with a delegation in English: each cause has its sentence, and a reason that is
// about another than the agent names whom.
import { expect, test } from 'vitest'
import { actingText } from '#present/wording'
import { reasonText } from '#present/reason-text'

const causes = [
  'not_found',
  'malformed',
  'other_session',
  'not_signed',
  'other_agent',
  'circular',
  'too_long',
  'wider',
  'ended',
  'withdrawn',
  'unread',
  'unknown_principal',
  'suspended',
  'revoked',
  'blocked',
  'capability',
  'condition',
  'nothing_left',
]

test('each cause has a sentence of its own, and so has one that this version does not know', () => {
  const texts = [...causes, 'another'].map((cause) => {
    return reasonText({ code: 'delegation_refused', params: { cause, principal: 'planner' } })
  })
  expect(new Set(texts).size).toBe(causes.length + 1)
  expect(texts.at(-1)).toBe('the delegation that it cites does not count')
})

test('what another lacks names the other', () => {
  const params = { attribute: 'tenant', sensitivity: 'PII', actingFor: 'intern' }
  expect(reasonText({ code: 'missing_tenant_attribute', params })).toBe(
    'for `intern`, for whom it acts: PII tools require the attribute `tenant`, which ' +
      '`intern` lacks',
  )
  const listed = { cause: 'deny', tool: 'send', actingFor: 'intern' }
  expect(reasonText({ code: 'not_permitted', params: listed })).toContain('`intern` is on the list')
})

test('a chain is read from the agent up', () => {
  expect(actingText(['root', 'planner', 'reader'])).toBe(
    '`reader` acts for `planner`, who acts for `root`',
  )
})
