// Lets a model fill a proposal in, where there is one. One question at a time, and after a failure
// none for a while: people can answer without it, and must not wait for it.
import type { Filled, Template } from '#schemas/learning'
import { filledBy, taskFor } from '#core/learning/task'
import type { Source } from '#core/learning/source'
import type { World } from '#core/world/world'
import type { Model } from '#ports/models'
import type { Advancing } from '../advance.ts'

const restMs = 60_000
const failedCharactersMax = 400

const resting = new WeakMap<Model, number>()

/** What the model made of it; null where there is none, or it rests. */
export async function fillIn(
  { model, clock, leaving, logger }: Advancing,
  world: World,
  { asked }: Source,
  template: Template,
): Promise<Filled | null> {
  if (model === undefined || clock.now() < (resting.get(model) ?? 0)) return null
  const { graph } = world
  const said = await model.ask({ ...taskFor(graph, { template, asked }), signal: leaving })
  if ('failed' in said) {
    resting.set(model, clock.now() + restMs)
    const failed = said.failed.slice(0, failedCharactersMax).toWellFormed()
    logger.warn({ model: model.name, failed }, 'model failed')
    return { by: model.name, failed }
  }
  // What it was told may have moved on while it thought.
  return filledBy(model.name, world.graph, { template, asked }, said.answer)
}
