// The memory of sessions: whatever it has received, read or released of, it answers what the log
// says.
import { expect, test } from 'vitest'
import { agentIn } from '#record/names'
import { viewOf, type View } from '#stages/view'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import type { Log, LogReader } from '#ports/log'
import { gatherOpening, readerOf } from '#runtime/engine/gathering/gather'
import { readSessions, type SessionRead, type Sessions } from '#runtime/engine/gathering/sessions'
import { look, place, say, scene } from '../../support/scene.ts'

const sessions = ['S-1', 'S-2', 'S-3']
const catalog = {
  capabilities: [look],
  principals: [{ id: 'tools' }, { id: 'desk' }, { id: 'noise' }],
  trustedEvidence: [
    { sender: 'tools', for: ['*'] },
    { sender: 'desk', for: ['look'] },
  ],
}

/** Messages of several senders in several sessions; bot's are intents, and no stage answers. */
async function conversations(count: number, bytes: number) {
  const on = await scene({ catalog, stages: [] })
  const senders = ['tools', 'bot', 'desk', 'noise']
  for (let n = 0; n < count; n += 1) {
    const as = senders[(n * 7) % 4] ?? 'bot'
    const session = sessions[(n * 5) % 3] ?? null
    const content = 'x'.repeat(bytes)
    const isIntent = as === 'bot'
    const type = isIntent ? 'query' : 'notice'
    const message = { type, content }
    const intent = { tool: 'look', args: {} }
    await say(on.log, { as, session, message, ...(isIntent && { intent }) })
  }
  return on
}

interface Listening {
  readonly sessions: Sessions
  /** From this position on it receives. */
  readonly from: number
}

/** Folds the log, and at each position asks each memory of every open intent's session. */
async function answers(
  log: Log,
  memories: readonly Listening[],
): Promise<readonly SessionRead[][]> {
  const state = newState(place)
  const reader = readerOf(log)
  const found: SessionRead[][] = memories.map(() => [])
  const read = async (view: View, session: string): Promise<void> => {
    for (const [index, one] of memories.entries()) {
      found[index]?.push(await one.sessions.read(view, session))
    }
  }
  for await (const fact of log.read({})) {
    const folded = evolve(state, fact)
    for (const { sessions: memory, from } of memories) {
      if (fact.position > from) memory.receive(fact, folded, state)
    }
    const intent = [...state.intents.values()].at(-1)
    const opening = intent === undefined ? null : await gatherOpening(reader, state, intent)
    const view =
      intent === undefined || opening === null ? null : viewOf(state, intent.address, opening)
    if (view === null) continue
    expect(agentIn(view.intent.address)).toBe('bot')
    for (const session of [...sessions, 'S-none']) await read(view, session)
  }
  return found
}

const shown = (reads: readonly SessionRead[] | undefined) =>
  reads?.map(({ messages, overlong }) => [overlong, ...messages.map(({ name }) => name)])

test('it answers the same whether it received all, received a part, or reads each time', async () => {
  const { log } = await conversations(60, 10)
  const never = Number.MAX_SAFE_INTEGER
  const [all, late, read] = await answers(log, [
    { sessions: readSessions(log, 0), from: 0 },
    { sessions: readSessions(log, 30), from: 30 },
    { sessions: readSessions(log, 0), from: never },
  ])
  expect(shown(all)).toEqual(shown(read))
  expect(shown(late)).toEqual(shown(read))
  const names = shown(all)?.flat().join(' ') ?? ''
  for (const sender of ['tools', 'desk', 'bot']) expect(names).toContain(`.vlp.${sender}.`)
  expect(names).not.toContain('.vlp.noise.')
})

test('what it has released of it reads again', async () => {
  const { log } = await conversations(40, 100)
  let reads = 0
  const counting: LogReader = {
    get: (name) => log.get(name),
    head: () => log.head(),
    read: (...args) => {
      reads += 1
      return log.read(...args)
    },
  }
  const small = readSessions(counting, 0, 2_000)
  const [all, few] = await answers(log, [
    { sessions: readSessions(log, 0), from: 0 },
    { sessions: small, from: 0 },
  ])
  expect(shown(few)).toEqual(shown(all))
  expect(reads).toBeGreaterThan(10)
})

test('what it has received from the beginning it never reads', async () => {
  const { log } = await conversations(40, 10)
  const unread = () => {
    throw new Error('it reads the log')
  }
  const silent: LogReader = { get: unread, read: unread, head: unread }
  const [reads] = await answers(log, [{ sessions: readSessions(silent, 0), from: 0 }])
  expect(reads?.length).toBeGreaterThan(10)
})

test('a session is overlong from the message on that is one too many', async () => {
  const { log } = await scene({ catalog, stages: [] })
  for (let n = 0; n < 1_023; n += 1) {
    await say(log, { as: 'tools', session: 'S-1', message: { type: 'notice' } })
  }
  const intent = { tool: 'look', args: {} }
  await say(log, { session: 'S-1', intent })
  await say(log, { as: 'noise', session: 'S-1', message: { type: 'notice' } })
  await say(log, { session: 'S-1', intent })
  const [reads] = await answers(log, [{ sessions: readSessions(log, 0), from: 0 }])
  const ofSession = reads?.filter((_, index) => index % 4 === 0).map(({ overlong }) => overlong)
  expect(ofSession).toEqual([false, false, true])
})
