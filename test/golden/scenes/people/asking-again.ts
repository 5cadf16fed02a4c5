// What came with version 7 of the rules: a request that brings the reason which the open one lacks,
// and reviews where junk stands in the place of an answer.
import { nameOf } from '#record/names'
import { readData } from '#record/event'
import { rotate } from '#replay/eras/rotate'
import { keys } from '../../../support/runtime.ts'
import { answer, bind, later, played, quiet, reason, say, type Play } from '../../play.ts'

export async function askingAgain(play: Play): Promise<void> {
  const intent = { tool: 'write', args: { path: 'a' } }
  const reasoned = { ...intent, justification: reason }
  // One that people are asked about, and one that no one has been asked about yet.
  await played(play, { intent })
  await played(play, { intent: { ...intent, justification: 'because' } })
  await played(play, { intent: reasoned })
  await say(play, { intent })
  await played(play, { intent: reasoned })

  // Neither what is not the agent's own word nor what was answered gives way.
  const asked = await played(play, { intent })
  await played(play, { intent: reasoned, message: { sender: 'desk' } })
  await say(play, { as: 'desk', intent: reasoned })
  await quiet(play)
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await played(play, { intent: { ...reasoned, observe: true } })
  await answer(play, asked, { note: reason })

  const left = await played(play, { intent: { ...intent, args: { path: 'b' } } })
  await play.bot.withdraw(left, 'not that one')
  await quiet(play)
  await played(play, { intent: { ...reasoned, args: { path: 'b' } } })
}

export async function spoilt(play: Play): Promise<void> {
  const erase = { tool: 'erase', args: { path: 'a' } }
  const once = await played(play, { intent: erase })
  await junk(play, once, { number: 1 })
  await answer(play, once)

  // What was answered counts on, in the next era too; a name that was taken before does not stop it.
  const session = 'S-2026-01-01-bot-0a0b0c'
  const pair = await played(play, { session, intent: { tool: 'share', args: { path: 'b' } } })
  await junk(play, pair, { number: 2, by: 'quin' })
  await answer(play, pair, { by: 'piet' })
  await junk(play, pair, { number: 1, by: 'quin' })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await answer(play, pair, { by: 'quin' })

  const never = await played(play, { intent: { ...erase, args: { path: 'c' } } })
  for (const number of [1, 2, 3, 4]) await junk(play, never, { number })

  const late = await played(play, { intent: { ...erase, args: { path: 'd' } } })
  await junk(play, late, { number: 1 })
  await later(play, 24 * 3_600_000)
}

/** What no key of that person signed, under the name of their answer to that review. */
async function junk(
  play: Play,
  address: string,
  { number, by = 'olga' }: { readonly number: number; readonly by?: keyof typeof keys },
): Promise<void> {
  const { place, intents } = play.runtime.follower.state
  const latest = intents.get(address)?.review?.name ?? ''
  const data = readData('review', await play.log.get(latest))
  if (data === null) throw new Error(`no review of \`${address}\` is open`)
  const { digest, questions, intent } = data
  const review = nameOf(place, 'review', address, number)
  const answers = questions.map(() => true)
  const content = { answers, confirmer: by, digest, intent, review }
  const name = nameOf(place, 'decision', address, number, by)
  await bind(play, 'decision', name, content, keys.root)
  await quiet(play)
}
