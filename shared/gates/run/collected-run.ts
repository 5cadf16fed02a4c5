// One run of a program of a gate: stopped when its time or its output is used up, and kept as an
// ending, digests and tails. It must never leave the program running.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { plainEnvironment, startProgram, type RunningProgram } from '#system/processes'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { GateRun, OutputTail } from '#work/verification/program-gates'

export interface Collecting {
  readonly cwd: string
  readonly ms: number
  readonly bytesMax: number
  readonly readable: readonly string[]
  readonly home?: string
  readonly isPrefaced: boolean
}

interface Collected extends GateRun {
  readonly isStarted: boolean
}

/** Starts it, and reads what it writes until it ends. */
export async function collected(
  [program = '', ...args]: readonly string[],
  collecting: Collecting,
): Promise<Collected> {
  const { cwd, readable, home = '/tmp' } = collecting
  const path = [plainEnvironment['PATH'], ...readable.map((one) => join(one, 'bin'))].join(':')
  const env = { ...plainEnvironment, PATH: path, HOME: home, TMPDIR: home }
  const start = performance.now()
  try {
    const started = await startProgram({ program, args, cwd, env })
    const read = await readOut(started, collecting)
    return { ...read, isStarted: true, ms: Math.round(performance.now() - start) }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    const isMissing = error.detail['error'] === 'ENOENT'
    return { ...notRun, isMissing, isStarted: false }
  }
}

const empty: OutputTail = { bytes: 0, digest: '', text: '' }
export const notRun: GateRun = {
  exit: null,
  signal: null,
  ended: 'itself',
  isReady: false,
  isMissing: false,
  version: null,
  stdout: empty,
  stderr: empty,
  ms: 0,
}

/** What stands before the output of a program that is set apart, on standard error. */
const preface = /^(?:version (?<version>[^\n]{0,200})\n)?(?<state>ready|missing)\n/

async function readOut(started: RunningProgram, { ms, bytesMax, isPrefaced }: Collecting) {
  let ended: GateRun['ended'] = 'itself'
  const stop = (why: GateRun['ended']): void => {
    if (ended === 'itself') ended = why
    void started.stop()
  }
  const timer = setTimeout(() => stop('timed_out'), ms)
  const tooMuch = (): void => stop('output_too_large')
  const stdout = tailOf(started.output, { bytesMax, tooMuch, isPrefaced: false })
  const stderr = tailOf(started.errors, { bytesMax, tooMuch, isPrefaced })
  started.input.end()
  const { code, signal } = await started.ended
  clearTimeout(timer)
  const { state, version = null } = preface.exec(stderr.head())?.groups ?? {}
  return {
    exit: code,
    signal,
    ended,
    isReady: state === 'ready',
    isMissing: state === 'missing',
    version,
    stdout: stdout.tail(),
    stderr: stderr.tail(),
    ms: 0,
  }
}

const headBytes = 1_024
/** More than is shown, so that what is taken out of it is whole. */
const tailBytes = 16_384

interface Tailing {
  readonly bytesMax: number
  readonly tooMuch: () => void
  readonly isPrefaced: boolean
}

function tailOf(stream: RunningProgram['output'], { bytesMax, tooMuch, isPrefaced }: Tailing) {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let isBegun = !isPrefaced
  const take = (chunk: Buffer): void => {
    const wasWithin = bytes <= bytesMax
    bytes += chunk.length
    if (!wasWithin) return
    hash.update(chunk)
    tail = Buffer.concat([tail, chunk]).subarray(-tailBytes)
    if (bytes > bytesMax) tooMuch()
  }
  stream.on('data', (chunk: Buffer) => {
    if (isBegun) {
      take(chunk)
      return
    }
    head = Buffer.concat([head, chunk])
    const before = preface.exec(head.toString('latin1'))?.[0].length
    if (before === undefined && head.length < headBytes) return
    isBegun = true
    take(head.subarray(before ?? 0))
    head = head.subarray(0, before ?? headBytes)
  })
  stream.on('end', () => {
    // It ended before the program began: what it wrote says why.
    if (!isBegun) take(head)
  })
  return {
    head: () => head.toString('utf8'),
    tail: (): OutputTail => {
      const text = tail.toString('utf8').replace(/^\uFFFD+/, '')
      return { bytes, digest: `sha256:${hash.digest('hex')}`, text }
    },
  }
}
