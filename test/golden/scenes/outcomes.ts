// What becomes of what was allowed, in the agent's own word and in a gateway's; and a job that is
// set aside.
import { nameOf } from '#record/names'
import type { Stage } from '#stages/stage'
import { Fault } from '#record/fault'
import { OutcomeData } from '#schemas/facts'
import { stages } from '#workers/stages'
import { bind, played, quiet, say, type Play } from '../play.ts'

const crash = 'crash'

/** The stages, of which policy fails at one capability and at nothing else. */
export const failingStages: readonly Stage[] = stages.map((stage) =>
  stage.name === 'policy'
    ? {
        ...stage,
        decide(inputs) {
          if (inputs.view.opening.request?.tool !== crash) return stage.decide(inputs)
          throw new Fault('name_spent', 'it cannot be bound')
        },
      }
    : stage,
)

export async function outcomes(play: Play): Promise<void> {
  const { bot } = play
  await bot.guard('look', () => 'seen')({ path: 'a' })
  const failing = bot.guard('look', () => {
    throw new RangeError('there is no room')
  })
  await failing({ path: 'b' }).catch(() => undefined)
  const observed = bot.guard('write', () => 'written', { enforce: false })
  await observed({ path: 'c' })
  await quiet(play)
  for (const kind of ['ownoutcome', 'outcome'] as const) {
    for (const outcome of OutcomeData.shape.outcome.options) {
      const address = await played(play, { intent: { tool: 'look' } })
      const { place } = play.runtime.follower.state
      const [agent = ''] = address.split('.')
      const intent = { address, agent, session: null }
      const start = kind === 'outcome' ? 'start' : 'ownstart'
      const verdict = nameOf(place, 'verdict', address)
      await bind(play, start, nameOf(place, start, address), { intent, verdict })
      await bind(play, kind, nameOf(place, kind, address), { intent, outcome })
    }
  }
  await say(play, { intent: { tool: crash } })
  await quiet(play)
}
