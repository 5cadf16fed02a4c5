// What came with version 7 of the rules for what takes too long to decide: its fault is a fact, and
// every worker refuses the intent for it, in the next era too.
import { Fault } from '#record/fault'
import type { Stage } from '#stages/stage'
import { rotate } from '#replay/eras/rotate'
import { stages } from '#workers/stages'
import { keys } from '../../../support/runtime.ts'
import { answer, played, quiet, restarted, type Play } from '../../play.ts'
import { setup } from '../cast.ts'

/** The stages, of which one is stopped at a path, unless the intent was set aside. */
const stuckAt = (name: string): readonly Stage[] =>
  stages.map((stage) =>
    stage.name === name
      ? {
          ...stage,
          decide(inputs) {
            const { intent, opening } = inputs.view
            const isStuck = opening.request?.args['path'] === name && intent.setAside === undefined
            if (!isStuck) return stage.decide(inputs)
            throw new Fault('decision_stuck', 'it was stopped after 5 s')
          },
        }
      : stage,
  )

export const asideSetup = { ...setup, stages: stuckAt('policy') }

export async function setAside(first: Play): Promise<Play> {
  await played(first, { intent: { tool: 'look', args: { path: 'policy' } } })
  await played(first, { intent: { tool: 'look', args: { path: 'a' } } })
  const asked = await played(first, { intent: { tool: 'erase', args: { path: 'confirmation' } } })

  let play = await restarted(first, { stages: stuckAt('confirmation') })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await answer(play, asked)

  play = await restarted(play, { stages: stuckAt('grounding') })
  await played(play, { intent: { tool: 'look', args: { path: 'grounding' } } })
  await played(play, { intent: { tool: 'look', args: { path: 'b' } } })
  return play
}
