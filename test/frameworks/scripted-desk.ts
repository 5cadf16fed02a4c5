// A desk with tools that all adapters are tried on: one that is read, one that people are asked
// about, one that is refused for a gap, and what ran of them, beside their own counts.
import { newestRules } from '#rules/catalog/rules-version'
import { answer, deletion, erase, look, names } from '../support/scene.ts'
import { scene, type Scene, type SceneSetup } from '../support/scene.ts'

export const deskSetup: SceneSetup = {
  catalog: {
    rules: newestRules,
    capabilities: [look, erase, { ...look, id: 'fly', concepts: ['fly', 'moon'] }],
    principals: [{ id: 'user' }, { id: 'tools' }],
    trustedEvidence: [
      { sender: 'user', for: ['*'] },
      { sender: 'tools', for: ['*'] },
    ],
  },
  graph: deletion({ name: 'ask' }),
}

export interface Desk extends Scene {
  /** What ran: the tool and what it was given. */
  readonly ran: [string, unknown][]
}

export async function desk(setup: SceneSetup = deskSetup, on?: Scene): Promise<Desk> {
  return { ...(await scene(setup, on)), ran: [] }
}

/** The addresses of all intents, in order. */
export async function intents({ log }: Pick<Scene, 'log'>): Promise<readonly string[]> {
  const all = await names(log, 'main.1.vlp.bot.>')
  return all.map((name) => name.slice('main.1.vlp.'.length))
}

/** A person answers the one review that is open. */
export async function rule(on: Scene, answers: boolean): Promise<void> {
  const [review] = await on.bot.reviews()
  if (review === undefined) throw new Error('no review is open')
  await answer(on, review.intent, { answers })
  // Decided, and not only answered.
  await on.bot.verdict(review.intent)
}
