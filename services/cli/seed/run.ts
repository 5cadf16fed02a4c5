// Seeds a folder and says which revisions came of it.
import { seedFolder } from '#runtime/authoring/seed'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { seedLines } from './print.ts'
import { toSignLines } from '../editing/import-text.ts'
import { withRuntime } from '../opening/opened.ts'
import { demandAgreement, keyAccess, keyNamed } from '../editing/signing.ts'

export interface SeedOptions extends GlobalOptions, SignerOptions {
  readonly dryRun?: boolean
}

export async function seed(folder: string, options: SeedOptions): Promise<number> {
  const { as, dryRun } = options
  const key = keyNamed(options)
  const create = dryRun === true ? 'in_memory' : 'in_file'
  return withRuntime(options, { create, reads: options.dryRun === true }, async (runtime) => {
    const { state } = runtime.follower
    const isBegun = state.log !== null
    const report = await seedFolder(runtime, folder, {
      ...(as !== undefined && { as }),
      ...(key !== undefined && { key }),
      keys: keyAccess(runtime.folder),
      beforeSigning: ({ author, sets }) => {
        return demandAgreement(options, { lines: toSignLines(folder, sets), as: author })
      },
      ...(dryRun !== undefined && { dryRun }),
    })
    const { graphRevision, catalogRevision, log, root } = state
    const revisions = { graph: graphRevision, catalog: catalogRevision }
    const begins = isBegun || log === null ? null : { log, root }
    if (options.json === true) await printJson({ ...report, revisions, log, root })
    else await print(seedLines(report, { folder, revisions, begins }))
    return exitCodes.yes
  })
}
