// Shows one proposal, and which verdicts accepting the suggestion of a model would turn.
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { askOne, linesOnScreen } from '#cli/terminal/asked/run'
import { todayLines } from '#cli/rules/editing/flips-text'
import { indentedLines, type Line } from '#cli/terminal/line'
import { withRuntime } from '#cli/terminal/opening/opened'
import { print, printJson } from '#cli/terminal/terminal'
import type { TodayReport } from '#replay/what-if/today'
import { exitCodes } from '#schemas/faults/exit'
import { letThroughJson } from '#cli/rules/editing/newly-let'
import { indentedLetting, lettingBy, previewOf } from './preview.ts'

export interface PreviewOptions {
  /** How many verdicts are derived again; 0 for none. */
  readonly last: number
}

export async function showPreviewed(
  meant: string,
  options: GlobalOptions & PreviewOptions,
): Promise<number> {
  return withRuntime(options, { reads: true }, async (runtime) => {
    const asked = await askOne('proposal', { proposal: meant }, { runtime, cell: null })
    const { proposal, operations } = asked.answer
    const candidate = operations === null ? null : (proposal.suggestions.at(-1)?.candidate ?? null)
    const { last } = options
    const preview = await previewOf(runtime, { candidate, last, ...proposal })
    const letting = await lettingBy(runtime, last === 0 ? null : candidate)
    const newly = letThroughJson(letting?.letThrough ?? null)
    const lines = [...previewLines(preview), ...indentedLetting(letting)]
    if (options.json !== true) await print([...linesOnScreen(asked.shown()), ...lines])
    else {
      const notKept = letting?.notKept ?? []
      await printJson({ ...asked.answer, preview, letThrough: newly, notKept })
    }
    return exitCodes.yes
  })
}

export function previewLines(preview: TodayReport | null): readonly Line[] {
  if (preview === null) return []
  return ['  and then', ...indentedLines(indentedLines(todayLines(preview)))]
}
