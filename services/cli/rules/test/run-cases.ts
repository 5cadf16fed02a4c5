// Runs all cases of a seed folder once: tries each case, and notes what differs.
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { emptyGraph } from '#knowledge/graph/revision'
import { seedFileNames } from '#authoring/seed-files'
import { readCallbackFile, withCallbacks } from '#cli/offline/callback-file'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import type { CameTo } from '#replay/what-if/came-to'
import type { TestCase } from './case-format.ts'
import { caseFilesIn, readCases } from './case-files.ts'
import { differencesOf } from './check-case.ts'
import { coverageOf, type CoveredRule } from './coverage.ts'
import { neverDifferences } from './nevers.ts'
import { tryCase, type CaseBase } from './try-case.ts'

export interface TriedCase {
  readonly file: string
  readonly name: string
  /** Of a property: that of a call that breaks it; null where none is known. */
  readonly came: CameTo | null
  /** What was not as expected, one line for each thing. */
  readonly differences: readonly string[]
  readonly ms: number
}

export interface CasesReport {
  readonly tried: readonly TriedCase[]
  readonly rules: readonly CoveredRule[]
}

/** A Thursday, at noon in UTC: a case that says no time is the same on every day. */
const nowDefault = Date.UTC(2026, 0, 1, 12)

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
  const module = isThere(callbackFile) ? await readCallbackFile(callbackFile) : null
  const { stages } = await import('#workers/stages')
  const coverage = coverageOf({ catalog, graph })
  return withCallbacks(module, async (opened) => {
    const base: CaseBase = { catalog, graph, opened, stages, now: nowDefault }
    const tried: TriedCase[] = []
    for (const { file, of } of cases) {
      const began = performance.now()
      const { came, differences } =
        'never' in of ? await neverDifferences(of, base) : await expected(of, base)
      if (!('never' in of) && came !== null) coverage.add(of, came)
      tried.push({ file, name: of.name, came, differences, ms: performance.now() - began })
    }
    return { tried, rules: [...coverage.rules.values()] }
  })
}

async function expected(
  of: TestCase,
  base: CaseBase,
): Promise<Pick<TriedCase, 'differences'> & { readonly came: CameTo }> {
  const came = await tryCase(of, base)
  return { came, differences: differencesOf(came, of.expect) }
}

function isThere(path: string | undefined): path is string {
  return path !== undefined && existsSync(path)
}
