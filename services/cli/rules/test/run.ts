// Runs the test cases of a seed folder and reports them, once or again on every change.
import { once as onceIn } from 'node:events'
import { watch, existsSync } from 'node:fs'
import { resolve, join } from 'node:path'
import { shareOf } from '#cases/coverage'
import { casesJson, triedCases, type CasesReport, type TriedCase } from '#cases/tried-cases'
import { Fault } from '#record/fault'
import { exitCodes } from '#schemas/faults/exit'
import { writeTexts } from '#cli/terminal/opening/file'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { note, print, printJson } from '#cli/terminal/terminal'
import { testLines } from './print.ts'
import { sarifText } from './sarif.ts'
import { seedFileNames } from '#authoring/seed-files'
import { readCallbackFile, withCallbacks } from '#cli/offline/callback-file'
import { readCatalog, readGraph } from '#cli/terminal/opening/seed-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { caseFilesIn, readCases } from './case-files.ts'
import { neverTried as never } from './nevers.ts'

// Test cases as JUnit XML, which build servers read. One suite for each file of cases.

const second = 1_000

function junitText(tried: readonly TriedCase[]): string {
  const suites = new Map<string, TriedCase[]>()
  for (const one of tried) suites.set(one.file, [...(suites.get(one.file) ?? []), one])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(tried)}>`,
    ...[...suites].flatMap(([file, cases]) => [
      `  <testsuite name=${quoted(file)} ${counts(cases)}>`,
      ...cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(tried: readonly TriedCase[]): string {
  const failures = tried.filter(({ differences }) => differences.length > 0).length
  const ms = tried.reduce((sum, one) => sum + one.ms, 0)
  return `tests="${tried.length}" failures="${failures}" errors="0" time="${seconds(ms)}"`
}

function caseLines({ file, name, differences, ms }: TriedCase): readonly string[] {
  const open = `    <testcase name=${quoted(name)} classname=${quoted(file)} time="${seconds(ms)}"`
  const [first] = differences
  if (first === undefined) return [`${open}/>`]
  const text = escaped(differences.join('\n'))
  return [
    `${open}>`,
    `      <failure message=${quoted(first)}>${text}</failure>`,
    '    </testcase>',
  ]
}

function seconds(ms: number): string {
  return (ms / second).toFixed(3)
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('\n', '&#10;')}"`
}

// XML has no control characters, not even escaped.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

function escaped(text: string): string {
  return text
    .replaceAll(forbidden, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

interface TestOptions {
  readonly cases?: readonly string[]
  readonly junit?: string
  readonly sarif?: string
  readonly watch?: boolean
  readonly verbose?: boolean
  /** In percent: less fails. */
  readonly minCoverage?: number
  readonly json?: boolean
}

export async function test(folder: string, options: TestOptions): Promise<number> {
  if (options.watch === true) return watched(folder, options)
  return once(folder, options)
}

async function once(folder: string, options: TestOptions): Promise<number> {
  const report = await runCases(folder, options.cases ?? [])
  const { junit, sarif, json = false, verbose = false } = options
  if (junit !== undefined) await writeTexts(junit, [junitText(report.tried)])
  if (sarif !== undefined) await writeTexts(sarif, [await sarifText(report.tried, process.cwd())])
  if (json) await printJson(casesJson(report))
  else await print(testLines(report, { verbose }))
  return codeOf(report, options)
}

function codeOf({ tried, rules }: CasesReport, { minCoverage = 0 }: TestOptions): number {
  const hasFailed = tried.some(({ differences }) => differences.length > 0)
  const share = shareOf(rules)
  if (share < minCoverage) note(`warrant: coverage is ${share} %, and ${minCoverage} % is demanded`)
  return hasFailed || share < minCoverage ? exitCodes.differs : exitCodes.yes
}

/** Editors write a file in several steps. */
const settleMs = 100

/** Until it is interrupted. A file that cannot be read is reported, and the next change awaited. */
async function watched(folder: string, options: TestOptions): Promise<number> {
  let isRunning = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  const rerun = async (): Promise<void> => {
    isDue = true
    if (isRunning) return
    isRunning = true
    while (isDue) {
      isDue = false
      try {
        await once(folder, options)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        note(`warrant: ${error.message}`)
      }
    }
    isRunning = false
    if (options.json !== true) await print([`watching ${folder}; end with Ctrl-C`])
  }
  // Its own reports may be written there.
  const reports = [options.junit, options.sarif].flatMap((file) =>
    file === undefined ? [] : [resolve(file)],
  )
  const watcher = watch(resolve(folder), { recursive: true }, (_, name) => {
    if (name !== null && reports.includes(resolve(folder, name))) return
    clearTimeout(timer)
    timer = setTimeout(() => void rerun(), settleMs)
  })
  const interrupt = onInterrupt()
  const { signal } = interrupt
  await rerun()
  if (!signal.aborted) await onceIn(signal, 'abort')
  interrupt.release()
  clearTimeout(timer)
  watcher.close()
  return exitCodes.yes
}

// Runs all cases of a seed folder once.

/** Throws a Fault where a file cannot be read: then no case is tried. */
async function runCases(folder: string, named: readonly string[]): Promise<CasesReport> {
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
