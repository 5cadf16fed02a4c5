// Runs all cases of a seed folder once.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { seedFileNames } from '#authoring/seed-files'
import { triedCases, type CasesReport } from '#cases/tried-cases'
import { readCallbackFile, withCallbacks } from '#cli/offline/callback-file'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { caseFilesIn, readCases } from './case-files.ts'
import { neverTried as never } from './nevers.ts'

/** Throws a Fault where a file cannot be read: then no case is tried. */
export async function runCases(folder: string, named: readonly string[]): Promise<CasesReport> {
  const cases = await readCases(await caseFilesIn(folder, named))
  const [graphFile, catalogFile, callbackFile] = [
    seedFileNames.graph,
    seedFileNames.catalog,
    seedFileNames.callbacks,
  ].map((name) => join(folder, name))
  const graph = isThere(graphFile) ? await readGraph(graphFile) : emptyGraph
  const catalog = await readCatalog(isThere(catalogFile) ? catalogFile : undefined)
  const written = isThere(callbackFile) ? await readCallbackFile(callbackFile) : null
  return withCallbacks(written, ({ callbacks, module }) => {
    const elapsed = (): number => performance.now()
    return triedCases(cases, { catalog, graph, callbacks, module, elapsed, never })
  })
}

function isThere(path: string | undefined): path is string {
  return path !== undefined && existsSync(path)
}
