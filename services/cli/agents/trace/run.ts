// Prints the whole story of one intent, as `client.trace` gives it.
import { systemClock as clock } from '#system/clock'
import { traceOf, type TracedFact } from '#client/answers/trace'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { readContentOf } from '#client/reading/fact-shown'
import { storyLines } from './print.ts'
import { wrapped } from '#cli/terminal/width'
import { findIntent } from '#client/reading/intent-named'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { withDeciders } from '#cli/terminal/opening/deciders'
import { withOneLog } from '#cli/terminal/opening/opened'

export async function trace(meant: string, options: GlobalOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withOneLog(at.options, async (log, place) => {
    const address = await findIntent(log, place, at.meant)
    const traced = await withDeciders(at.options, (deciders) =>
      traceOf({ log, place, clock, deciders }, address),
    )
    const { facts, text: _, ...story } = traced
    if (options.json === true) await printJson({ ...story, facts: facts.map(factOf) })
    else await print(wrapped(storyLines(story)))
    return exitCodes.yes
  })
}

function factOf({ position, appendedAt, name, bytes, void: why }: TracedFact): unknown {
  const time = new Date(appendedAt).toISOString()
  return { position, appendedAt: time, name, void: why, fact: readContentOf(bytes) }
}
