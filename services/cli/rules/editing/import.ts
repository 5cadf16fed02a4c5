// Brings a file into the graph or the catalog and says which revisions came of it.
import { bindSets } from '#authoring/bind-sets'
import type { Operations } from '#authoring/change-check'
import { refuseMoved, type ChangeKind } from '#authoring/moved'
import type { Runtime } from '#runtime/engine/runtime'
import type { EditOptions } from './edit-options.ts'
import { exitCodes } from '#schemas/faults/exit'
import { withProgress } from '#cli/terminal/progress'
import { print, printJson } from '#cli/terminal/terminal'
import { dryRunLines } from './flips-text.ts'
import { importLines, tallied, toSignLines, type ImportReport } from './import-text.ts'
import type { Line } from '#cli/terminal/line'
import { authorFor, refuseWithoutCatalog } from './edit.ts'
import { inInput, inputName } from '#cli/terminal/opening/input'
import { withRuntime } from '#cli/terminal/opening/opened'
import { previewSets } from './preview-change.ts'
import { demandAgreement } from '#cli/terminal/signing'
import { warningLines, warningsOf } from './warnings.ts'

export interface ImportCommandOptions extends EditOptions {
  /** Whether what the file lacks is taken away. */
  readonly exact?: boolean
}

interface Planned<Each extends Operations> extends Pick<ImportReport, 'leftAlone'> {
  readonly sets: readonly Each[]
}

interface Importing<Each extends Operations> {
  readonly kind: ChangeKind
  /** `by` is who will sign; null for a dry run. A fault of it names the file. */
  readonly plan: (runtime: Runtime, by: string | null) => Planned<Each> | Promise<Planned<Each>>
  /** What a dry run shows of the change sets. */
  readonly shown: (sets: readonly Each[]) => readonly Line[]
}

/** One file, as many change sets as it takes. */
export function importFile<Each extends Operations>(
  file: string,
  options: ImportCommandOptions,
  { kind, plan, shown }: Importing<Each>,
): Promise<number> {
  const { base, dryRun = false } = options
  return withRuntime(options, { reads: dryRun }, async (runtime) => {
    refuseWithoutCatalog(runtime)
    if (base !== undefined) await refuseMoved(runtime, kind, base)
    const author = dryRun ? null : await authorFor(runtime, options)
    const by = author?.id ?? null
    const { sets, leftAlone } = await inInput(file, () => plan(runtime, by))
    const warnings = warningsOf(runtime.follower.state, sets)
    if (author !== null) {
      const lines = [...toSignLines(inputName(file), sets), ...warningLines(warnings)]
      await demandAgreement(options, { lines, as: author.id })
    }
    const done =
      author === null
        ? null
        : await withProgress((onProgress) => {
            return bindSets(runtime, sets, { ...options, author, onProgress })
          })
    const preview = dryRun ? await previewSets(runtime, sets, options.last) : null
    const report = {
      kind,
      dryRun,
      by,
      revisions: done?.revisions ?? [],
      operations: tallied(sets),
      sets: sets.length,
      leftAlone,
      moved: done?.moved ?? [],
    }
    if (options.json === true)
      await printJson({
        ...report,
        ...((kind === 'catalog' || warnings.length > 0) && { warnings }),
        preview,
      })
    else {
      const tried = dryRun ? [...shown(sets), ...dryRunLines(preview)] : []
      const lines = [...importLines(report, inputName(file)), ...warningLines(warnings)]
      await print([...lines, ...tried])
    }
    return exitCodes.yes
  })
}
