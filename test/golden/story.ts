// What every golden log tells: each kind of fact, each way an intent can end that time does not
// decide, and some that count for nothing.
import type { CatalogOperation, Principal } from '#schemas/catalog'
import type { Fact } from '#ports/log'
import { nameOf } from '#core/names'
import { publicKeyOf } from '#core/signature'
import { change } from '#runtime/authoring/change'
import { connect } from '#services/client/connect'
import { playStory, story } from '../replay-story.ts'
import { keys, newKey } from '../runtime.ts'

export async function goldenStory(): Promise<{ facts: Fact[]; modules: string[] }> {
  const { runtime, bot, log } = await playStory()
  const { place } = runtime
  const author = { id: 'root', privateKey: keys.root }
  const put = (entry: Principal): CatalogOperation => {
    return { op: 'put', collection: 'principals', entry }
  }

  // Bytes in which nothing can be believed, and a name of no kind.
  const junk = nameOf(place, 'vlp', 'bot.-.junk')
  await log.append({ name: junk, bytes: Uint8Array.of(0xff, 0xfe, 0x00) })
  await bot.verdict('bot.-.junk')
  await log.append({ name: 'main.1.nothing.1', bytes: Buffer.from('{}') })

  // A person who may not answer, a person without a key, and evidence of a trusted sender.
  const mute = { id: 'mute', roles: [], attributes: {}, keys: [], suspended: false }
  const eye = { ...mute, id: 'eye', keys: [publicKeyOf(newKey())] }
  await change(runtime, { kind: 'catalog', operations: [put(mute)] }, author)
  await change(runtime, { kind: 'catalog', operations: [put(eye)] }, author)
  const desk = await connect({ as: 'desk', runtime })
  const session = bot.session('S-2026-01-02-bot-fedcba')
  const payload = { ok: true }
  const said = { type: 'evidence', content: 'it is fine', confidence: 0.5, provenance: ['desk'] }
  await desk.publish({ ...said, refers_to: junk, payload }, { id: session.id, seq: 0 })
  const justification = 'it is in the way of the new ones'
  await bot.ask({ tool: 'erase', args: { n: 3 }, justification }, { session })
  await bot.ask({ tool: 'look', args: {}, observe: true })

  const operations = [{ op: 'suspend', id: 'bot' }] as const
  await change(runtime, { kind: 'catalog', operations }, author)
  await bot.ask({ tool: 'look' })
  const guarded = bot.guard('look', () => 'seen', { enforce: false })
  await guarded({})

  const facts: Fact[] = []
  for await (const fact of log.read({})) facts.push(fact)
  await runtime.stop()
  return { facts, modules: [story.module] }
}
