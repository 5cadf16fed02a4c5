// How the settings of a catalog are read out: built-in rules with what is set of them, and entries.
import { expect, test } from 'vitest'
import {
  attentionEntries,
  budgetLine,
  ruleLines,
  serverLine,
  workEntries,
} from '#present/console/overseeing/setting-text'

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
  expect(budgetLine(budget).text).toBe('500.00 calls in 1 d, for all together')
  const more = { of: 'args.cents', per: 'owner', capabilities: ['refund'], when: 'args.cents > 5' }
  expect(budgetLine({ ...budget, ...more }).text).toBe(
    '500.00 of args.cents in 1 d, for each owner, by refund, where args.cents > 5',
  )
})

test('a server is where it is, or what starts it', () => {
  expect(serverLine({ id: 'a', url: 'https://tools.example' }).text).toBe('https://tools.example')
  expect(serverLine({ id: 'b', command: ['npx', 'tools'] }).text).toBe('npx tools')
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
