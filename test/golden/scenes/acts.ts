// Acts of a session that a condition bars a second time, and an address that people agreed to.
import { newestRules } from '#rules/catalog/rules-version'
import type { TestSetup } from '../../support/runtime.ts'
import { answer, inSession, type Play } from '../play.ts'

const session = 'S-2026-01-01-bot-567890'
const argsSchema = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'integer' } },
}

export const actsSetup = {
  catalog: {
    capabilities: [
      {
        id: 'pay',
        safetyClass: 'WRITE',
        argsSchema,
        known: [{ arg: '/to', kind: 'email', confirmed: ['pay'] }],
        conditions: [
          {
            name: 'once',
            when: 'acts.exists(a, a.args.to == args.to && a.args.amount == args.amount)',
            effect: 'deny',
          },
        ],
      },
    ],
    rules: newestRules,
  },
} satisfies TestSetup

export async function acts(play: Play): Promise<void> {
  const { ask } = inSession(play, session)
  await answer(play, await ask('pay', { to: 'ann@x.org', amount: 5 }))
  await ask('pay', { to: 'ann@x.org', amount: 6 })
  await ask('pay', { to: 'ann@x.org', amount: 5 })
  await answer(play, await ask('pay', { to: 'eve@x.org', amount: 5 }), { yes: false })
  await answer(play, await ask('pay', { to: 'eve@x.org', amount: 5 }))
}
