// The same request asked again while it is open: refused, asked again on purpose, allowed once the
// first has ended or is taken back, and recognised across the turn of an era.
import { rotate } from '#replay/eras/rotate'
import { keys } from '../../support/runtime.ts'
import { answer, played, quiet, reason, type Play } from '../play.ts'

export async function equal(play: Play): Promise<void> {
  const intent = { tool: 'erase', args: { path: 'a' }, justification: reason }
  const first = await played(play, { intent })
  await played(play, { intent: { ...intent, justification: `${reason} again` } })
  const other = await played(play, { intent: { ...intent, args: { path: 'b' } } })
  const distinct = await played(play, { intent: { ...intent, distinct: true } })
  await answer(play, distinct)
  await answer(play, first)
  await answer(play, await played(play, { intent }))

  // What its agent took back no longer stands in the way.
  await play.bot.withdraw(other, 'not that one')
  await quiet(play)
  const held = await played(play, { intent: { ...intent, args: { path: 'b' } } })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await played(play, { intent: { ...intent, args: { path: 'b' } } })
  await answer(play, held)
}
