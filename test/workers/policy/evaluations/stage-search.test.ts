// Searches, by the stages: who and what can be found, that each is judged as an evaluation would
// be, and that nothing is permitted, asked or used up by it.
import { describe, expect, test } from 'vitest'
import { nameOf } from '#record/names'
import { newestRules } from '#rules/catalog/rules-version'
import { allow, deny, none } from '#testing/expected'
import { catalogChange } from '#testing/people'
import { intent, message } from '#testing/steps'
import type { Search } from '#schemas/intent'
import { given } from '../../../support/given.ts'
import {
  anyArgs,
  deletion,
  erase,
  expectReplay,
  judged,
  place,
  read,
  scene,
} from '../../../support/scene.ts'

const staff = [{ type: 'user', who: { role: 'staff' } }]
const isOwn = {
  name: 'own',
  effect: 'require' as const,
  when: 'args.resource.properties.owner == principal.id',
}

const catalog = {
  rules: newestRules,
  principals: [
    { id: 'app', evaluates: { subjects: staff } },
    { id: 'gate', evaluates: { subjects: staff, enforces: true } },
    { id: 'ann', roles: ['staff', 'writer'], attributes: { tenant: 'eu' }, owner: 'olga' },
    { id: 'ben', roles: ['staff'], attributes: { tenant: 'eu' } },
    { id: 'boss', roles: ['admin'] },
    { id: 'desk' },
  ],
  capabilities: [
    { id: 'doc.read', safetyClass: 'READ' as const, argsSchema: anyArgs },
    { id: 'doc.write', safetyClass: 'WRITE' as const, argsSchema: anyArgs },
    { id: 'doc.own', safetyClass: 'READ' as const, argsSchema: anyArgs, conditions: [isOwn] },
    { id: 'doc.x.read', safetyClass: 'READ' as const, argsSchema: anyArgs },
    { id: 'docs.read', safetyClass: 'READ' as const, argsSchema: anyArgs },
  ],
  resources: [
    { id: 'doc:b', properties: { owner: 'ben' } },
    { id: 'doc:a', properties: { owner: 'ann' } },
    { id: 'doc:a:1', properties: { owner: 'ann' } },
    { id: 'docs:c', properties: { owner: 'ann' } },
  ],
  limits: [{ capability: 'doc.read', uses: 1, windowMs: 60_000 }],
  trustedEvidence: [{ sender: 'desk', for: ['*'] }],
}

type More = Parameters<typeof intent>[1] & { readonly tool?: string }

function searches(of: Search['for'], type: string, more: More = {}) {
  const { tool = 'doc.read', ...fields } = more
  const justification = 'they asked the desk for it'
  const subject = of === 'subjects' ? {} : { subject: { type: 'user', id: 'ann' } }
  return intent(tool, {
    as: 'app',
    session: null,
    justification,
    search: { for: of, type },
    ...subject,
    ...fields,
  })
}

const args = { resource: { type: 'doc', id: 'a' } }
const found = (ids: readonly string[], searched: number, more: object = {}) =>
  allow({ observed: true, terms: null, found: { ids, searched, ...more } })

describe('what is found', () => {
  test('are the subjects that the caller may ask about, by their own rights', () => {
    given({ catalog })
      .when(searches('subjects', 'user', { args }))
      .then(found(['ann', 'ben'], 2), none('rate'))
    given({ catalog })
      .when(searches('subjects', 'user', { args, tool: 'doc.write' }))
      .then(found(['ann'], 2))
    // The catalog says whose it is, whatever the caller says.
    const said = { resource: { ...args.resource, properties: { owner: 'ben' } } }
    given({ catalog })
      .when(searches('subjects', 'user', { args: said, tool: 'doc.own' }))
      .then(found(['ann'], 2))
  })

  test('are resources that the catalog lists', () => {
    given({ catalog })
      .when(searches('resources', 'doc', { tool: 'doc.own' }))
      .then(found(['a', 'a:1'], 3))
  })

  test('are actions that capabilities are named by', () => {
    given({ catalog })
      .when(searches('actions', 'doc', { tool: 'doc.*', args }))
      .then(found(['own', 'read', 'write'], 3))
    const ben = { type: 'user', id: 'ben' }
    given({ catalog })
      .when(searches('actions', 'doc', { tool: 'doc.*', args, subject: ben }))
      .then(found(['read'], 3))
  })

  test.each([
    ['a subject of a type that is not assigned', searches('subjects', 'robot', { args })],
    [
      'any subject, where the catalog names none',
      searches('subjects', 'user', { as: 'ben', args }),
    ],
    ['a resource of a type that is not listed', searches('resources', 'page')],
    ['a resource of a type with a colon', searches('resources', 'doc:a')],
    [
      'an action on a type that no capability names',
      searches('actions', 'page', { tool: 'page.*' }),
    ],
  ])('is not %s', (_, step) => {
    given({ catalog }).when(step).then(found([], 0))
  })

  test('may be about who asks', () => {
    const { capabilities } = catalog
    const own = { tool: 'doc.*', args, as: 'boss' }
    const step = intent('doc.*', { ...own, session: null, search: { for: 'actions', type: 'doc' } })
    given({ catalog: { ...catalog, capabilities } })
      .when(step)
      .then(found(['read'], 3))
  })

  test('is as much as was asked for, and where to go on', () => {
    const page = (more: object) =>
      searches('resources', 'doc', {
        tool: 'doc.own',
        search: { for: 'resources', type: 'doc', ...more },
      })
    given({ catalog })
      .when(page({ limit: 1 }))
      .then(found(['a'], 1, { next: 1 }))
    given({ catalog })
      .when(page({ from: 1, limit: 1 }))
      .then(found(['a:1'], 1, { next: 2 }))
    given({ catalog })
      .when(page({ from: 2, limit: 1 }))
      .then(found([], 1))
    given({ catalog })
      .when(page({ from: 9 }))
      .then(found([], 0))
    given({ catalog })
      .when(page({ limit: 0 }))
      .then(found([], 0, { next: 0 }))
  })
})

