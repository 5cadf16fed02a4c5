// Parts of a core for processes, by limits of the kernel (control groups of version 1): so it shows
// on two cores what more of something gives. Groups, and what had to be mounted for them, go with
// this process.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Shares {
  /** Gives that process, with all its threads, so much of one core. */
  hold(process: number, share: number): void
  /** Lets all of them go, and takes away what was made for it. */
  dispose(): void
}

/** Short beside what an answer takes, so that no process stands still for long. */
const periodUs = 10_000
const turnMs = 20
const turnsMax = 100

/** Null where this machine gives no one parts of a core. */
export function openShares(): Shares | null {
  for (const open of [mountedAlready, mountedHere]) {
    const opened = open()
    if (opened !== null) return sharesAt(opened)
  }
  return null
}

interface Root {
  readonly root: string
  readonly unmount: () => void
}

function mountedAlready(): Root | null {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  for (const [, root = '', type, options = ''] of mounts.map((line) => line.split(' '))) {
    const isOfCpu = type === 'cgroup' && options.split(',').includes('cpu')
    if (isOfCpu && takesGroups(root)) return { root, unmount: () => undefined }
  }
  return null
}

function mountedHere(): Root | null {
  const root = mkdtempSync(join(tmpdir(), 'warrant-bench-cpu-'))
  const run = (program: string, words: readonly string[]): boolean => {
    try {
      execFileSync(program, words, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }
  const isMounted = run('mount', ['-t', 'cgroup', '-o', 'cpu', 'cgroup', root])
  const unmount = (): void => {
    if (isMounted) run('umount', [root])
    rmdirSync(root)
  }
  if (isMounted && takesGroups(root)) return { root, unmount }
  unmount()
  return null
}

function takesGroups(root: string): boolean {
  try {
    const group = join(root, `warrant-bench-${process.pid}`)
    mkdirSync(group)
    rmdirSync(group)
    return true
  } catch {
    return false
  }
}

function sharesAt({ root, unmount }: Root): Shares {
  const groups: string[] = []
  const dispose = (): void => {
    process.off('exit', dispose)
    for (const group of groups.splice(0)) remove(group, root)
    unmount()
  }
  process.once('exit', dispose)
  for (const left of leftIn(root)) remove(left, root)
  return {
    hold(id, share) {
      const group = join(root, `warrant-bench-${process.pid}-${id}`)
      mkdirSync(group)
      groups.push(group)
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(Math.round(periodUs * share)))
      move(String(id), group)
    },
    dispose,
  }
}

/** Those of a bench that was killed before it could take them away. */
function leftIn(root: string): readonly string[] {
  return readdirSync(root).flatMap((name) => {
    const [, id] = /^warrant-bench-(\d+)/.exec(name) ?? []
    return id === undefined || existsSync(`/proc/${id}`) ? [] : [join(root, name)]
  })
}

/** One whose processes are ending is taken a moment later. */
function remove(group: string, root: string): void {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    try {
      const held = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n')
      for (const id of held.filter((line) => line !== '')) move(id, root)
      rmdirSync(group)
      return
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, turnMs)
    }
  }
}

function move(id: string, group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), id)
  } catch {
    // It has ended, and is in no group.
  }
}
