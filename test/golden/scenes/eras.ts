// The era turns while one intent waits for a person and another for learning, and both end in the
// next one.
import { rotate } from '#replay/eras/rotate'
import { keys } from '../../support/runtime.ts'
import { answer, played, quiet, reason, type Play } from '../play.ts'

export async function eras(play: Play): Promise<void> {
  const erase = { intent: { tool: 'erase', args: { path: 'z' }, justification: reason } }
  const asked = await played(play, erase)
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await answer(play, asked)
  await played(play, { intent: { tool: 'look', args: { path: 'y' } } })
}