describe('a search', () => {
  test('uses up nothing, and finds no one who has no use left', () => {
    const search = searches('subjects', 'user', { as: 'gate', args })
    const twice = given({ catalog }, search).when(search)
    twice.then(found(['ann', 'ben'], 2))
    expect(twice.log.filter(({ name }) => name.includes('.rate.'))).toEqual([])
    const subject = { type: 'user', id: 'ann' }
    const used = intent('doc.read', { as: 'gate', session: null, subject, args })
    given({ catalog }, used)
      .when(search)
      .then(found(['ben'], 2))
  })

  test.each([
    ['who may not be asked about', { subject: { type: 'user', id: 'boss' } }, 'subject_refused'],
    ['what the catalog has not', { tool: 'doc.fly' }, 'unknown_capability'],
  ])('is denied for %s', (_, more, code) => {
    given({ catalog })
      .when(searches('resources', 'doc', more))
      .then(deny(code))
  })

  test('cites no delegation', () => {
    const delegation = 'main.1.vlp.ann.S-1.D1'
    const cause = { code: 'subject_refused', params: { cause: 'delegated' } }
    for (const of of ['subjects', 'resources'] as const) {
      given({ catalog })
        .when(searches(of, of === 'subjects' ? 'user' : 'doc', { delegation }))
        .then(deny('delegation_refused', cause))
    }
  })

  test('is denied where its caller is stopped, and finds no one else who is', () => {
    const search = searches('subjects', 'user', { args })
    given({ catalog }, catalogChange({ op: 'suspend', id: 'app' }))
      .when(search)
      .then(deny({ code: 'agent_suspended', params: { principal: 'app' } }))
    given({ catalog }, catalogChange({ op: 'suspend', id: 'ann' }))
      .when(search)
      .then(found(['ben'], 2))
    const safety = { level: 'block', issues: [] }
    given(
      { catalog },
      message({ as: 'desk', session: 'S-1', message: { receiver: 'ben', safety } }),
    )
      .when(search)
      .then(found(['ann'], 2))
  })

  test('asks no one: what people would be asked about is not found', () => {
    const conditions = [{ name: 'seen', effect: 'confirm' as const, when: `principal.id == 'ann'` }]
    const asking = { ...catalog, conditions }
    given({ catalog: asking })
      .when(searches('subjects', 'user', { args }))
      .then(found(['ben'], 2), none('review'))
  })

  test('is denied by rules before these', () => {
    const issues = [{ code: 'schema_invalid', path: '/payload/intent' }]
    given({ catalog: { ...catalog, rules: 4 } })
      .when(searches('subjects', 'user', { args }))
      .then(deny({ code: 'malformed_message', params: { issues } }))
  })
})

test('runs no check of a policy: what one would decide is not found, and is named', async () => {
  const rule = { name: 'rule', requiresConfirmation: false, callback: 'fine' }
  const on = await scene({
    catalog: {
      ...catalog,
      capabilities: [
        { ...erase, id: 'doc.erase', safetyClass: 'READ', argsSchema: anyArgs },
        { id: 'doc.read', safetyClass: 'READ', argsSchema: anyArgs },
      ],
    },
    graph: deletion(rule),
    module: 'export const fine = () => ({ passed: true })',
  })
  const asked = { tool: 'doc.*', args, justification: 'they asked the desk for it' }
  const search = { for: 'actions', type: 'doc' }
  const { intent: address } = await judged(on, { as: 'app', intent: { ...asked, search } })
  const data = await read(on.log, 'verdict', nameOf(place, 'verdict', address))
  const { found: sought, notRun, callbacks } = data
  expect([sought, callbacks]).toEqual([{ ids: ['read'], searched: 2 }, []])
  expect(notRun).toEqual([{ policy: 'rule', source: 'delete', target: 'file', callback: 'fine' }])
  await expectReplay(on)
})
