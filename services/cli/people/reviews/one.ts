// One review: while it is open with how to answer it, else with what came of it.
import { pickIntent } from '#operations/finding/intent-named'
import { exitCodes } from '#schemas/faults/exit'
import { configuration } from '#wiring/config'
import { heldHere } from '#cli/rules/editing/held-here'
import { askAndPrint, type AskedOptions } from '#cli/terminal/asked/run'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { withRuntime } from '#cli/terminal/opening/opened'
import { print } from '#cli/terminal/terminal'
import { reviewLines } from './print.ts'
import { reviewIn, withWhole } from './whole.ts'

const ofList = ['follow', 'past', 'mine', 'csv', 'exec', 'webhook'] as const

export async function oneReview(meant: string, options: AskedOptions): Promise<number> {
  const stray = ofList.find((name) => options[name] !== undefined)
  if (stray !== undefined) throw usage(`--${stray} is of the list: name none of it`)
  if (options.json === true || !(await printOpen(meant, options))) {
    return askAndPrint({ name: 'review', list: 'reviews', meant }, options)
  }
  return exitCodes.yes
}

/** Prints it where it waits for an answer; else false. */
async function printOpen(meant: string, options: AskedOptions): Promise<boolean> {
  const at = await cellOfIntent(options, meant, 'open')
  return withRuntime(at.options, { reads: true }, async (runtime) => {
    const { place, follower, clock } = runtime
    const address = pickIntent(at.meant, place, follower.state.intents.keys())
    const intent = follower.state.intents.get(address ?? '')
    const row = intent === undefined ? null : await reviewIn(runtime, intent)
    if (row === null) return false
    const isWhole = options['whole'] === true
    const shown = isWhole ? await withWhole(runtime, row, await heldHere(runtime)) : row
    await print(reviewLines(shown, clock.now(), hintsFor(options, configuration())))
    return true
  })
}
