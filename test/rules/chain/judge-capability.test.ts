// The capability rules: who may do what, with which reason, and what an allow is bound to. Where
// the chain differs from agent-kernel on purpose, the test states it.
import { describe, expect, test } from 'vitest'
import type { Capability } from '#schemas/catalog'
import { judge } from '#rules/chain/judge'
import type { Case, PrincipalCase } from '#rules/chain/rule-input'
import {
  capability,
  testCase,
  principal,
  reason,
  tenant,
} from '../../support/samples/judge-cases.ts'

const codes = (of: Case) => judge(of).reasons.map(({ code }) => code)

function using(part: Partial<Capability>, who: PrincipalCase | null, justification?: string): Case {
  const request = { tool: 'tickets', justification }
  return testCase({ capability: capability(part), principal: who, request })
}

const write = { safetyClass: 'WRITE' } as const
const destructive = { safetyClass: 'DESTRUCTIVE' } as const
const pii = { sensitivity: 'PII' } as const
const secrets = { sensitivity: 'SECRETS' } as const
const memory = { sensitivity: 'MEMORY' } as const

describe('a role that is missing refuses', () => {
  const refusals: [string, Partial<Capability>, PrincipalCase | null][] = [
    ['WRITE to anyone who has no role', write, principal()],
    ['WRITE to a reader', write, principal('reader')],
    ['WRITE to a role in another case', write, principal('Writer')],
    ['DESTRUCTIVE to a writer', destructive, principal('writer')],
    ['DESTRUCTIVE to a service', destructive, principal('service', 'writer')],
    ['SECRETS to a reader', secrets, principal('reader')],
    ['SECRETS to a writer', secrets, principal('writer')],
  ]
  test.each(refusals)('%s', (_, part, who) => {
    expect(judge(using(part, who, reason))).toMatchObject({
      outcome: 'deny',
      reasons: [{ code: 'missing_role', recover: 'never' }],
    })
  })

  const grants: [string, Partial<Capability>, PrincipalCase | null][] = [
    ['READ to anyone who has no role', {}, principal()],
    ['WRITE to a writer', write, principal('writer')],
    ['WRITE to an admin', write, principal('admin')],
    ['DESTRUCTIVE to an admin', destructive, principal('admin')],
    ['SECRETS to a secrets reader', secrets, principal('secrets_reader')],
    ['SECRETS to an admin', secrets, principal('admin')],
  ]
  test.each(grants)('but not %s', (_, part, who) => {
    expect(judge(using(part, who, reason)).outcome).toBe('allow')
  })

  test('one reason names every role that is missing', () => {
    const [only, ...others] = judge(using({ ...write, ...secrets }, principal(), reason)).reasons
    expect(others).toEqual([])
    expect(only?.params.needs).toEqual([
      { by: 'WRITE', roles: ['writer', 'admin'] },
      { by: 'SECRETS', roles: ['secrets_reader', 'admin'] },
    ])
  })

  test('the roles of an inherited property count for nothing', () => {
    const hostile = { ...principal(), attributes: Object.create({ tenant: 'x' }) }
    expect(codes(using(pii, hostile))).toEqual(['missing_tenant_attribute'])
  })
})

test('whom the catalog does not know, it answers nothing, not even READ', () => {
  const stranger = judge(using({}, null))
  expect(stranger).toMatchObject({
    outcome: 'deny',
    reasons: [{ code: 'unknown_agent', recover: 'never' }],
  })
})

