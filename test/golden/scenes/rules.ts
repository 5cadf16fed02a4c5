// Rules as data: who may use a capability, conditions that deny, demand, ask and fault, of a
// capability, of the catalog and of a policy; and evidence that one of them reads.
import { rotate } from '#replay/eras/rotate'
import type { Condition } from '#schemas/catalog'
import { keys, type TestSetup } from '../../support/runtime.ts'
import { answer, played, quiet, reason, say, type Play } from '../play.ts'
import { action, setup } from './cast.ts'

const session = 'S-2026-01-01-bot-rules0'

const argsSchema = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    amount: { type: 'number' },
    count: { type: 'integer' },
    cc: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
}

const conditions: Condition[] = [
  {
    name: 'inside',
    when: '!args.to.endsWith("@acme.com")',
    effect: 'deny',
    recover: 'fix',
    message: 'mail stays inside',
  },
  { name: 'few', when: '!has(args.count) || args.count < 3', effect: 'require', recover: 'never' },
  { name: 'much', when: 'has(args.amount) && args.amount > 100', effect: 'confirm' },
  { name: 'copies', when: 'args.cc.exists(x, x.matches("^b+@"))', effect: 'deny', recover: 'ask' },
]

const paid: Condition = {
  name: 'paid',
  when: 'session.evidence.exists(e, e.sender == "desk" && e.payload.paid == true)',
  effect: 'require',
  recover: 'wait',
}

export const rulesSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      { id: 'mail', safetyClass: 'READ', argsSchema, conditions },
      { id: 'ship', safetyClass: 'READ', conditions: [paid] },
      { id: 'own', safetyClass: 'READ', allow: [{ principal: 'honest' }, { role: 'ops' }] },
      { id: 'closed', safetyClass: 'READ', deny: [{ principal: 'bot' }] },
      { id: 'wipe', safetyClass: 'READ', concepts: ['wipe', 'file'], argsSchema },
    ],
    conditions: [
      {
        name: 'hours',
        when: 'capability.id == "rare" && now.getHours("Asia/Tokyo") < 24',
        effect: 'deny',
        recover: 'wait',
      },
    ],
  },
  graph: {
    primitives: [
      ...setup.graph.primitives,
      action('wipe', {
        name: 'outside',
        when: '!args.to.startsWith("/scratch/")',
        requiresConfirmation: false,
      }),
    ],
  },
} satisfies TestSetup

export async function rules(play: Play): Promise<void> {
  const asks = (tool: string, args = {}, more = {}) =>
    played(play, { intent: { tool, args, justification: reason }, ...more })
  await asks('own')
  await asks('own', {}, { as: 'honest' })
  await asks('closed')
  await asks('rare')
  await asks('mail', { to: 'ann@acme.com', cc: [] })
  await asks('mail', { to: 'ann@evil.com', cc: ['bob@acme.com'] })
  await asks('mail', { to: 'ann@acme.com', count: 3, cc: [] })
  await asks('mail', { to: 'ann@acme.com' })
  await answer(play, await asks('mail', { to: 'ann@acme.com', amount: 250.5, cc: ['a@b'] }))
  await asks('wipe', { to: '/etc/x' })
  await asks('wipe', { to: '/scratch/x' })
  await asks('wipe')
  await asks('ship', {}, { session })
  await say(play, {
    as: 'desk',
    session,
    message: { type: 'evidence', receiver: 'bot', payload: { paid: true } },
  })
  await asks('ship', {}, { session })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks('mail', { to: 'ann@evil.com', cc: [] })
}
