// Runs the programs of gates: on a copy of the work, confined as far as this machine allows. What a
// machine does not hold is found by trying it, and never assumed.
import { chmod, chown, copyFile, link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isolationParts, type IsolationPart, type TaskContract } from '#schemas/work/contract'
import type { GateRun } from '#work/verification/program-gates'
import { collected, notRun } from './collected-run.ts'
import { hardLimits } from './hard-limits.ts'
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

function isRoot(): boolean {
  return isLinux && process.getuid?.() === 0
}

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
        limits: processLimits(probeLimits, { isApart: true, hard: await hardLimits() }),
        readable: [],
        command: ['sh', '-c', probe],
      },
      isRoot(),
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
  const limits = processLimits(probeLimits, { isApart: false, hard: await hardLimits() })
  const command = limitedCommand(limits, ['true'])
  const options = { cwd: tmpdir(), ms: probeMs, bytesMax: 65_536, readable: [], isPrefaced: false }
  return (await collected(command, options)).exit === 0
}

async function prepared(top: string): Promise<void> {
  for (const folder of ['work', 'root']) await openFolder(join(top, folder))
}

/** Whether the folder, prepared, is that of the user who programs run as. */
async function givenAway(top: string): Promise<boolean> {
  await prepared(top)
  if (!isRoot()) return true
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

/** For the user of the programs too, whatever umask says; what it is in is its owner's alone. */
async function openFolder(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
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
    const set = processLimits({ ...limits, timeoutSeconds }, { isApart, hard: await hardLimits() })
    const { diskMb } = limits
    const whole = isApart
      ? confinedCommand({ top, diskMb, limits: set, readable, command }, isRoot())
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
  const made = new Set(['.'])
  const folderAt = async (path: string): Promise<void> => {
    if (made.has(path)) return
    await folderAt(dirname(path))
    await openFolder(join(to, path))
    made.add(path)
  }
  const placeOf = async (path: string): Promise<string> => {
    await folderAt(dirname(path))
    return join(to, path)
  }
  for (const path of paths) {
    if (overlay.has(path)) continue
    const target = await placeOf(path)
    await (mayLink ? link(join(folder, path), target) : copyFile(join(folder, path), target))
  }
  for (const [path, content] of overlay) {
    const target = await placeOf(path)
    await writeFile(target, content)
    await chmod(target, 0o644)
  }
}
