// Requests that people are asked about: agreed to, declined, left until too late, taken back, and
// asked again after what they agreed to had changed.
import { Relatum, type GraphOperation } from '#schemas/graph'
import { changeCatalog, changeGraph } from '../../support/runtime.ts'
import { played, answer, later, quiet, reason, say, type Play } from '../play.ts'

const hourMs = 3_600_000
const session = 'S-2026-01-01-bot-012345'

export async function reviews(play: Play): Promise<void> {
  const erase = { intent: { tool: 'erase', args: { path: 'a' }, justification: reason } }
  await answer(play, await played(play, erase), { note: 'it is in the way' })
  await answer(play, await played(play, erase), { yes: false, note: 'it is still needed' })

  // A group of two, without the agent's own side.
  const shared = await played(play, { session, intent: { tool: 'share', args: { path: 'b' } } })
  await answer(play, shared, { by: 'piet' })
  await answer(play, shared, { by: 'quin' })

  // A reason is all that is missing, and the owner gives it.
  const unsaid = await played(play, { intent: { tool: 'write' } })
  await answer(play, unsaid, { note: 'the nightly report needs it' })
  const unheard = await played(play, { intent: { tool: 'write' } })
  await answer(play, unheard, { note: 'short' })

  // The message itself asks for a person.
  const doubted = await played(play, {
    intent: { tool: 'look' },
    message: { safety: { level: 'review', issues: [], requires_human: true }, confidence: 0.95 },
  })
  await answer(play, doubted)

  const taken = await played(play, erase)
  await play.bot.withdraw(taken, 'no longer needed')
  await quiet(play)

  await changed(play)
  const late = await say(play, erase)
  await later(play, hourMs)
  await play.bot.verdict(late)
}

/** What people agreed to is not what would be done by then: asked again, or no one may answer. */
async function changed(play: Play): Promise<void> {
  const { runtime } = play
  const erase = { intent: { tool: 'erase', args: { path: 'c' }, justification: reason } }
  const again = await played(play, erase)
  await changeGraph(runtime, relateDelete({ name: 'asked' }, { name: 'asked-more' }))
  await answer(play, again)
  await answer(play, again)

  const shared = await played(play, { session, intent: { tool: 'share', args: { path: 'd' } } })
  await answer(play, shared, { by: 'piet' })
  const entry = { id: 'desk', members: ['piet', 'olga'] }
  await changeCatalog(runtime, { op: 'put', collection: 'groups', entry })
  await answer(play, shared, { by: 'quin' })
}

function relateDelete(...policies: readonly { readonly name: string }[]): GraphOperation {
  const relatum = Relatum.parse({ type: 'APPLIES_TO', target: 'file', targetDepth: 1, policies })
  return { op: 'relate', name: 'delete', level: 1, relatum }
}
