// Folds the log and derives what a request would come to, by the stages' own deciders.
import type { DecidedNow } from '#replay/what-if/now'
import { configuration } from '#wiring/config'
import { explained, explanationOf } from '#client/answers/explained'
import { exitCodes } from '#schemas/faults/exit'
import { intentOf, readIntentFile, type IntentOptions } from '../ask/intent-fields.ts'
import { onlyAgent } from '../ask/run.ts'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { explanationLines } from './print.ts'

export interface ExplainCommandOptions extends GlobalOptions, IntentOptions {
  readonly agent?: string
  readonly session?: string
}

export async function explainCommand(
  tool: string | undefined,
  options: ExplainCommandOptions,
): Promise<number> {
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  const agentIn = (catalog: Parameters<typeof onlyAgent>[0]): string =>
    options.agent ?? onlyAgent(catalog)
  const at = await cellOfAgent(options, agentIn)
  return withRuntime(at, { reads: true }, async (runtime) => {
    const agent = agentIn(runtime.follower.state.catalog)
    const request = { agent, session: options.session ?? null, intent }
    const { decided, fixes } = await explained(runtime, request)
    const shown = { decided, agent, tool: intent.tool, fixes }
    if (options.json === true) await printJson(explanationOf(shown, shown))
    else await print(explanationLines({ ...shown, hints: hintsFor(options, configuration()) }))
    return exitCodeFor(decided)
  })
}

function exitCodeFor({ outcome }: DecidedNow): number {
  if (outcome === 'allow') return exitCodes.yes
  return outcome === 'deny' ? exitCodes.denied : exitCodes.noVerdict
}
