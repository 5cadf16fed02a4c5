// `verify-work`: a folder or a commit of work under its contract, for people or as a line of JSON.
import { realpath } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import { isObjectName } from '#gates/run/git-tree'
import { Fault } from '#record/fault'
import { readClaim, readContract } from '#work/verification/contract-reading'
import type { GateOutcome } from '#work/verification/gates'
import type { WorkReport, VerifiedWork } from '#work/verification/result'
import { findingText, gateRow, isolationText, tailOfGate } from '#present/work/gate-text'
import { remarksOfGate, votesText, workHead, workText } from '#present/work/gate-text'
import { configuration } from '#wiring/config'
import { verifyWork } from '#gates/verify-work'
import type { WorkPlace } from '#gates/work-in'
import { exitCodes } from '#schemas/faults/exit'
import type { TaskContract } from '#schemas/work/contract'
import { usage } from '#cli/terminal/failure'
import { jsonIn, nameOfFile, readingOf } from './json-file.ts'
import { indentedLines, toned, type Line, type Tone } from '#cli/terminal/line'
import { tableBlocks } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'
import { modelOf, type ModelOptions } from '#cli/terminal/opening/model'

export interface VerifyWorkOptions extends ModelOptions {
  readonly claim?: string
  readonly status?: string
  readonly retries: number
  readonly readable?: readonly string[]
  readonly acceptProcess?: boolean
  readonly online?: boolean
  /** Then the folder is a repository. */
  readonly commit?: string
  readonly json?: boolean
}

interface Places {
  readonly contract: string
  readonly folder: string
}

const exits: Readonly<Record<VerifiedWork['verification'], number>> = {
  verified: exitCodes.yes,
  refuted: exitCodes.denied,
  unverified: exitCodes.unchecked,
}

/** The exit code. */
export async function verifyWorkCommand(
  { contract: file, folder }: Places,
  options: VerifyWorkOptions,
): Promise<number> {
  const place = placeOf(folder, options)
  const read = await contractIn(file)
  const reported = await reportOf(options, read.contract)
  const verified = await verifyWork({
    ...read,
    place,
    reported,
    readable: await foldersOf(options.readable ?? []),
    acceptsProcess: options.acceptProcess === true,
    online: options.online === true ? {} : null,
    model: await modelOf(options, configuration()),
  })
  if (options.json === true) await printJson(verified)
  else await print(linesOf(verified))
  return exits[verified.verification]
}

function placeOf(folder: string, { commit }: VerifyWorkOptions): WorkPlace {
  if (commit === undefined) return { folder }
  if (isObjectName(commit)) return { repository: folder, commit }
  throw usage('--commit is the whole name of a commit: 40 or 64 digits of 0-9a-f')
}

async function contractIn(file: string) {
  const value = await jsonIn(file)
  try {
    return readContract(value)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, `${nameOfFile(file)}: ${cause.message}`, { cause })
  }
}

async function reportOf(
  { claim, status, retries }: VerifyWorkOptions,
  contract: TaskContract,
): Promise<WorkReport | null> {
  if (claim !== undefined && status !== undefined) throw usage('give either --claim or --status')
  if (retries >= contract.maxRetries) {
    throw usage(`the contract allows ${contract.maxRetries} attempts: --retries is less than that`)
  }
  if (status !== undefined) {
    const given = readClaim({ status }, contract)
    if (given === null) throw usage('--status is success, blocked or failed')
    return { claim: given, retries }
  }
  if (claim === undefined) return null
  const reading = await readingOf(claim)
  return { claim: reading.ok ? readClaim(reading.value, contract) : null, retries }
}

async function foldersOf(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return await realpath(path)
      } catch (cause) {
        const why = fileProblem(cause, 'it cannot be read')
        throw new Fault('input_unreadable', `--readable \`${path}\`: ${why}`, { cause })
      }
    }),
  )
}

const tones: Readonly<Record<GateOutcome, Tone>> = {
  pass: 'good',
  fail: 'bad',
  skipped: 'dim',
  inconclusive: 'warn',
  error: 'warn',
}

const verdictTones = { verified: 'good', refuted: 'bad', unverified: 'warn' } as const

function linesOf(verified: VerifiedWork): readonly Line[] {
  const { gates, score, rule } = verified
  const { top, blocks } = tableBlocks(['gate', 'outcome', ''], gates.map(gateRow))
  const rows = blocks.flatMap((lines, index) => {
    return lines.map((line) => toned(tones[gates[index]?.outcome ?? 'skipped'], line))
  })
  const held = isolationText(verified)
  return [
    toned(verdictTones[verified.verification], workHead(verified)),
    workText(verified),
    '',
    ...top,
    ...rows,
    ...gates.flatMap(detailsOf),
    ...(held === null ? [] : ['', held]),
    ...(score === undefined ? [] : ['', `score ${score} (${rule})`]),
  ]
}

function detailsOf(gate: VerifiedWork['gates'][number]): readonly Line[] {
  const found = gate.findings.map((one) => toned('bad', findingText(one)))
  const warned = gate.warnings.map((one) => toned('warn', findingText(one)))
  const tail = gate.outcome === 'fail' || gate.outcome === 'error' ? tailOfGate(gate) : []
  const votes = votesText(gate)
  const stated = [...(votes === null ? [] : [votes]), ...remarksOfGate(gate)]
  const lines = [...found, ...warned, ...stated, ...tail]
  return lines.length === 0 ? [] : ['', `${gate.gate}:`, ...indentedLines(lines)]
}
