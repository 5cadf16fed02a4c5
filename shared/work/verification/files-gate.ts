// The first gate: what the contract demands and what the worker claims to have written is there, as
// regular files that are not empty.
import { short } from '#record/quote'
import type { TaskClaim, TaskContract } from '#schemas/work/contract'
import { pathProblem } from '#schemas/work/contract'
import { gateResult, type GateFinding, type GateResult } from './gates.ts'
import { coversPath, isPathPattern } from './path-pattern.ts'
import type { WorkSnapshot } from './snapshot.ts'

/** Null is no claim, or one that could not be read. */
export function filesGate(
  contract: TaskContract,
  claim: TaskClaim | null,
  snapshot: WorkSnapshot,
): GateResult {
  const claimed = claim?.status === 'success' ? claim.filesCreated : []
  if (contract.requiredFiles.length === 0 && claimed.length === 0) {
    return gateResult('files', 'skipped', { code: 'not_asked' })
  }
  const findings = [
    ...contract.requiredFiles.flatMap((path) => demandFindings(path, contract, snapshot)),
    ...claimed.flatMap((path) => claimFindings(path, contract, snapshot)),
  ]
  const files = [...demandedFiles(contract, claim, snapshot)].map((path) => {
    const { bytes = 0, digest = '' } = snapshot.files.get(path) ?? {}
    return { path, bytes, digest }
  })
  const evidence = { files: files.slice(0, filesShownMax), filesFound: files.length }
  return gateResult('files', findings.length > 0 ? 'fail' : 'pass', { findings, evidence })
}

const filesShownMax = 200
const aboutMax = 200

/** The files of the snapshot that the contract demands, or the worker claims. */
export function demandedFiles(
  { requiredFiles }: TaskContract,
  claim: TaskClaim | null,
  { files }: WorkSnapshot,
): ReadonlySet<string> {
  const claimed = (claim?.filesCreated ?? []).filter((path) => files.has(path))
  return new Set([...requiredFiles.flatMap((path) => matching(path, files)), ...claimed])
}

function matching(path: string, files: WorkSnapshot['files']): readonly string[] {
  // A file may be called like a pattern.
  if (files.has(path)) return [path]
  if (!isPathPattern(path)) return []
  return [...files.keys()].filter((one) => coversPath(path, one))
}

/** A pattern holds if one file that it covers is large enough, and none is empty. */
function demandFindings(
  path: string,
  { minFileSize }: TaskContract,
  { files, leftOut }: WorkSnapshot,
): readonly GateFinding[] {
  const found = matching(path, files)
  if (found.length === 0) {
    const why = leftOut.find((one) => one.path === path || coversPath(path, one.path))?.why
    return [finding(why ?? 'missing', path)]
  }
  return found.flatMap((one) => sizeFindings(one, files.get(one)?.bytes ?? 0, minFileSize))
}

function sizeFindings(path: string, bytes: number, min: number): readonly GateFinding[] {
  if (bytes === 0) return [finding('empty', path)]
  return bytes < min ? [finding('too_small', path)] : []
}

/** From the worker: may be any text. */
function claimFindings(
  path: string,
  { minFileSize }: TaskContract,
  { files, leftOut }: WorkSnapshot,
): readonly GateFinding[] {
  if (pathProblem(path) !== null) return [finding('claimed_outside', path)]
  const file = files.get(path)
  if (file !== undefined) return sizeFindings(path, file.bytes, minFileSize)
  return [finding(leftOut.find((one) => one.path === path)?.why ?? 'claimed_missing', path)]
}

function finding(code: string, path: string): GateFinding {
  return { code, about: short(path, aboutMax) }
}
