// The built-in rules as a catalog sets them: what is named holds in place of the usual, reasons
// name what is set, and what is not named stays.
import { describe, expect, test } from 'vitest'
import type { Capability } from '#schemas/catalog'
import { builtInRules, type Defaults } from '#schemas/rules/built-in'
import { emptyCatalog, limitOf, rulesBuiltIn } from '#rules/catalog/catalog'
import { judge } from '#rules/chain/judge'
import type { Case, PrincipalCase } from '#rules/chain/rule-input'
import {
  capability,
  principal,
  reason,
  tenant,
  testCase,
} from '../../support/samples/judge-cases.ts'

interface Asked {
  readonly part?: Partial<Capability>
  readonly who?: PrincipalCase
  readonly justification?: string
  readonly more?: object
}

function caseOf(defaults: Defaults, { part = {}, who = principal(), ...asked }: Asked): Case {
  const { justification = reason, more = {} } = asked
  const request = { tool: 'tickets', args: {}, justification, ...more }
  const builtIn = rulesBuiltIn({ defaults })
  return testCase({ capability: capability(part), principal: who, request, builtIn })
}

const judged = (defaults: Defaults, asked: Asked) => judge(caseOf(defaults, asked))
const write = { safetyClass: 'WRITE' } as const
const destructive = { safetyClass: 'DESTRUCTIVE' } as const
const pii: Partial<Capability> = { sensitivity: 'PII', allowedFields: ['name'] }
const memory = { sensitivity: 'MEMORY' } as const
const sensitive = { scope: { memory_scope: 'sensitive' } }

test('without anything set the rules are the built-in ones', () => {
  expect(rulesBuiltIn({ defaults: {} })).toEqual(builtInRules)
})

describe('a role that is set', () => {
  test.each<[string, Defaults, Asked, string, string]>([
    ['READ', { rolesFor: { READ: ['reader'] } }, {}, 'missing_role', 'READ'],
    ['WRITE', { rolesFor: { WRITE: ['reader'] } }, { part: write }, 'missing_role', 'WRITE'],
    [
      'DESTRUCTIVE',
      { rolesFor: { DESTRUCTIVE: ['reader'] } },
      { part: destructive },
      'missing_role',
      'DESTRUCTIVE',
    ],
    [
      'SECRETS',
      { rolesFor: { SECRETS: ['reader'] } },
      { part: { sensitivity: 'SECRETS' } },
      'missing_role',
      'SECRETS',
    ],
    [
      'writes of memory',
      { rolesFor: { MEMORY_WRITE: ['reader'], WRITE: [] } },
      { part: { ...memory, ...write } },
      'memory_write_requires_writer',
      'MEMORY',
    ],
    [
      'sensitive memory',
      { rolesFor: { MEMORY_SENSITIVE: ['reader'] } },
      { part: memory, more: sensitive },
      'memory_sensitive_read_denied',
      'MEMORY',
    ],
  ])('for %s is named where it is missing, and lets who has it', (_, defaults, asked, code, by) => {
    // The usual roles are of no use any more.
    for (const who of [principal(), principal('admin', 'writer')]) {
      expect(judged(defaults, { ...asked, who }).reasons).toEqual([
        { code, recover: 'never', params: { needs: [{ by, roles: ['reader'] }] } },
      ])
    }
    expect(judged(defaults, { ...asked, who: principal('reader') }).outcome).toBe('allow')
  })

  test('leaves the others as they are', () => {
    const defaults = { rolesFor: { DESTRUCTIVE: ['deployer'] } }
    expect(judged(defaults, { part: write }).reasons).toMatchObject([
      { params: { needs: [{ by: 'WRITE', roles: ['writer', 'admin'] }] } },
    ])
  })

  test('to none, in so many words, is needed no more', () => {
    const defaults = { rolesFor: { DESTRUCTIVE: [] } }
    expect(judged(defaults, { part: destructive }).outcome).toBe('allow')
    expect(judged({ rolesFor: {} }, { part: destructive }).outcome).toBe('deny')
  })
})

describe('a tenant', () => {
  test('is needed for what is set, by the attribute that is set', () => {
    const defaults: Defaults = { tenantFor: ['SECRETS'], tenantAttribute: 'customer' }
    const secrets = { part: { sensitivity: 'SECRETS' }, who: principal('admin') } as const
    expect(judged(defaults, secrets).reasons).toEqual([
      {
        code: 'missing_tenant_attribute',
        recover: 'never',
        params: { attribute: 'customer', sensitivity: 'SECRETS' },
      },
    ])
    const who = { ...principal('admin'), attributes: { customer: 'a' } }
    expect(judged(defaults, { ...secrets, who }).outcome).toBe('allow')
    expect(judged(defaults, { part: pii }).outcome).toBe('allow')
  })

  test('is needed for none only where that is set', () => {
    expect(judged({ tenantFor: [] }, { part: pii }).outcome).toBe('allow')
    expect(judged({ tenantAttribute: 'tenant' }, { part: pii }).outcome).toBe('deny')
  })
})

