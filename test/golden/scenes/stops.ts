// What stops an agent without a rule about the call itself: a trusted sender's block, its own
// correction, and more open requests than are served.
import { nameOf } from '#core/names'
import { stages } from '#services/stages'
import { keys } from '../../runtime.ts'
import { bind, played, quiet, reason, restarted, say, type Play } from '../play.ts'

const servedMax = 256

export async function stops(first: Play): Promise<Play> {
  const session = 'S-2026-01-01-bot-abcdef'
  await blocked(first, session)
  await corrected(first, session)
  return crowd(first)
}

async function blocked(play: Play, session: string): Promise<void> {
  await played(play, { session, intent: { tool: 'look' } })
  await played(play, {
    as: 'desk',
    session,
    message: {
      type: 'notice',
      content: 'stop that',
      receiver: 'bot',
      safety: { level: 'block', issues: [] },
    },
  })
  await played(play, { intent: { tool: 'look' } })
  const { place, position } = play.runtime.follower.world
  const name = nameOf(place, 'lift', 'bot', 1)
  const content = { agent: 'bot', through: position, by: 'olga', note: 'it was a mistake' }
  await bind(play, 'lift', name, content, keys.olga)
  await quiet(play)
  await played(play, { intent: { tool: 'look' } })
}

async function corrected(play: Play, session: string): Promise<void> {
  const erase = { tool: 'erase', args: { path: 'q' }, justification: reason }
  const message = { id: 'MSG-first' }
  await played(play, { session, intent: erase, message })
  await played(play, {
    session,
    message: { type: 'correction', content: 'not that one', refers_to: 'MSG-first' },
  })
}

/** One request more than are served, all of them open before any stage has looked. */
async function crowd(play: Play): Promise<Play> {
  const alone = await restarted(play, { stages: [] })
  for (let count = 0; count <= servedMax; count += 1) {
    await say(alone, { as: 'honest', intent: { tool: 5 } })
  }
  const back = await restarted(alone, { stages: play.setup.stages ?? stages })
  await quiet(back)
  return back
}
