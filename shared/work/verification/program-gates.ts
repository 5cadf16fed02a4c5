// What the run of a program says about the work: of tests, and of a linter. What cannot be run
// proves nothing, and a program that ends well without what it must print does not either.
import { redactText } from '#firewall/redact'
import { short } from '#record/quote'
import type { JsonMap } from '#record/canonical'
import { gateResult, type GateResult } from './gates.ts'

export interface OutputTail {
  readonly bytes: number
  readonly digest: string
  /** The end of it, uncut. */
  readonly text: string
}

export interface GateRun {
  readonly exit: number | null
  readonly signal: string | null
  readonly ended: 'itself' | 'timed_out' | 'output_too_large'
  /** Whether the program was reached: all that was to hold of it held. */
  readonly isReady: boolean
  readonly isMissing: boolean
  /** What the program called itself. */
  readonly version: string | null
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  readonly ms: number
}

const tailCharacters = 2_048

function evidenceOf(command: readonly string[], run: GateRun): JsonMap {
  const tail = ({ bytes, digest, text }: OutputTail): JsonMap => ({
    bytes,
    digest,
    tail: redactText(text.toWellFormed().slice(-tailCharacters).toWellFormed()),
  })
  return {
    command: command.map((word) => short(word, 200)),
    exit: run.exit,
    ...(run.signal !== null && { signal: run.signal }),
    ...(run.version !== null && { version: short(run.version, 200) }),
    ms: run.ms,
    stdout: tail(run.stdout),
    stderr: tail(run.stderr),
  }
}

/** Null where the run proves something. */
function unproven(gate: 'tests' | 'lint', run: GateRun, evidence: JsonMap): GateResult | null {
  if (run.isMissing) return gateResult(gate, 'error', { code: 'program_missing', evidence })
  if (run.isReady) return null
  const code = run.ended === 'itself' ? 'isolation_failed' : run.ended
  return gateResult(gate, 'error', { code, evidence })
}

export interface TestsRun {
  readonly command: readonly string[]
  readonly mustPrint: readonly string[]
  readonly run: GateRun
  readonly more: JsonMap
}

/** Time and output are limits of the contract: what takes more of them fails. */
export function testsGate({ command, mustPrint, run, more }: TestsRun): GateResult {
  const evidence = { ...evidenceOf(command, run), ...more }
  const nothing = unproven('tests', run, evidence)
  if (nothing !== null) return nothing
  if (run.ended !== 'itself') return gateResult('tests', 'fail', { code: run.ended, evidence })
  if (run.exit === null) return gateResult('tests', 'fail', { code: 'killed', evidence })
  if (run.exit !== 0) return gateResult('tests', 'fail', { code: 'exit_code', evidence })
  const lacking = mustPrint.filter((text) => {
    return !run.stdout.text.includes(text) && !run.stderr.text.includes(text)
  })
  const findings = lacking.map((text) => ({ code: 'not_printed', about: short(text, 200) }))
  if (findings.length === 0) return gateResult('tests', 'pass', { evidence })
  return gateResult('tests', 'fail', { code: 'not_printed', findings, evidence })
}

/** Linters end with 1 where they found something, and with another code where they broke. */
export function lintGate(command: readonly string[], run: GateRun): GateResult {
  const evidence = evidenceOf(command, run)
  const nothing = unproven('lint', run, evidence)
  if (nothing !== null) return nothing
  if (run.ended !== 'itself')
    return gateResult('lint', 'inconclusive', { code: run.ended, evidence })
  if (run.exit === 0) return gateResult('lint', 'pass', { evidence })
  if (run.exit === 1) return gateResult('lint', 'fail', { code: 'exit_code', evidence })
  return gateResult('lint', 'error', { code: run.exit === null ? 'killed' : 'exit_code', evidence })
}

/** Linters that are known, in the order in which they are looked for, and how they are asked. */
export const linters: readonly (readonly string[])[] = [
  ['ruff', 'check', '--isolated', '--no-cache', '--ignore-noqa', '--'],
  ['flake8', '--isolated', '--disable-noqa', '--select=E9,F', '--'],
  ['pylint', '--rcfile=/dev/null', '--disable=all', '--enable=E,F', '--'],
]
