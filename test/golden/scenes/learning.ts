// What is missing, and what people make of it: agreed to, put otherwise, left open, turned down,
// asked again, left until it has expired, and given up since too much is asked already.
import { scriptedModel } from '../../support/adapters/scripted-model.ts'
import { nameOf } from '#record/names'
import { derivedBytes } from '#stages/derived'
import { viewOf } from '#stages/view'
import { gatherContext, gatherOpening, readerOf } from '#runtime/engine/gathering/gather'
import type { Candidate, Template } from '#schemas/learning'
import { learningDecider as stage } from '#workers/learning/decider'
import { stages } from '#workers/stages'
import { changeGraph, keys } from '../../support/runtime.ts'
import { bind, later, played, quiet, restarted, say, until, type Play, type Saying } from '../play.ts'

const weekMs = 7 * 86_400_000

const asks = (...concepts: readonly string[]): Saying => ({
  intent: { tool: 'look', concepts: [...concepts], onGap: 'learn' },
})

const levels = (name: string, ...wanted: readonly number[]): Candidate => ({
  levels: [
    { name, levels: wanted.map((level) => ({ level, properties: { what: `${name} ${level}` } })) },
  ],
  edge: null,
})

/** Says something usable of the sun, and nothing of anything else. */
export const model = scriptedModel(({ user }) =>
  user.includes('sun') ? levels('sun', 0, 1) : 'no idea',
)

function filling(template: Template): Candidate {
  if (!('levels' in template)) return { levels: [], edge: null }
  return levels(template.primitive, ...template.levels)
}

export async function learning(first: Play): Promise<Play> {
  let play = first
  await played(play, asks('moon'))
  await changeGraph(
    play.runtime,
    { op: 'add', name: 'moon' },
    { op: 'describe', name: 'moon', level: 0, properties: { what: 'it is there' } },
    { op: 'describe', name: 'moon', level: 1, properties: { what: 'a satellite' } },
  )
  await quiet(play)
  await played(play, asks('sun'))
  await ruled(play, 'sun', 'accepted')
  await played(play, asks('star'))
  await ruled(play, 'star', 'modified')
  await played(play, asks('comet'))
  await ruled(play, 'comet', 'skipped')
  await played(play, asks('dust'))
  await played(play, { ...asks('dust'), as: 'honest' })
  const dust = await ruled(play, 'dust', 'rejected')
  await reopened(play, dust)
  await ruled(play, 'dust', 'modified')
  await played(play, asks('fog'))
  await later(play, weekMs + 120_000)
  play = await crowded(play)
  return play
}

function openAbout(play: Play, name: string) {
  const open = [...play.runtime.follower.state.learning.open.values()]
  const found = open.find(({ data: { template } }) => {
    return 'primitive' in template && template.primitive === name
  })
  if (found === undefined) throw new Error(`nothing is asked about ${name}`)
  return found
}

async function ruled(
  play: Play,
  name: string,
  ruling: 'accepted' | 'modified' | 'skipped' | 'rejected',
): Promise<string> {
  const { id, data } = openAbout(play, name)
  // A model has answered by then, usably or not.
  await until(play, () => (openAbout(play, name).suggestions.next ?? 0) > 1)
  const candidate = ruling === 'modified' ? { candidate: filling(data.template) } : {}
  const by = { confirmer: 'root', privateKey: keys.root }
  await play.bot.rule({ proposal: id, ruling, ...candidate, ...by })
  await quiet(play)
  return id
}

async function reopened(play: Play, id: string): Promise<void> {
  const { place } = play.runtime.follower.state
  const content = { proposal: nameOf(place, 'proposal', id), confirmer: 'root' }
  await bind(play, 'reopening', nameOf(place, 'reopening', id, 'root'), content, keys.root)
  await quiet(play)
}

/** More is asked than people are shown at once, and nothing gives way any more. */
async function crowded(play: Play): Promise<Play> {
  await played(play, asks('first'))
  const things = Array.from({ length: 16 }, (_, index) => `thing ${index}`)
  await played(play, { intent: { tool: 'look', concepts: things } })
  // While learning is away, one more waits, then all are agreed to, and none is in the graph yet.
  const without = stages.filter(({ name }) => name !== 'learning')
  const away = await restarted(play, { stages: without })
  const { intents } = away.runtime.follower.state
  const address = await say(away, asks('last'))
  await until(away, () => (intents.get(address)?.hold ?? null) !== null)
  for (const { id, data } of [...away.runtime.follower.state.learning.open.values()]) {
    const { template } = data
    const by = { confirmer: 'root', privateKey: keys.root }
    await away.bot.rule({ proposal: id, ruling: 'modified', candidate: filling(template), ...by })
  }
  await derived(away, address)
  const back = await restarted(away, { stages: play.setup.stages ?? stages })
  await quiet(back)
  return back
}

/** Binds what the stage of learning says now about the intent, as its worker would. */
async function derived(play: Play, address: string): Promise<void> {
  const { runtime, log } = play
  const { state } = runtime.follower
  const reader = readerOf(log)
  const intent = state.intents.get(address)
  const opening = intent === undefined ? null : await gatherOpening(reader, state, intent)
  const view = opening === null ? null : viewOf(state, address, opening)
  if (view === null) throw new Error(`${address} is not open`)
  const time = new Date(runtime.clock.now()).toISOString()
  const context = await gatherContext(reader, view)
  const draft = stage.decide({ view, context, answers: [], time })
  if (draft === null) throw new Error(`learning does not mention ${address}`)
  const stamp = { source: 'warrant/learning/test', time, basis: state.position }
  await log.append({ name: draft.name, bytes: derivedBytes(draft, view, stamp) })
}
