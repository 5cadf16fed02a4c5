// A catalog may be sound and still ask what no one can answer, hold a tool that no one may use, or
// a role that nothing reads.
import { describe, expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { graphFromFile } from '#knowledge/graph/graph'
import { emptyGraph } from '#knowledge/graph/revision'
import { checkCatalog, flawsBrought } from '#authoring/lint/catalog-flaws'
import { publicKeyOf } from '#record/crypto/private-key'
import { GraphFile } from '#schemas/graph'
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

  const both = { id: 'both', tier: 'four_eyes', group: 'ops', quorum: 2, sessionless: false }
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

  test('for four eyes say whether they are asked outside of a session, if anything asks them', () => {
    const { sessionless: _, ...unsaid } = both
    const principals = [you, bot, ann, cy]
    const of = (confirmation: object, capability: object = { ...send, confirmation: 'both' }) =>
      flawsOf({ ...file, principals, confirmations: [confirmation], capabilities: [capability] })
    const what =
      '`both` is asked about `send` within a session alone: a call outside of one is denied'
    expect(of(unsaid)).toEqual([['confirmation_sessionless', what]])
    for (const stated of [true, false]) {
      expect(of({ ...unsaid, sessionless: stated })).toEqual([])
    }
    expect(of(unsaid, send)).toEqual([])
  })

  test.each([['capability'], ['catalog']])('of a rule of the %s are looked at, too', (of) => {
    const conditions = [{ name: 'big', when: 'true', effect: 'confirm', confirmation: 'both' }]
    const asking =
      of === 'catalog'
        ? { conditions, capabilities: [send] }
        : { capabilities: [{ ...send, conditions }] }
    const principals = [you, bot, ann, { ...cy, keys: [] }]
    expect(flawsOf({ ...file, ...asking, principals })).toEqual([
      [
        'confirmation_unanswerable',
        'no one can approve `send`: `both` needs 2 of the group `ops`, and `cy` has no key',
      ],
    ])
    expect(flawsOf({ ...file, ...asking, principals: [you, bot, ann, cy] })).toEqual([])
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

describe('a role', () => {
  const rolesOf = (roles: string[], more: object = {}, graph = emptyGraph) => {
    const { catalog, refused } = catalogFromFile({
      principals: [you, { ...bot, roles: ['writer', ...roles] }],
      capabilities: [send],
      ...more,
    })
    if (catalog === undefined) throw new Error(refused.message)
    return checkCatalog(catalog, graph).map(({ code, what, fix }) => [code, what, fix])
  }
  const unread = (role: string, fix: string) => [
    ['role_unread', `no rule reads the role \`${role}\` of \`bot\``, fix],
  ]

  test('of an issuer is read by what verifies its tokens', () => {
    expect(rolesOf(['issuer'])).toEqual([])
  })

  test('is read by an entry that says about whom may be asked', () => {
    const about = (role: string) => {
      const evaluates = { subjects: [{ type: 'user', who: { role } }] }
      return {
        principals: [you, { ...bot, roles: ['writer', 'clerk'] }, { id: 'gate', evaluates }],
      }
    }
    expect(rolesOf([], about('clerk'))).toEqual([])
    expect(rolesOf([], about('clrek'))).toEqual([
      ['role_unread', 'no rule reads the role `clerk` of `bot`', 'did you mean `clrek`?'],
      [
        'role_unheld',
        'no principal has the role `clrek` that `evaluates` of `gate` names',
        'did you mean `clerk`?',
      ],
    ])
  })

  test.each([
    ['wrtier', 'did you mean `writer`?'],
    ['administrator', 'did you mean `policy-admin`, which signs change sets?'],
    ['administator', 'did you mean `policy-admin`, which signs change sets?'],
    ['policy-admni', 'did you mean `policy-admin`?'],
    ['clerk', 'take it away, if no rule is to come that reads it'],
  ])('that no rule reads, %s, is found, and which was meant', (role, fix) => {
    expect(rolesOf([role])).toEqual(unread(role, fix))
  })

  test('that only a callback may read is reported as that', () => {
    const callbacks = `sha256:${'0'.repeat(64)}`
    const fix = 'take it away, unless a callback is there that reads it'
    expect(rolesOf(['clerk'], { callbacks })).toEqual(unread('clerk', fix))
  })

  const condition = { name: 'c', when: '"clerk" in principal.roles', effect: 'deny' }
  test.each<[string, object]>([
    ['a list', { capabilities: [{ ...send, allow: [{ role: 'clerk' }, { role: 'writer' }] }] }],
    ['a condition', { capabilities: [{ ...send, conditions: [condition] }] }],
    ['a condition of the catalog', { conditions: [condition] }],
    ['a built-in rule that is set', { defaults: { rolesFor: { READ: ['clerk'] } } }],
    ['service roles', { defaults: { serviceRoles: ['clerk'] } }],
  ])('that %s reads is known', (_, more) => {
    expect(rolesOf(['clerk'], more)).toEqual([])
  })

  test('that a policy on an edge reads is known', () => {
    const policy = { name: 'p', when: "'clerk' in principal.roles" }
    const relata = [{ type: 'APPLIES_TO', target: 'b', targetDepth: 0, policies: [policy] }]
    const known = { level: 0 }
    const graph = graphFromFile(
      GraphFile.parse({
        primitives: [
          { name: 'a', depths: [{ ...known, relata }] },
          { name: 'b', depths: [known] },
        ],
      }),
    )
    expect(rolesOf(['clerk'], {}, graph)).toEqual([])
    expect(rolesOf(['cler'], {}, graph)).toHaveLength(1)
  })

  test('that a rule read before it was set otherwise is read no more', () => {
    const defaults = { rolesFor: { SECRETS: ['vault'] } }
    const vault = { ...bot, id: 'v', roles: ['vault'] }
    const principals = [you, { ...bot, roles: ['writer', 'secrets_reader'] }, vault]
    expect(rolesOf([], { principals, defaults }).map(([, what]) => what)).toEqual([
      'no rule reads the role `secrets_reader` of `bot`',
    ])
  })

  test('that is asked for and that no one has is found', () => {
    const capabilities = [{ ...send, deny: [{ role: 'wrter' }] }]
    expect(rolesOf([], { capabilities })).toEqual([
      [
        'role_unheld',
        'no principal has the role `wrter` that `deny` of `send` names',
        'did you mean `writer`?',
      ],
    ])
    const defaults = { rolesFor: { SECRETS: ['vault'] } }
    expect(rolesOf([], { defaults })).toEqual([
      [
        'role_unheld',
        'no principal has the role `vault` that `defaults.rolesFor.SECRETS` names',
        'give it to those who are meant',
      ],
    ])
  })
})

test('a tool that a set rule leaves to no one is found', () => {
  const defaults = { rolesFor: { WRITE: ['editor'] } }
  const [first] = flawsOf({ principals: [you, bot], capabilities: [send], defaults })
  expect(first).toEqual([
    'capability_unpermitted',
    'no principal may use `send`: none has the role `editor`',
  ])
})

test('a change brings in only what was not wrong before', () => {
  const held = (roles: string[]) => {
    const file = { principals: [you, { ...bot, roles }], capabilities: [send] }
    const { catalog, refused } = catalogFromFile(file)
    if (catalog === undefined) throw new Error(refused.message)
    return { catalog, graph: emptyGraph }
  }
  const found = (one: string[], other: string[]) =>
    flawsBrought(held(one), held(other)).map(({ what }) => what)
  expect(found(['writer', 'clerk'], ['writer', 'clerk', 'cook'])).toEqual([
    'no rule reads the role `cook` of `bot`',
  ])
  expect(found(['writer', 'clerk'], ['writer'])).toEqual([])
})

describe('conditions of all capabilities', () => {
  const properties = { to: { type: 'string' } }
  const closed = { ...send, argsSchema: { type: 'object', properties } }
  const conditionOf = (when: string) => [{ name: 'abroad', when, effect: 'deny' }]
  const file = { principals: [you, bot], capabilities: [closed] }
  const when = "has(args.to) && args.too.endsWith('.example')"

  test('that read an argument that no capability has are found, with the nearest', () => {
    const { catalog } = catalogFromFile({ ...file, conditions: conditionOf(when) })
    expect(checkCatalog(catalog ?? emptyCatalog, emptyGraph)).toEqual([
      {
        code: 'condition_misread',
        where: {},
        what: 'the condition `abroad` reads what no tool has, at character 21',
        fix: expect.stringContaining('did you mean `to`?'),
      },
    ])
  })

  test('are sound where one capability has the argument, or takes any', () => {
    const other = { ...closed, id: 'post', argsSchema: { properties: { too: {} } } }
    const open = { ...send, id: 'any' }
    for (const capability of [other, open]) {
      const capabilities = [closed, capability]
      expect(flawsOf({ ...file, capabilities, conditions: conditionOf(when) })).toEqual([])
    }
    expect(flawsOf({ ...file, capabilities: [], conditions: conditionOf(when) })).toEqual([])
  })

  test('are found on edges too', () => {
    const policies = [{ name: 'far', when, requiresConfirmation: true }]
    const edge = { type: 'APPLIES_TO', target: 'b', targetDepth: 1, policies }
    const known = { level: 1, properties: { description: 'a text' } }
    const primitives = [
      { name: 'a', depths: [{ level: 0 }, { ...known, relata: [edge] }] },
      { name: 'b', depths: [{ level: 0 }, known] },
    ]
    const graph = graphFromFile(GraphFile.parse({ primitives }))
    const { catalog } = catalogFromFile(file)
    const flaws = checkCatalog(catalog ?? emptyCatalog, graph)
    expect(flaws).toMatchObject([
      { code: 'condition_misread', where: { primitive: 'a', policy: 'far' } },
    ])
  })
})
