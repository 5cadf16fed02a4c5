// Verifies work under its contract: copies it, and puts the copy through the gates in their order.
// What a worker wrote is never run but by the gates that the contract asks for.
import { join } from 'node:path'
import { withFolder, gatePrograms, type GatePrograms } from './run/gate-programs.ts'
import { filesGate, demandedFiles } from '#work/verification/files-gate'
import { gateNames, gateResult, type GateResult, type GateName } from '#work/verification/gates'
import { verifiedWork, type VerifiedWork } from '#work/verification/result'
import { snapshotDigest, type WorkSnapshot } from '#work/verification/snapshot'
import { workIn } from './work-in.ts'
import type { Looking, WorkToVerify } from './work-to-verify.ts'
import { parsedFiles } from './run/syntax-parsers.ts'
import { lintGate, linters, testsGate } from '#work/verification/program-gates'
import { isSteering } from '#work/verification/steering'
import { syntaxGate } from '#work/verification/syntax-gate'
import { isolationParts } from '#schemas/work/contract'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { systemClock } from '#system/clock'
import { askLinks } from './run/link-answers.ts'
import { councilRemarks, councilResult } from '#work/council'
import { councilQuestion } from '#work/verification/council-question'
import {
  blockedLinks,
  firstLinks,
  linksGate,
  linksToAsk,
  sourcesGate,
  structureGate,
  type GivenText,
} from '#work/verification/text-gates'
import type { Model } from '#ports/models'

/** Throws a `Fault` where there is no folder to be read. */
export async function verifyWork(of: WorkToVerify): Promise<VerifiedWork> {
  const { contract, digest, reported } = of
  return withFolder(async (top) => {
    const copy = join(top, 'copy')
    const snapshot = await workIn(of.place, copy)
    if (typeof snapshot === 'string') {
      const gates = [gateResult('files', 'inconclusive', { code: snapshot })]
      return verifiedWork({ contract, digest, snapshot, isolation: null, gates, reported })
    }
    if (isOther(of.expected, snapshot)) {
      const gates = [gateResult('files', 'inconclusive', { code: 'other_content' })]
      return verifiedWork({ contract, digest, snapshot, isolation: null, gates, reported })
    }
    const looking: Looking = { ...of, copy, snapshot }
    const code = codeGates(looking)
    const gates = await inOrder(looking, code)
    return verifiedWork({ contract, digest, snapshot, isolation: code.held(), gates, reported })
  })
}

function isOther(expected: WorkToVerify['expected'], snapshot: WorkSnapshot): boolean {
  return expected !== undefined && snapshotDigest(snapshot) !== expected.digest
}

/** After one that fails, all others are skipped. */
async function inOrder(looking: Looking, code: CodeGates): Promise<readonly GateResult[]> {
  const { contract, snapshot, reported } = looking
  const text = textGates(looking)
  const run: Readonly<Record<(typeof gateNames)[number], () => Promise<GateResult> | GateResult>> =
    {
      files: () => filesGate(contract, reported?.claim ?? null, snapshot),
      tests: () => code.tests(),
      lint: () => code.lint(),
      syntax: () => code.syntax(),
      structure: () => text.structure(),
      sources: () => text.sources(),
      links: () => text.links(),
      council: () => text.council(),
    }
  const gates: GateResult[] = []
  for (const name of gateNames) {
    const hasFailed = gates.some(({ outcome }) => outcome === 'fail')
    gates.push(
      hasFailed ? gateResult(name, 'skipped', { code: 'after_failure' }) : await run[name](),
    )
  }
  return gates
}

// The gates of code: tests and a linter, which run programs, and syntax, which runs none of the
// work. Programs see a copy of their own, without what would let the worker judge itself.

interface CodeGates {
  tests(): Promise<GateResult>
  lint(): Promise<GateResult>
  syntax(): Promise<GateResult>
  /** What held of the programs that were run; null for none. */
  held(): VerifiedWork['isolation']
}

function codeGates(looking: Looking): CodeGates {
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

// The gates of a text, with what they need of the world: the text itself, answers for its links,
// and the replies of a council. The world is asked only where the caller allows it.

export interface TextGates {
  structure(): Promise<GateResult>
  sources(): Promise<GateResult>
  links(): Promise<GateResult>
  council(): Promise<GateResult>
}

function textGates(looking: Looking): TextGates {
  const { contract, online, model } = looking
  return {
    structure: async () => structureGate(contract, await documentOf(looking)),
    sources: async () => {
      return sourcesGate(contract, await documentOf(looking), systemClock.now())
    },
    links: async () => {
      const links = linksToAsk(contract, await documentOf(looking))
      const isAsked = online !== null && links !== null && blockedLinks(links).length === 0
      const answers = isAsked ? await askLinks(firstLinks(links), online) : null
      return linksGate(links, answers)
    },
    async council() {
      if (contract.verificationMode !== 'council') {
        return gateResult('council', 'skipped', { code: 'not_asked' })
      }
      if (model === null) return gateResult('council', 'skipped', { code: 'no_model' })
      return councilOf(looking, model)
    },
  }
}

async function documentOf({ contract, copy, snapshot }: Looking): Promise<GivenText> {
  const { document } = contract
  if (document === undefined || !snapshot.files.has(document)) return null
  return textOf(join(copy, document))
}

async function textOf(path: string): Promise<GivenText> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch {
    return null
  }
}

const shownBytesMax = 256 * 1024

/** Reviewers see all of it or are not asked: what they do not see they cannot approve. */
async function councilOf(looking: Looking, model: Model): Promise<GateResult> {
  const { contract, copy, snapshot, reported } = looking
  const paths = [...demandedFiles(contract, reported?.claim ?? null, snapshot)]
  const { document } = contract
  if (document !== undefined && !paths.includes(document)) paths.push(document)
  const work = new Map<string, string>()
  let bytes = 0
  for (const path of paths) {
    bytes += snapshot.files.get(path)?.bytes ?? 0
    if (bytes > shownBytesMax) {
      return gateResult('council', 'inconclusive', { code: 'council_too_large' })
    }
    const text = await textOf(join(copy, path))
    if (text === null) return gateResult('council', 'inconclusive', { code: 'no_document' })
    work.set(path, text)
  }
  if (work.size === 0) return gateResult('council', 'inconclusive', { code: 'no_files' })
  const nonce = randomUUID()
  const question = councilQuestion({ contract, work, nonce, fence: `=== ${randomUUID()}` })
  const replies: unknown[] = []
  for (let seat = 0; seat < contract.councilSize; seat += 1) {
    const answer = await model.ask(question)
    replies.push('answer' in answer ? JSON.stringify(answer.answer) : undefined)
  }
  if (replies.every((reply) => reply === undefined)) {
    return gateResult('council', 'error', { code: 'model_failed', evidence: { model: model.name } })
  }
  const council = { seats: contract.councilSize, replies, nonce }
  const { passed, approvals, seats, votes } = councilResult(council)
  const remarks = councilRemarks(council).map((one) => ({ ...one }))
  const evidence = { model: model.name, approvals, seats, votes, remarks }
  if (passed) return gateResult('council', 'pass', { evidence })
  return gateResult('council', 'fail', { code: 'not_passed', evidence })
}
