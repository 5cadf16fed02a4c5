// The gates of code: tests and a linter, which run programs, and syntax, which runs none of the
// work. Programs see a copy of their own, without what would let the worker judge itself.
import { gatePrograms, type GatePrograms } from './run/gate-programs.ts'
import { parsedFiles } from './run/syntax-parsers.ts'
import { demandedFiles } from '#work/verification/files-gate'
import { gateResult, type GateName, type GateResult } from '#work/verification/gates'
import { lintGate, linters, testsGate } from '#work/verification/program-gates'
import type { VerifiedWork } from '#work/verification/result'
import { isSteering } from '#work/verification/steering'
import { syntaxGate } from '#work/verification/syntax-gate'
import { isolationParts } from '#schemas/work/contract'
import type { Looking } from './work-to-verify.ts'

export interface CodeGates {
  tests(): Promise<GateResult>
  lint(): Promise<GateResult>
  syntax(): Promise<GateResult>
  /** What held of the programs that were run; null for none. */
  held(): VerifiedWork['isolation']
}

export function codeGates(looking: Looking): CodeGates {
  const { contract, snapshot, copy, readable, reported } = looking
  const { runTests, testFiles, testsPrint, runLint, lintPaths, limits, timeoutSeconds } = contract
  let programs: Promise<GatePrograms> | null = null
  let held: VerifiedWork['isolation'] = null
  const started = async (gate: GateName): Promise<GatePrograms | GateResult> => {
    programs ??= programsFor(looking)
    const { isolation } = await programs
    const lacking = demandedOf(looking, isolation.kind).filter(
      (part) => !isolation.held.includes(part),
    )
    if (lacking.length > 0) {
      const evidence = { lacking }
      return gateResult(gate, 'inconclusive', { code: 'isolation_missing', evidence })
    }
    held = isolation
    return programs
  }
  const common = { folder: copy, limits, timeoutSeconds }
  return {
    held: () => held,
    async tests() {
      if (runTests === undefined) return gateResult('tests', 'skipped', { code: 'not_asked' })
      const ready = await started('tests')
      if (!('run' in ready)) return ready
      const overlay = new Map(testFiles.map(({ path, content }) => [path, content]))
      const all = [...snapshot.files.keys()]
      const takenOut = all.filter((path) => {
        const isOwn = overlay.has(path) || !isSteering(path, contract.allowConfigs)
        return !isOwn || isInTheWay(path, overlay)
      })
      const gone = new Set(takenOut)
      const paths = all.filter((path) => !gone.has(path))
      const run = await ready.run({ ...common, command: runTests, paths, overlay })
      const replaced = [...overlay.keys()].filter((path) => snapshot.files.has(path))
      const more = { takenOut: takenOut.slice(0, shownMax), replaced: replaced.slice(0, shownMax) }
      return testsGate({ command: runTests, mustPrint: testsPrint, run, more })
    },
    async lint() {
      if (runLint === false) return gateResult('lint', 'skipped', { code: 'not_asked' })
      const ready = await started('lint')
      if (!('run' in ready)) return ready
      const asked = runLint === true ? linters : [runLint]
      for (const [index, words] of asked.entries()) {
        const command = runLint === true ? [...words, ...lintPaths] : words
        const paths = [...snapshot.files.keys()]
        const run = await ready.run({ ...common, command, paths, overlay: new Map() })
        if (!run.isMissing || index === asked.length - 1) return lintOf(command, run, runLint)
      }
      return gateResult('lint', 'inconclusive', { code: 'no_tool' })
    },
    async syntax() {
      if (!contract.checkSyntax) return gateResult('syntax', 'skipped', { code: 'not_asked' })
      const paths = demandedFiles(contract, reported?.claim ?? null, snapshot)
      return syntaxGate(await parsedFiles({ folder: copy, paths, timeoutSeconds, readable }))
    },
  }
}

const shownMax = 100

/** A file where a folder of the issuer goes, or in a folder where a file of the issuer goes. */
function isInTheWay(path: string, overlay: ReadonlyMap<string, string>): boolean {
  return [...overlay.keys()].some((one) => {
    return one.startsWith(`${path}/`) || path.startsWith(`${one}/`)
  })
}

function lintOf(
  command: readonly string[],
  run: Parameters<typeof lintGate>[1],
  runLint: true | readonly string[],
): GateResult {
  // None of those that are known is here, which proves nothing about the work.
  const isToolless = runLint === true && run.isMissing
  return isToolless
    ? gateResult('lint', 'inconclusive', { code: 'no_tool' })
    : lintGate(command, run)
}

async function programsFor({ acceptsProcess, readable }: Looking): Promise<GatePrograms> {
  const programs = await gatePrograms(readable)
  return programs.isolation.kind === 'process' && !acceptsProcess
    ? { ...programs, isolation: { kind: 'process', held: [] } }
    : programs
}

/** All of it, unless the operator accepts a process: then what the contract demands. */
function demandedOf(
  { contract, acceptsProcess }: Looking,
  kind: 'namespaces' | 'process',
): readonly (typeof isolationParts)[number][] {
  const isAll = contract.highStakes || (kind === 'process' && !acceptsProcess)
  return isAll ? isolationParts : contract.isolation
}
