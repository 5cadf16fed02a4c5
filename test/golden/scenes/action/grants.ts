// Grants: questions that people answered beforehand. Uses that are taken, given back and used up;
// budgets, values, a quorum of two; what counts for nothing, runs out, and loses its signer.
import { newestRules } from '#rules/catalog/rules-version'
import type { Json } from '#record/canonical'
import { nameOf } from '#record/names'
import { rotate } from '#replay/eras/rotate'
import type { GrantRequest } from '#client/connect'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { answer, bind, later, played, quiet, reason, say, type Play } from '../../play.ts'
import { setup } from '../cast.ts'

const hour = 3_600_000
const WRITE = 'WRITE' as const
const open = { type: 'object' }
const large = { name: 'large', effect: 'confirm' as const, when: 'args.n > 10', question: 'Much?' }

export const grantsSetup = {
  ...setup,
  catalog: {
    ...setup.catalog,
    capabilities: [
      ...setup.catalog.capabilities,
      { id: 'send', safetyClass: WRITE, argsSchema: open, conditions: [large] },
      {
        id: 'both',
        safetyClass: WRITE,
        argsSchema: open,
        conditions: [{ ...large, confirmation: 'grantdesk' }],
      },
      {
        id: 'tell',
        safetyClass: WRITE,
        argsSchema: open,
        known: [{ arg: '/to', kind: 'email' as const }],
      },
    ],
    groups: [...setup.catalog.groups, { id: 'grantdesk', members: ['piet', 'quin'] }],
    confirmations: [
      ...setup.catalog.confirmations,
      {
        id: 'grantdesk',
        tier: 'four_eyes' as const,
        group: 'grantdesk',
        quorum: 2,
        sessionless: true,
        grants: ['WRITE' as const],
      },
    ],
    limits: [{ safetyClass: WRITE, uses: 100, windowMs: hour }],
    rules: newestRules,
  },
} satisfies TestSetup

type Wanted = Partial<GrantRequest> & Pick<GrantRequest, 'intent'>

export async function grantsScene(play: Play): Promise<void> {
  const asks = (tool: string, args: Json = {}, more = {}) =>
    played(play, { intent: { tool, args, justification: reason }, ...more })
  const grants = async (by: keyof typeof keys, wanted: Wanted) => {
    const usual = { confirmer: by, when: 'true', uses: 10, forMs: 24 * hour }
    const shown = await play.bot.grantPreview({ ...usual, ...wanted })
    await play.bot.grant({ shown, privateKey: keys[by] })
    await quiet(play)
    return shown
  }

  // A class, a number and a sum; what does not fit is asked about.
  const first = await asks('send', { n: 11 })
  await answer(play, first)
  const budget = { of: 'args.n', max: '50' }
  const sent = await grants('olga', { intent: first, when: 'args.n < 30', uses: 3, budget })
  for (const n of [12, 30, 25, 14, 1]) await asks('send', { n })
  await asks('send', { n: 11 }, { message: { safety: { level: 'review', issues: [] } } })
  // Two at once for the last use.
  const atOnce = async (tool: string, n: number) => {
    await say(play, { intent: { tool, args: { n, m: 1 }, justification: reason } })
    await say(play, { intent: { tool, args: { n, m: 2 }, justification: reason } })
    await quiet(play)
  }
  await atOnce('send', 11)

  // What counts for nothing: unsigned, another's key, another's name, an id that is used.
  const { place } = play.runtime.follower.state
  const as = (id: string, by: string) => nameOf(place, 'grant', id, by)
  await bind(play, 'grant', as('01JGRANT0000000000000000VA', 'olga'), sent.grant)
  await bind(play, 'grant', as('01JGRANT0000000000000000VB', 'olga'), sent.grant, keys.piet)
  await bind(play, 'grant', as('01JGRANT0000000000000000VC', 'piet'), sent.grant, keys.olga)
  await bind(play, 'grant', as(sent.id, 'piet'), { ...sent.grant, confirmer: 'piet' }, keys.piet)
  await quiet(play)

  // Two people for each call, and grants of two that differ.
  const pair = await asks('both', { n: 11 })
  await grants('piet', { intent: pair, uses: 5, note: 'every week' })
  await asks('both', { n: 12 })
  await grants('quin', { intent: pair, when: 'args.n < 20', uses: 4 })
  await asks('both', { n: 13 })
  await asks('both', { n: 21 })

  // A value that no one said, and no other.
  const told = await asks('tell', { to: 'ann@x.com' })
  await grants('olga', { intent: told, uses: 2 })
  await asks('tell', { to: 'ANN@x.com' })
  await asks('tell', { to: 'eve@x.com' })

  // An era later it goes on where it was; then its signer may not decide, and then it runs out.
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await asks('both', { n: 14 })
  await changeCatalog(play.runtime, { op: 'suspend', id: 'quin' })
  await quiet(play)
  await asks('both', { n: 15 })
  await asks('tell', { to: 'ann@x.com' })
  await asks('tell', { to: 'ann@x.com', n: 2 })
  await changeCatalog(play.runtime, { op: 'unsuspend', id: 'quin' })
  await quiet(play)
  await asks('both', { n: 16 })
  // Both take of the one grant, and only one of them of the other: what is taken is given back.
  await atOnce('both', 18)
  await later(play, 25 * hour)
  await asks('both', { n: 17 })
}