describe('a justification', () => {
  test.each([write, secrets])('that is all that is missing asks for one: %o', (part) => {
    const who = principal('writer', 'secrets_reader')
    expect(judge(using(part, who))).toMatchObject({
      outcome: 'ask',
      reasons: [{ code: 'insufficient_justification', recover: 'ask' }],
      questions: [{ kind: 'justification' }],
      constraints: {},
    })
  })

  test('is not needed to read', () => {
    expect(judge(using({}, principal())).outcome).toBe('allow')
    expect(judge(using(pii, tenant)).outcome).toBe('allow')
  })

  const separators =
    '\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000'
  const forms: [string, string, boolean][] = [
    ['nothing', '', false],
    ['white space', ' '.repeat(40), false],
    ['fourteen characters', 'x'.repeat(14), false],
    ['fifteen characters', 'x'.repeat(15), true],
    ['fourteen emoji, which are 28 units', '😀'.repeat(14), false],
    ['fifteen emoji', '😀'.repeat(15), true],
    [
      'fourteen characters between separators',
      `${separators}${'x'.repeat(14)}${separators}`,
      false,
    ],
    ['white space within', `x${' '.repeat(13)}x`, true],
    ['a byte order mark, which no one sees', `\ufeff${'x'.repeat(14)}`, false],
    ['a zero width space, which no one sees either', `${'x'.repeat(14)}\u200b`, false],
    ['a delete character, which has no form', `\u007f${'x'.repeat(14)}`, false],
    ['the last character of one unit, and those after it', `\uffff${'x'.repeat(14)}`, true],
    ['halves of surrogate pairs, each counted', '\ud800'.repeat(15), true],
    ['fourteen such halves', '\udc00'.repeat(14), false],
  ]
  test.each(forms)(
    'is counted in code points without white space around: %s',
    (_, text, enough) => {
      const { outcome } = judge(using(write, principal('writer'), text))
      expect(outcome).toBe(enough ? 'allow' : 'ask')
    },
  )
})

describe('personal data', () => {
  test.each(['PII', 'PCI'] as const)('of %s needs a tenant, even of an admin', (sensitivity) => {
    expect(codes(using({ sensitivity }, principal('admin')))).toEqual(['missing_tenant_attribute'])
  })

  test('takes an empty tenant for a tenant', () => {
    expect(judge(using(pii, tenant)).outcome).toBe('allow')
  })

  const listed = { ...pii, allowedFields: ['id', 'name'] }
  test('binds an allow to the fields of the capability, whatever was asked', () => {
    const request = { constraints: { allowed_fields: ['ssn'] } }
    const of = testCase({ capability: capability(listed), principal: tenant, request })
    expect(judge(of).constraints).toEqual({ allowed_fields: ['id', 'name'], max_rows: 50 })
  })

  test('binds a reader of personal data to what it asked itself', () => {
    const who = { ...tenant, roles: ['pii_reader'] }
    const request = { constraints: { allowed_fields: ['ssn'] } }
    const of = testCase({ capability: capability(listed), principal: who, request })
    expect(judge(of).constraints).toEqual({ allowed_fields: ['ssn'], max_rows: 50 })
  })

  test.each([{ ...pii, allowedFields: [] }, { allowedFields: ['id'] }])(
    'is what fields are imposed for, and only a list: %o',
    (part) => {
      const of = testCase({ capability: capability(part), principal: tenant })
      expect(judge(of).constraints).toEqual({ max_rows: 50 })
    },
  )
})

describe('memory', () => {
  const reading = (memory_scope: string, ...roles: string[]) =>
    testCase({
      capability: capability(memory),
      principal: principal(...roles),
      request: { scope: { memory_scope } },
    })
  const writing = (part: Partial<Capability>, ...roles: string[]) =>
    using({ ...memory, ...part }, principal(...roles), reason)

  test('that is sensitive is read by its readers and admins alone', () => {
    expect(codes(reading('sensitive'))).toEqual(['memory_sensitive_read_denied'])
    expect(codes(reading('sensitive', 'memory_writer'))).toEqual(['memory_sensitive_read_denied'])
    expect(codes(reading('sensitive', 'memory_reader_sensitive'))).toEqual([])
    expect(codes(reading('sensitive', 'admin'))).toEqual([])
  })

  test('of a project is open to read', () => {
    expect(codes(reading('project'))).toEqual([])
  })

  test('is written by its writers and admins alone', () => {
    expect(codes(writing(write, 'writer'))).toEqual(['memory_write_requires_writer'])
    expect(codes(writing(write, 'writer', 'memory_writer'))).toEqual([])
    expect(codes(writing(write, 'admin'))).toEqual([])
  })

  test('counts destruction as writing', () => {
    expect(codes(writing(destructive))).toEqual(['missing_role', 'memory_write_requires_writer'])
  })

  test('does not mention a scope that is only inherited', () => {
    const scope = Object.create({ memory_scope: 'sensitive' })
    expect(codes(testCase({ capability: capability(memory), request: { scope } }))).toEqual([])
  })
})