describe('a justification', () => {
  const writing = { part: write, who: principal('writer') }

  test('has as many characters as are set, and the reason and the question name them', () => {
    const defaults = { justificationCharacters: 30 }
    const short = judged(defaults, { ...writing, justification: 'x'.repeat(29) })
    expect(short).toMatchObject({
      outcome: 'ask',
      reasons: [{ code: 'insufficient_justification', params: { cause: 'request', max: 30 } }],
      questions: [{ kind: 'justification', characters: 30 }],
    })
    const long = { ...writing, justification: 'x'.repeat(30) }
    expect(judged(defaults, long).outcome).toBe('allow')
  })

  test('of a person who approves has as many, too', () => {
    const of = caseOf({ justificationCharacters: 3 }, { ...writing, justification: '' })
    const answered = { state: 'answered', answers: [true] } as const
    expect(judge({ ...of, review: { ...answered, note: 'no' } }).reasons).toMatchObject([
      { params: { cause: 'approval', max: 3 } },
    ])
    expect(judge({ ...of, review: { ...answered, note: 'yes' } }).outcome).toBe('allow')
  })

  test('of the usual length leaves the question as it always was', () => {
    const { questions } = judged({}, { ...writing, justification: '' })
    expect(questions).toEqual([{ kind: 'justification' }])
  })

  test('is needed for what is set, and for nothing else', () => {
    const defaults: Defaults = { justificationFor: ['PII'] }
    expect(judged(defaults, { ...writing, justification: '' }).outcome).toBe('allow')
    const personal = { part: pii, who: tenant, justification: '' }
    expect(judged(defaults, personal).outcome).toBe('ask')
    expect(judged({ justificationFor: [] }, personal).outcome).toBe('allow')
  })
})

describe('what an allow is bound to', () => {
  test('has as many rows as are set', () => {
    const service = principal('batch')
    const defaults: Defaults = { maxRows: 7, serviceMaxRows: 9, serviceRoles: ['batch'] }
    expect(judged(defaults, {}).constraints).toEqual({ max_rows: 7 })
    expect(judged(defaults, { who: service }).constraints).toEqual({ max_rows: 9 })
    expect(judged(defaults, { who: principal('service') }).constraints).toEqual({ max_rows: 7 })
    const five = { more: { constraints: { max_rows: 5 } } }
    expect(judged(defaults, five).constraints).toEqual({ max_rows: 5 })
  })

  test('has no cap where none is set, and what was asked for', () => {
    const defaults = { maxRows: 'unlimited' } as const
    expect(judged(defaults, {}).constraints).toEqual({})
    const asks = (max_rows: number) => ({ more: { constraints: { max_rows } } })
    expect(judged(defaults, asks(900)).constraints).toEqual({ max_rows: 900 })
    expect(judged(defaults, asks(-1)).constraints).toEqual({ max_rows: 0 })
  })

  test('has the fields of the sensitivities that are set, but for their readers', () => {
    const fields = { allowed_fields: ['name'] }
    const defaults: Defaults = { fieldsReaders: ['auditor'], tenantFor: [] }
    expect(judged(defaults, { part: pii }).constraints).toMatchObject(fields)
    const reader = judged(defaults, { part: pii, who: principal('pii_reader') })
    expect(reader.constraints).toMatchObject(fields)
    const auditor = judged(defaults, { part: pii, who: principal('auditor') })
    expect(auditor.constraints).toEqual({ max_rows: 50 })
    const none: Defaults = { fieldsFor: [], tenantFor: [] }
    expect(judged(none, { part: pii }).constraints).toEqual({ max_rows: 50 })
  })
})

describe('a limit', () => {
  const tool = { id: 'tickets', safetyClass: 'WRITE' } as const
  const limited = (defaults: Defaults, ...roles: string[]) =>
    limitOf({ ...emptyCatalog, defaults }, tool, { roles })

  test('is that which is set for the class, times the factor of service roles', () => {
    const windowMs = 1000
    const defaults: Defaults = { limits: { WRITE: { uses: 3, windowMs } }, serviceFactor: 4 }
    expect(limited(defaults)).toEqual({ uses: 3, windowMs })
    expect(limited(defaults, 'service')).toEqual({ uses: 12, windowMs })
    expect(limited({ ...defaults, serviceRoles: [] }, 'service')).toEqual({ uses: 3, windowMs })
    expect(limited({ limits: { READ: { uses: 3, windowMs } } })).toEqual({
      uses: 10,
      windowMs: 60_000,
    })
    expect(limited({ limits: { WRITE: { uses: 'unlimited', windowMs } } })).toBeNull()
  })

  test('gives way to one of the catalog', () => {
    const defaults: Defaults = { limits: { WRITE: { uses: 3, windowMs: 1000 } } }
    const own = { safetyClass: 'WRITE', uses: 8, windowMs: 10 } as const
    const limits = new Map([['class WRITE', own]])
    expect(limitOf({ ...emptyCatalog, defaults, limits }, tool, null)).toMatchObject({ uses: 8 })
  })
})
