// Budgets: counted and added up, for an owner, a tenant, a session, a text of the call and all
// together; used up, never enough, unreadable, given back, freed by time, and changed meanwhile.
import { newestRules } from '#rules/catalog/rules-version'
import type { Json } from '#record/canonical'
import { rotate } from '#replay/eras/rotate'
import type { Budget } from '#schemas/budgets/budget'
import type { JsonObject } from '#schemas/catalog'
import { changeCatalog, keys, type TestSetup } from '../../support/runtime.ts'
import { answer, later, played, quiet, reason, say, type Play } from '../play.ts'
import { setup } from './cast.ts'

const hour = 3_600_000
const session = 'S-2026-01-01-bot-bud0ge'
const mailArgs = {
  type: 'object',
  properties: { to: { type: 'array', items: { type: 'string' } } },
  required: ['to'],
}
const payArgs = {
  type: 'object',
  properties: { amount: { type: ['number', 'string'] }, fee: { type: 'number' } },
}

const budgets: Budget[] = [
  {
    name: 'mails',
    max: 2,
    windowMs: hour,
    per: "args.to.map(a, a.substring(a.lastIndexOf('@') + 1))",
    capabilities: ['mail'],
    message: 'two e-mails an hour',
  },
  {
    name: 'payments a day',
    of: 'args.amount',
    when: 'has(args.amount)',
    max: '1000.50',
    windowMs: 24 * hour,
    per: 'owner',
    capabilities: ['pay'],
  },
  { name: 'fees', of: '[args.fee, 0.1]', max: 1, windowMs: hour, capabilities: ['fee'] },
  { name: 'talk', max: 1, windowMs: hour, per: 'session', capabilities: ['talk'] },
  { name: 'region', max: 1, windowMs: hour, per: 'tenant', capabilities: ['sell'] },
  { name: 'pair', max: 2, windowMs: hour, per: 'agent', capabilities: ['twice'] },
  { name: 'single', max: 1, windowMs: hour, capabilities: ['twice'] },
]

const READ = 'READ' as const
const plain = (id: string, argsSchema: JsonObject = { type: 'object' }) => ({
  id,
  safetyClass: READ,
  argsSchema,
})

export const budgetsSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      plain('mail', mailArgs),
      plain('pay', payArgs),
      plain('fee', payArgs),
      plain('talk'),
      plain('sell'),
      plain('twice'),
    ],
    principals: [
      ...setup.catalog.principals,
      { id: 'eu-bot', attributes: { tenant: 'eu' }, owner: 'olga' },
    ],
    budgets,
    rules: newestRules,
  },
} satisfies TestSetup

export async function budgetsScene(play: Play): Promise<void> {
  const asks = (tool: string, args: Json = {}, more = {}) =>
    played(play, { intent: { tool, args, justification: reason }, ...more })

  await asks('mail', { to: ['a@x.com', 'b@X.COM', 'c@y.com'] })
  await asks('mail', { to: ['d@ｘ.com.'] })
  await asks('mail', { to: ['e@x.com', 'f@z.com'] })
  await asks('mail', { to: ['f@z.com'] })
  await asks('mail', { to: [] })

  await asks('pay', { amount: 0.1 })
  await asks('pay', { amount: 0.2 }, { as: 'eu-bot' })
  await asks('pay', { amount: '1000.2' })
  await asks('pay', { amount: '0.000000000000000001' })
  for (const amount of [2_000, -1, '1e400', '-0', 1e-30, 0]) await asks('pay', { amount })
  await asks('pay', {}, { observe: true })
  await asks('fee', { fee: 0.9 })
  await asks('fee', { fee: 0 })

  await asks('talk')
  await asks('talk', {}, { session })
  await asks('talk', {}, { session })
  await asks('sell')
  await asks('sell', {}, { as: 'eu-bot' })

  // Both take the first of their two, and only one of them the second: what the other took of the
  // first is free again.
  const intent = { tool: 'twice', args: {}, justification: reason }
  await say(play, { intent })
  await say(play, { intent: { ...intent, args: { n: 2 } } })
  await quiet(play)
  await later(play, hour)
  await asks('twice', { n: 3 })
  await asks('mail', { to: ['g@x.com'] })

  await changeCatalog(play.runtime, { op: 'set', key: 'budgets', value: changed })
  await quiet(play)
  await asks('pay', { amount: 1 })
  await asks('fee', { fee: 0 })
  // Both may be asked about, and only the first that is approved may be done.
  const [one, other] = [await asks('erase', { path: 'a' }), await asks('erase', { path: 'b' })]
  await answer(play, other)
  await answer(play, one)
  await asks('erase', { path: 'c' })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks('mail', { to: ['h@x.com'] })
  await asks('mail', { to: ['i@x.com'] })
  await changeCatalog(play.runtime, { op: 'set', key: 'budgets', value: [] })
  await quiet(play)
  await asks('mail', { to: ['j@x.com'] })
}

// One is raised, one is renamed, and one is about what people are asked.
const changed = [
  ...budgets.map((one) => (one.name === 'payments a day' ? { ...one, max: 1_002 } : one)),
  { name: 'erased', max: 1, windowMs: hour, per: 'agent', capabilities: ['erase'] },
].map((one) => (one.name === 'fees' ? { ...one, name: 'fees again' } : one))
