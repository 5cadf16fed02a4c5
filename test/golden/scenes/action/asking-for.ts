// What people are asked for another: who may answer, how it ends, what is counted of it, a caller
// that may not have them asked any more, and a review that goes on in the next era.
import { newestRules } from '#rules/catalog/rules-version'
import { jsonOf } from '#record/canonical'
import { rotate } from '#replay/eras/rotate'
import { Principal } from '#schemas/catalog'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { later, played, quiet, reason, type Play } from '../../play.ts'

const minute = 60_000
const subjects = [{ type: 'user', who: { role: 'staff' } }]
const large = { name: 'large', effect: 'confirm' as const, when: 'has(args.n) && args.n > 10' }
const send = {
  id: 'file.send',
  safetyClass: 'READ' as const,
  argsSchema: { type: 'object' },
  conditions: [{ ...large, confirmation: 'desk' }],
}
const gate = { id: 'gate', owner: 'quin', evaluates: { subjects } }

export const askingForSetup = {
  catalog: {
    capabilities: [send],
    principals: [
      { ...gate, evaluates: { subjects, asks: true } },
      { id: 'ann', roles: ['staff'], owner: 'olga' },
      { id: 'ben', roles: ['staff'] },
    ],
    groups: [{ id: 'desk', members: ['olga', 'piet', 'quin'] }],
    confirmations: [
      {
        id: 'desk',
        tier: 'four_eyes',
        sessionless: true,
        group: 'desk',
        quorum: 1,
        decideWithinMs: 10 * minute,
        useWithinMs: minute,
      },
    ],
    limits: [{ capability: 'file.send', uses: 4, windowMs: 60 * minute }],
    rules: newestRules,
  },
} satisfies TestSetup

function asks(play: Play, n: number, about = 'ann', more: object = {}): Promise<string> {
  const subject = { type: 'user', id: about }
  const intent = { tool: 'file.send', args: { n }, justification: reason, subject, ...more }
  return played(play, { as: 'gate', intent: jsonOf(intent) })
}

async function decides(
  play: Play,
  intent: string,
  answers = true,
  confirmer: 'piet' | 'quin' = 'piet',
): Promise<void> {
  await play.bot.decide({ intent, confirmer, privateKey: keys[confirmer], answers })
  await quiet(play)
}

export async function askingForScene(play: Play): Promise<void> {
  await asks(play, 11, 'ann', { observe: true })
  await asks(play, 1)
  await decides(play, await asks(play, 11))
  await decides(play, await asks(play, 12), false)
  await asks(play, 13)
  await later(play, 11 * minute)
  // The limit is the subject’s: how often people are asked for it counts, too.
  await decides(play, await asks(play, 14))
  await asks(play, 15)
  await decides(play, await asks(play, 16, 'ben'))
  const open = await asks(play, 17, 'ben')
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await decides(play, open)
  await later(play, 61 * minute)
  const left = await asks(play, 18)
  await changeCatalog(play.runtime, {
    op: 'put',
    collection: 'principals',
    entry: Principal.parse(gate),
  })
  await decides(play, left)
  await asks(play, 19)
}
