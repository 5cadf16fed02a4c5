// `warrant stats --people` and `--rules`: what people make of the questions that they are asked. Of
// people it shows those whose keys are here, or all of them to a policy admin.
import type { FoldListener } from '#runtime/engine/follower'
import type { Runtime } from '#runtime/engine/runtime'
import { listKeys } from '#runtime/keys/key-files'
import { exitCodes } from '#schemas/faults/exit'
import { countingAttention, newAttention } from '#services/client/reading/attention/counted'
import { attentionReport, type AttentionReport } from '#services/client/reading/attention/report'
import { seenBy } from '#services/client/reading/attention/seen-by'
import type { MeantOptions } from '#services/client/reading/meant'
import { keyAccess } from '../editing/signing.ts'
import { logsMeant } from '../opening/cells/logs.ts'
import { withRuntime } from '../opening/opened.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { attentionLines } from './print-attention.ts'

export interface AttentionOptions extends GlobalOptions, MeantOptions {
  readonly people?: boolean
  readonly rules?: boolean
}

export async function attentionStats(options: AttentionOptions): Promise<number> {
  const counts = newAttention()
  let seen = (report: AttentionReport): AttentionReport => ({ ...report, people: [] })
  for (const meant of await logsMeant(options)) {
    const count = countingAttention(counts, options)
    const onFolded: FoldListener = (fact, folded, state) => count.take(fact, folded, state)
    const opening = { reads: true, foldsAll: true, onFolded }
    await withRuntime(meant.options, opening, async (runtime) => {
      const viewers = await whoseKeysAreHere(runtime)
      const { catalog } = runtime.follower.state
      seen = (report) => seenBy(report, viewers, catalog)
    })
  }
  const { all, people, rules } = seen(attentionReport(counts))
  const { people: showsPeople = false, rules: showsRules = false } = options
  const shown = { all, ...(showsPeople && { people }), ...(showsRules && { rules }) }
  if (options.json === true) await printJson(shown)
  else await print(attentionLines(shown))
  return exitCodes.yes
}

async function whoseKeysAreHere({ follower, folder }: Runtime): Promise<readonly string[]> {
  const keys = await listKeys(keyAccess(folder).places)
  const held = new Set(keys.map(({ publicKey }) => publicKey))
  const { principals } = follower.state.catalog
  const people = [...principals.values()].filter((one) => one.keys.some((key) => held.has(key)))
  return people.map(({ id }) => id)
}
