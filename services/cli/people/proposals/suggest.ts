// Asks a model about one question now, whatever was asked of it before, and shows the answer.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import { suggestNow } from '#runtime/learning/suggest'
import { suggestionFaultText } from '#present/candidate'
import { candidateLines } from '#present/proposal'
import { usage } from '#cli/terminal/failure'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { hintsFor } from '#cli/terminal/hint'
import { shortProposal } from '#operations/proposals/proposals'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { withRuntime } from '#cli/terminal/opening/opened'
import { modelOf, type ModelOptions } from '#cli/terminal/opening/model'
import { noProposal, pickProposal } from '#operations/proposals/named'

interface SuggestOptions extends GlobalOptions, ModelOptions {}

export async function suggestFor(meant: string, options: SuggestOptions): Promise<number> {
  const model = await modelOf(options, configuration())
  if (model === null) throw usage('name a model: --model NAME, or WARRANT_MODEL')
  return withRuntime(options, {}, async (runtime) => {
    const { open } = runtime.follower.state.learning
    const id = pickProposal(meant, runtime.place, open.keys())
    if (id === null) throw noProposal(meant)
    const interrupt = onInterrupt()
    try {
      const suggestion = await suggestNow(runtime, model, id, interrupt.signal)
      if (suggestion === null) {
        throw new Fault('no_suggestion', `\`${id}\` takes no more suggestions`)
      }
      const { said, fact } = suggestion
      if (options.json === true) await printJson({ ...said, proposal: id, name: fact.name })
      else if ('failed' in said) {
        await print([`${said.by} had no usable answer: ${suggestionFaultText(said.failed)}`])
      } else {
        const hint = hintsFor(options, configuration())(`proposals show ${shortProposal(id)}`)
        const lines = candidateLines(said.candidate).map((line) => `  ${line}`)
        await print([`${said.by} proposes`, ...lines, '', hint])
      }
      return 'failed' in said ? exitCodes.noVerdict : exitCodes.yes
    } finally {
      interrupt.release()
    }
  })
}
