// Shows one proposal, and which verdicts accepting the suggestion of a model would turn.
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { askOne, linesOnScreen } from '#cli/terminal/asked/run'
import { todayLines } from '#cli/rules/editing/flips-text'
import { indentedLines, type Line } from '#cli/terminal/line'
import { withRuntime } from '#cli/terminal/opening/opened'
import { print, printJson } from '#cli/terminal/terminal'
import type { TodayReport } from '#replay/what-if/today'
import { exitCodes } from '#schemas/faults/exit'
import { previewOf } from './preview.ts'

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
    if (options.json === true) await printJson({ ...asked.answer, preview })
    else await print([...linesOnScreen(asked.shown()), ...previewLines(preview)])
    return exitCodes.yes
  })
}

export function previewLines(preview: TodayReport | null): readonly Line[] {
  if (preview === null) return []
  return ['  and then', ...indentedLines(indentedLines(todayLines(preview)))]
}
