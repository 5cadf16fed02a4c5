// Folds the log once, listening for one intent, and tells its story. It runs no stage.
import { systemClock } from '#adapters/system/clock'
import type { Place } from '#core/kernel/names'
import { listenerFor, storyOf, type Story } from '#present/story/story'
import type { Told } from '#present/story/told'
import { evolve } from '#core/state/fold/evolve'
import type { Log } from '#ports/log'
import { beginningOf } from '#runtime/eras/beginning'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { contentOf } from '../log/print.ts'
import { storyLines } from './print.ts'
import { findIntent } from '../opening/intent-named.ts'
import { withLog } from '../opening/opened.ts'

export async function trace(meant: string, options: GlobalOptions): Promise<number> {
  return withLog(options, async (log, place) => {
    const address = await findIntent(log, place, meant)
    const { story, told } = await tell(log, place, address)
    if (options.json === true) await printJson({ ...story, facts: told.map(factOf) })
    else await print(storyLines(story))
    return exitCodes.yes
  })
}

async function tell(
  log: Log,
  place: Place,
  address: string,
): Promise<{ readonly story: Story; readonly told: readonly Told[] }> {
  const { world } = await beginningOf(log, place, null)
  const listener = listenerFor(address)
  const from = world.position + 1
  for await (const fact of log.read({ from })) listener.hear(world, fact, evolve(world, fact))
  const open = world.intents.get(address) ?? null
  const { told } = listener
  return { story: storyOf(address, told, { open, now: systemClock.now() }), told }
}

function factOf({ position, appendedAt, name, bytes, void: why }: Told): unknown {
  const time = new Date(appendedAt).toISOString()
  return { position, appendedAt: time, name, void: why, fact: contentOf(bytes) }
}
