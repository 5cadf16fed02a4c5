// What stops an agent without a rule about the call itself: a trusted sender's block, and
// its own correction.
import { nameOf } from '#record/names'
import { keys } from '../../support/runtime.ts'
import { bind, played, quiet, reason, type Play } from '../play.ts'

export async function stops(play: Play): Promise<void> {
  const session = 'S-2026-01-01-bot-abcdef'
  await blocked(play, session)
  await corrected(play, session)
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
  const { place, position } = play.runtime.follower.state
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
