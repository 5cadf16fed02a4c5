// Runs the programs of gates: on a copy of the work, confined as far as this machine allows, and
// stopped when their time or their output is used up. It must never leave one of them running.
import { createHash } from 'node:crypto'
import { chown, copyFile, link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { plainEnvironment, startProgram, type RunningProgram } from '#adapters/system/processes'
import { ToolFailure } from '#core/drivers/tool-failure'
import { isolationParts, type IsolationPart, type TaskContract } from '#schemas/work/contract'
import type { GateRun, OutputTail } from '#core/work/verification/program-gates'
import { confinedCommand, limitedCommand, processLimits, unprivilegedId } from './confinement.ts'

/** What holds of every program of a gate. */
export interface Isolation {
  readonly kind: 'namespaces' | 'process'
  readonly held: readonly IsolationPart[]
}

export interface GateProgram {
  readonly command: readonly string[]
  /** The copied work. */
  readonly folder: string
  readonly paths: Iterable<string>
  /** Files of the issuer, by their paths. */
  readonly overlay: ReadonlyMap<string, string>
  readonly limits: TaskContract['limits']
  readonly timeoutSeconds: number
}

export interface GatePrograms {
  readonly isolation: Isolation
  run(program: GateProgram): Promise<GateRun>
}

const isLinux = platform() === 'linux'
const isRoot = isLinux && process.getuid?.() === 0

/** Folders that only their owner reads, and that go with what is in them. */
export async function withFolder<T>(use: (top: string) => Promise<T>): Promise<T> {
  const top = await mkdtemp(join(tmpdir(), 'warrant-work-'))
  try {
    return await use(top)
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

/** What this machine can hold, by trying it. `readable`: further folders that programs may read. */
export async function gatePrograms(
  readable: readonly string[],
  allowed: 'namespaces' | 'process' = 'namespaces',
): Promise<GatePrograms> {
  const held = allowed === 'namespaces' && isLinux ? await heldInNamespaces() : []
  const isWhole = isolationParts.every((part) => held.includes(part))
  const isolation: Isolation = isWhole
    ? { kind: 'namespaces', held }
    : { kind: 'process', held: (await hasLimits()) ? ['limits'] : [] }
  return { isolation, run: (program) => runProgram(program, isolation, readable) }
}

const probeLimits = { memoryMb: 512, fileMb: 8, processes: 37, timeoutSeconds: 10 }
const probeMs = 10_000

/** Each line is a part that was seen to hold from inside. */
const probe = `
read -r inside outside count < /proc/self/uid_map
[ "$count" = 1 ] && grep -q 'CapEff:.0000000000000000' /proc/self/status && echo user
[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 8 ] && echo pid
[ "$(tail -n +3 /proc/net/dev | grep -vc ' lo:')" = 0 ] && echo network
[ ! -e /root ] && [ ! -e /home ] && ! (: > /usr/.warrant) 2>/dev/null && echo root
grep -q 'Max processes *37 ' /proc/self/limits && echo limits
exit 0
`

async function heldInNamespaces(): Promise<readonly IsolationPart[]> {
  return withFolder(async (top) => {
    if (!(await givenAway(top))) return []
    const command = confinedCommand(
      {
        top,
        diskMb: 8,
        limits: processLimits(probeLimits, true),
        readable: [],
        command: ['sh', '-c', probe],
      },
      isRoot,
    )
    const ran = await collected(command, {
      cwd: top,
      ms: probeMs,
      bytesMax: 65_536,
      readable: [],
      isPrefaced: true,
    })
    const seen = ran.isReady && ran.exit === 0 ? ran.stdout.text.split('\n') : []
    return isolationParts.filter((part) => seen.includes(part))
  })
}

async function hasLimits(): Promise<boolean> {
  if (!isLinux) return false
  const command = limitedCommand(processLimits(probeLimits, false), ['true'])
  const options = { cwd: tmpdir(), ms: probeMs, bytesMax: 65_536, readable: [], isPrefaced: false }
  return (await collected(command, options)).exit === 0
}

async function prepared(top: string): Promise<void> {
  await mkdir(join(top, 'work'), { recursive: true })
  await mkdir(join(top, 'root'))
}

/** Whether the folder, prepared, is that of the user who programs run as. */
async function givenAway(top: string): Promise<boolean> {
  await prepared(top)
  if (!isRoot) return true
  try {
    for (const folder of [top, join(top, 'root')]) {
      await chown(folder, unprivilegedId, unprivilegedId)
    }
    return true
  } catch {
    // The root of a container that has no other users.
    return false
  }
}

async function runProgram(
  program: GateProgram,
  { kind, held }: Isolation,
  readable: readonly string[],
): Promise<GateRun> {
  const isApart = kind === 'namespaces'
  const { limits, timeoutSeconds, command } = program
  return withFolder(async (top) => {
    if (!isApart) await prepared(top)
    else if (!(await givenAway(top))) return notRun
    const cwd = join(top, 'work')
    await laidOut(program, cwd, isApart)
    const set = processLimits({ ...limits, timeoutSeconds }, isApart)
    const { diskMb } = limits
    const whole = isApart
      ? confinedCommand({ top, diskMb, limits: set, readable, command }, isRoot)
      : limitedCommand(held.includes('limits') ? set : [], command)
    const ran = await collected(whole, {
      cwd: isApart ? top : cwd,
      ms: timeoutSeconds * 1_000,
      bytesMax: limits.outputMb * 1_048_576,
      readable,
      home: isApart ? '/tmp' : top,
      isPrefaced: isApart,
    })
    return isApart ? ran : { ...ran, isReady: ran.isStarted }
  })
}

/** Where nothing can write to it, a link will do for a copy. */
async function laidOut(
  { folder, paths, overlay }: GateProgram,
  to: string,
  mayLink: boolean,
): Promise<void> {
  const made = new Set<string>()
  const folderOf = async (path: string): Promise<string> => {
    const whole = join(to, path)
    const parent = dirname(whole)
    if (!made.has(parent)) await mkdir(parent, { recursive: true })
    made.add(parent)
    return whole
  }
  for (const path of paths) {
    if (overlay.has(path)) continue
    const target = await folderOf(path)
    await (mayLink ? link(join(folder, path), target) : copyFile(join(folder, path), target))
  }
  for (const [path, content] of overlay) await writeFile(await folderOf(path), content)
}

interface Collecting {
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

async function collected(
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
const notRun: GateRun = {
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
