// What the golden log tells: each kind of fact, each way in which an intent can end, and some that
// count for nothing. Scene after scene on one log.
import type { Fact } from '#ports/log'
import { nameOf } from '#core/names'
import { newPlay, quiet } from './play.ts'
import { moduleText, setup } from './scenes/cast.ts'
import { eras } from './scenes/eras.ts'
import { requests } from './scenes/requests.ts'
import { reviews } from './scenes/reviews.ts'

export async function goldenStory(): Promise<{ facts: Fact[]; modules: string[] }> {
  const play = await newPlay(setup)
  const { runtime, log } = play

  // Bytes in which nothing can be believed, and a name of no kind.
  const junk = nameOf(runtime.follower.world.place, 'vlp', 'bot.-.junk')
  await log.append({ name: junk, bytes: Uint8Array.of(0xff, 0xfe, 0x00) })
  await log.append({ name: 'main.1.nothing.1', bytes: Buffer.from('{}') })
  await quiet(play)

  await requests(play)
  await reviews(play)
  await eras(play)

  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  await runtime.stop()
  return { facts, modules: [moduleText] }
}
