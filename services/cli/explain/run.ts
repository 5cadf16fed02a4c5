// Folds the log and derives what a request would come to, by the stages' own deciders.
import { Fault } from '#core/kernel/fault'
import { fixesOf } from '#present/fixes'
import { decidedNow, type DecidedNow } from '#runtime/replay/what-if/now'
import type { Runtime } from '#runtime/engine/runtime'
import { configuration } from '#runtime/wiring/config'
import { stages } from '#services/stages'
import { exitCodes } from '#schemas/faults/exit'
import { intentOf, readIntentFile, type IntentOptions } from '../ask/intent-fields.ts'
import { onlyAgent } from '../ask/run.ts'
import { cellOfAgent } from '../opening/cells/intent-cell.ts'
import { withRuntime } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { hintsFor } from '../terminal/hint.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { explanationJson, explanationLines } from './print.ts'

export interface ExplainOptions extends GlobalOptions, IntentOptions {
  readonly agent?: string
  readonly session?: string
}

export async function explainCommand(
  tool: string | undefined,
  options: ExplainOptions,
): Promise<number> {
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  const agentIn = (catalog: Parameters<typeof onlyAgent>[0]): string =>
    options.agent ?? onlyAgent(catalog)
  const at = await cellOfAgent(options, agentIn)
  return withRuntime(at, { reads: true }, async (runtime) => {
    const { follower, clock, ids, callbacks, reader } = runtime
    const agent = agentIn(follower.state.catalog)
    const now = clock.now()
    const time = new Date(now).toISOString()
    const deriving = { stages, callbacks, time, reader, faulted: () => undefined }
    const content = intent.goal ?? `use ${intent.tool}`
    const decided = await decidedNow(deriving, follower.state, {
      agent,
      session: options.session ?? null,
      fields: { type: 'query', content, payload: { intent } },
      id: ids.next(now),
      now,
    })
    if (decided === null) throw nothingDecided(runtime)
    const ground = decided.grounding?.ground ?? null
    const fixes = ground === null ? [] : fixesOf(follower.state.graph, ground)
    const shown = { decided, agent, tool: intent.tool, fixes }
    if (options.json === true) await printJson(explanationJson(shown))
    else await print(explanationLines({ ...shown, hints: hintsFor(options, configuration()) }))
    return exitCodeFor(decided)
  })
}

function nothingDecided({ follower }: Runtime): Fault {
  const isSealed = follower.state.sealed !== null
  const why = isSealed ? 'the era is sealed: run `warrant log rotate` again' : 'too much is open'
  return new Fault('no_verdict', `no stage would decide it: ${why}`)
}

function exitCodeFor({ outcome }: DecidedNow): number {
  if (outcome === 'allow') return exitCodes.yes
  return outcome === 'deny' ? exitCodes.denied : exitCodes.noVerdict
}
