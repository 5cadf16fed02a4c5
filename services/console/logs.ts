// The logs that a console serves: that of its realm, or those of its cells. What is about an intent
// is in the cell of its agent, or where that was before it moved.
import { principalNamed } from '#rules/catalog/catalog'
import { assert } from '#record/fault'
import { agentIn, isName, nameOf } from '#record/names'
import { logDeciding } from '#operations/agents/standings'
import { factAbout } from '#runtime/engine/binding'
import { positionsOf, type LogPositions } from '#schemas/console/positions'
import { cellAmong, type CellAmong } from './cell-among.ts'
import type { ConsoleOn } from './console.ts'

export function firstAmong<T>(all: readonly T[]): T {
  const [first] = all
  assert(first !== undefined, 'there is a log to serve')
  return first
}

/** Of which cell the log is that the console is on. */
export function ofCell({ logs, runtime }: Pick<ConsoleOn, 'logs' | 'runtime'>): CellAmong {
  return cellAmong(logs, runtime)
}

/** Up to where each log is folded. */
export function positionsNow({ logs }: Pick<ConsoleOn, 'logs'>): LogPositions {
  return positionsAmong(logs, ({ runtime }) => runtime.follower.state.position)
}

/** A position of each of the logs, in one. */
export function positionsAmong(
  logs: ConsoleOn['logs'],
  positionIn: (on: ConsoleOn) => number,
): LogPositions {
  return positionsOf(logs.map((on) => ({ ...ofCell(on), position: positionIn(on) })))
}

/** That which decides about it; the first where none does. */
export function logOfAgent(logs: readonly ConsoleOn[], agent: string | null): ConsoleOn {
  const states = logs.map((on) => ({ on, state: on.runtime.follower.state }))
  return (agent === null ? undefined : logDeciding(states, agent)?.on) ?? firstAmong(logs)
}

/** The log that has the intent; that of its agent’s cell where none has. */
export async function logAbout(logs: readonly ConsoleOn[], intent: string): Promise<ConsoleOn> {
  const first = firstAmong(logs)
  if (logs.length === 1) return first
  const { catalog } = first.runtime.follower.state
  const own = logOfAgent(logs, principalNamed(catalog, agentIn(intent))?.id ?? null)
  for (const log of [own, ...logs.filter((each) => each !== own)]) {
    if (await hasIntent(log, intent)) return log
  }
  return own
}

async function hasIntent({ runtime }: ConsoleOn, intent: string): Promise<boolean> {
  const { place, intents } = runtime.follower.state
  if (intents.has(intent)) return true
  if (!isName(nameOf(place, 'verdict', intent))) return false
  return (await factAbout(runtime, 'verdict', intent)) !== undefined
}
