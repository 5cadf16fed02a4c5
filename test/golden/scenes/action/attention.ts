// Answers a day, and a batch beyond them.
import { batchFor } from '#state/slices/attention/answers'
import { keys } from '../../../support/runtime.ts'
import { played, quiet, type Play } from '../../play.ts'

const asked = { name: 'paid', when: 'true', effect: 'confirm' as const, confirmation: 'desk' }
const argsSchema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }

export const attentionSetup = {
  catalog: {
    capabilities: [{ id: 'pay', safetyClass: 'READ' as const, argsSchema, conditions: [asked] }],
    groups: [{ id: 'desk', members: ['piet', 'quin'] }],
    confirmations: [
      { id: 'desk', tier: 'four_eyes' as const, group: 'desk', sessionless: true },
    ],
    attention: { answers: [{ group: 'desk', perDay: 1 }] },
  },
}

export async function attentionScene(play: Play): Promise<void> {
  const { runtime, bot } = play
  const { follower, clock } = runtime
  const paying = (to: string) => played(play, { intent: { tool: 'pay', args: { to } } })
  const piet = { confirmer: 'piet', privateKey: keys.piet, answers: true }
  const first = await paying('ann@example.org')
  await bot.decide({ ...piet, intent: first })
  await quiet(play)
  const two = [await paying('bea@example.org'), await paying('carl@example.org')]
  const names = two.map((intent) => follower.state.intents.get(intent)?.review?.name ?? '')
  const batch = batchFor(follower.state, { names, confirmer: 'piet', at: clock.now() })
  for (const intent of two) {
    await bot.decide({ ...piet, intent, ...(batch !== null && { batch }) })
    await quiet(play)
  }
}
