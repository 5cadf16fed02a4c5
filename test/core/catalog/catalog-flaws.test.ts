// A catalog may be sound and still ask what no one can answer, hold a tool that no one may use, or
// a role that nothing reads.
import { describe, expect, test } from 'vitest'
import { catalogFromFile } from '#core/catalog/catalog-file'
import { emptyGraph } from '#core/graph/revision'
import { checkCatalog } from '#core/lint/catalog-flaws'
import { publicKeyOf } from '#core/kernel/signature'
import { newKey } from '../../support/runtime.ts'

const key = (): string => publicKeyOf(newKey())
const you = { id: 'you', roles: ['policy-admin'], keys: [key()] }
const bot = { id: 'bot', roles: ['writer'], owner: 'you' }
const send = { id: 'send', safetyClass: 'WRITE', argsSchema: {} }

function flawsOf(file: object): readonly (readonly [code: string, what: string])[] {
  const { catalog, refused } = catalogFromFile(file)
  if (catalog === undefined) throw new Error(refused.message)
  return checkCatalog(catalog, emptyGraph).map(({ code, what }) => [code, what])
}

describe('questions', () => {
  test('that the owner can answer are sound, and those of an owner without a key are not', () => {
    expect(flawsOf({ principals: [you, bot], capabilities: [send] })).toEqual([])
    const principals = [{ ...you, keys: [] }, bot, { ...bot, id: 'bob' }]
    expect(flawsOf({ principals, capabilities: [send] })).toEqual([
      [
        'confirmation_unanswerable',
        'no one can approve `send` for `bot` and 1 more: its owner `you` has no key',
      ],
    ])
  })

  const both = { id: 'both', tier: 'four_eyes', group: 'ops', quorum: 2 }
  const file = {
    capabilities: [{ ...send, confirmation: 'both' }],
    confirmations: [both],
    groups: [{ id: 'ops', members: ['ann', 'cy'] }],
  }
  const ann = { id: 'ann', keys: [key()] }
  const cy = { id: 'cy', keys: [key()] }

  test('for a group need as many members with keys as must approve', () => {
    expect(flawsOf({ ...file, principals: [you, bot, ann, cy] })).toEqual([])
    const principals = [you, bot, ann, { ...cy, keys: [] }]
    expect(flawsOf({ ...file, principals })).toEqual([
      [
        'confirmation_unanswerable',
        'no one can approve `send`: `both` needs 2 of the group `ops`, and `cy` has no key',
      ],
    ])
  })

  test('count no one who is on the side of the agent', () => {
    const principals = [you, { ...bot, owner: 'ann' }, ann, cy]
    expect(flawsOf({ ...file, principals })).toEqual([
      [
        'confirmation_unanswerable',
        'no one can approve `send` for `bot`: `both` needs 2 of the group `ops`, ' +
          'and too few are not on its side',
      ],
    ])
  })
})

describe('a tool', () => {
  const erase = { ...send, id: 'erase', safetyClass: 'DESTRUCTIVE' }

  test('that no principal has the role for is found, and not where one has it', () => {
    expect(flawsOf({ principals: [you, bot], capabilities: [erase] })).toEqual([
      ['capability_unpermitted', 'no principal may use `erase`: none has the role `admin`'],
    ])
    const admin = { ...bot, id: 'root', roles: ['admin'] }
    expect(flawsOf({ principals: [you, bot, admin], capabilities: [erase] })).toEqual([])
  })

  test('for personal data needs a principal of a tenant', () => {
    const read = { ...send, safetyClass: 'READ', sensitivity: 'PII' }
    expect(flawsOf({ principals: [you, bot], capabilities: [read] })).toEqual([
      ['capability_unpermitted', 'no principal may use `send`: none has the attribute `tenant`'],
    ])
    const tenant = { ...bot, attributes: { tenant: 'a' } }
    expect(flawsOf({ principals: [you, tenant], capabilities: [read] })).toEqual([])
  })

  test('is not looked for in a catalog without principals', () => {
    expect(flawsOf({ capabilities: [erase] })).toEqual([])
  })
})

test('a role that no rule reads is found, and which was meant', () => {
  const { catalog } = catalogFromFile({
    principals: [you, { ...bot, roles: ['writer', 'wrtier'] }, { id: 'ann', roles: ['clerk'] }],
    capabilities: [send],
  })
  const flaws = catalog === undefined ? [] : checkCatalog(catalog, emptyGraph)
  expect(flaws.map(({ what, fix }) => [what, fix])).toEqual([
    ['no rule reads the role `wrtier` of `bot`', 'did you mean `writer`?'],
    [
      'no rule reads the role `clerk` of `ann`',
      'take it away, if no rule is to come that reads it',
    ],
  ])
})
