// Shows where agents stand, now or as it was, and how one of them came there.
import type { Place } from '#record/names'
import type { State } from '#state/state'
import type { Log } from '#ports/log'
import { wholeStateAt } from '#replay/eras/state-at'
import { exitCodes } from '#schemas/faults/exit'
import { earnedListed, earnedShown, type EarnedListed } from '#client/work/standings-shown'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { inCell, logsMeant, refuseSeveral } from '#cli/terminal/opening/cells/logs'
import type { MomentOptions } from '#cli/terminal/opening/moment'
import { rootKeyFor, withOneLog, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { standingLinesOf, standingsLines } from './print.ts'

export interface StandingOptions extends GlobalOptions, MomentOptions {}

export async function showStanding(
  agent: string | undefined,
  options: StandingOptions,
): Promise<number> {
  return agent === undefined ? showAll(options) : showOne(agent, options)
}

async function showAll(options: StandingOptions): Promise<number> {
  const json = options.json === true
  const logs = await logsMeant(options)
  if (options.at !== undefined) refuseSeveral(logs, '--at')
  const all: EarnedListed[] = []
  for (const { options: there, cell } of logs) {
    const listed = await stateOf(there, earnedListed)
    if (json) for (const one of listed) await printJson(inCell(one, cell))
    all.push(...listed)
  }
  if (!json) await print(standingsLines(all))
  return exitCodes.yes
}

async function showOne(agent: string, options: StandingOptions): Promise<number> {
  const there = await cellOfAgent(options, () => agent)
  const shown = await stateOf(there, (state) => earnedShown(state, agent))
  if (options.json === true) await printJson(shown)
  else await print(standingLinesOf(shown))
  return exitCodes.yes
}

function stateOf<T>(options: StandingOptions, use: (state: State) => T): Promise<T> {
  const { at } = options
  if (at === undefined) {
    return withRuntime(options, { reads: true }, ({ follower }) => {
      return Promise.resolve(use(follower.state))
    })
  }
  return withOneLog(options, async (log: Log, { realm }: Place) => {
    return use(await wholeStateAt({ log, realm, rootKey: rootKeyFor(options) }, at))
  })
}
