// How the settings of a catalog are read out: built-in rules with what is set of them, and entries.
import { expect, test } from 'vitest'
import {
  attentionEntries,
  entryLines,
  ruleLines,
  workEntries,
} from '#present/console/overseeing/setting-text'
import { CatalogFile } from '#schemas/catalog'

test('each built-in rule is listed as it holds, and what is set of it is marked', () => {
  const lines = ruleLines({
    maxRows: 5,
    rolesFor: { WRITE: [] },
    limits: { READ: { uses: 'unlimited', windowMs: 60_000 } },
  })
  expect(lines.filter(({ isSet }) => isSet)).toEqual([
    { rule: 'rolesFor.WRITE', text: 'none', isSet: true },
    { rule: 'maxRows', text: '5', isSet: true },
    { rule: 'limits.READ', text: 'unlimited in 1 min', isSet: true },
  ])
  expect(lines).toContainEqual({ rule: 'limits.WRITE', text: '10 in 1 min', isSet: false })
  expect(lines).toContainEqual({ rule: 'rolesFor.DESTRUCTIVE', text: 'admin', isSet: false })
})

test('a budget says how much, in what, for whom and by which calls', () => {
  const budget = { name: 'refunds', max: '500.00', windowMs: 86_400_000 }
  const more = { of: 'args.cents', per: 'owner', capabilities: ['refund'], when: 'args.cents > 5' }
  const catalog = CatalogFile.parse({ budgets: [budget, { ...budget, ...more }] })
  expect(entryLines(catalog, 'budgets').map(({ text }) => text)).toEqual([
    '500.00 calls in 1 d, for all together',
    '500.00 of args.cents in 1 d, for each owner, by refund, where args.cents > 5',
  ])
})

test('a server is where it is, or what starts it', () => {
  const servers = [
    { id: 'a', url: 'https://tools.example' },
    { id: 'b', command: ['npx', 'tools'] },
  ]
  expect(entryLines(CatalogFile.parse({ servers }), 'servers').map(({ text }) => text)).toEqual([
    'https://tools.example',
    'npx tools',
  ])
})

test('entries of who there is, what can be done and what is ruled are a line each', () => {
  const catalog = CatalogFile.parse({
    principals: [{ id: 'bot', owner: 'ann', roles: ['reader', 'writer'] }],
    conditions: [{ name: 'large', effect: 'deny', when: 'args.cents > 1', message: 'too much' }],
    limits: [
      { capability: 'refund', uses: 20, windowMs: 3_600_000 },
      { safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 },
    ],
  })
  expect(entryLines(catalog, 'principals')).toEqual([
    { name: 'bot', text: 'reader, writer · → ann' },
  ])
  expect(entryLines(catalog, 'conditions')).toEqual([
    {
      name: 'large',
      code: 'args.cents > 1',
      text: 'Refuses where it holds · every tool · too much',
    },
  ])
  expect(entryLines(catalog, 'limits').map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'refund: 20 uses in 1 h',
    'all that reads: as often as wanted in 1 min',
  ])
})

test('attention names each person and group', () => {
  expect(
    attentionEntries({
      answers: [
        { person: 'ann', perDay: 1 },
        { group: 'people', perDay: 40 },
      ],
    }),
  ).toEqual([
    { name: 'ann', text: '1 answer a day, one by one' },
    { name: 'everyone in people', text: '40 answers a day, one by one' },
  ])
})

test('verified work says whose contracts count, where work lies, and what levels may do', () => {
  expect(workEntries({})).toEqual([{ name: 'issuers', text: 'none' }])
  const entries = workEntries({
    issuers: ['ann', 'grader'],
    workspaces: [
      { id: 'site', folder: '/srv/site' },
      { id: 'code', repository: '/srv/code' },
    ],
    alpha: 0.5,
    reinstateAfterMs: 86_400_000,
    levels: {
      strict: {
        confirm: [{ safetyClass: 'WRITE' }, { capability: 'pay' }],
        confirmation: 'four',
        quorum: 2,
        refuse: [{ safetyClass: 'DESTRUCTIVE' }],
      },
      standard: {},
    },
  })
  expect(entries.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'issuers: ann, grader',
    'site: /srv/site',
    'code: commits in /srv/code',
    'alpha: 0.5',
    'reinstateAfterMs: 1 d',
    'strict: asks about WRITE, pay, by four, 2 must agree, refuses DESTRUCTIVE',
    'standard: neither asks nor refuses',
  ])
})
