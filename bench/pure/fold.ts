// Measures the fold: change sets of a graph, a snapshot of what they come to, and how long a start
// on a long log takes with a snapshot near its end and without one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '#core/kernel/fault'
import { inFolder } from '../nats/deployment.ts'
import { ChangesMeasured } from './fold-changes.ts'
import { Started } from './fold-start.ts'
import { fixed, median, spread, whole, type Report } from '../figures.ts'

const rounds = 3
/** Facts after the snapshot, when a process starts again. */
const lateFacts = 9_000
const startSecondsMax = 10

/** So many operations in change sets that fill their facts, in a process of its own each round. */
export async function benchFold(operations: number): Promise<Report> {
  const measured: ChangesMeasured[] = []
  for (let round = 0; round < rounds; round += 1) {
    const one = await inFolder((folder) => printed('fold-changes.ts', [String(operations), folder]))
    measured.push(ChangesMeasured.parse(JSON.parse(one)))
  }
  const of = (figure: (one: ChangesMeasured) => number, write: (value: number) => string): string =>
    spread(measured.map(figure), write)
  const [first] = measured
  assert(first !== undefined, 'there were rounds')
  return {
    title: `fold of ${whole(operations)} change operations, ${whole(first.primitives)} primitives`,
    head: ['what', 'measured'],
    rows: [
      ['operations a second', of((one) => operations / one.foldSeconds, whole)],
      ['times JSON.parse of the same bytes', of(ratioOf, fixed(1))],
      ['seconds', of(({ foldSeconds }) => foldSeconds, fixed(1))],
      ['state on the heap, MB', of(({ heapBytes }) => heapBytes / 1e6, whole)],
      ['sets of one operation a second', of((one) => one.singles / one.singlesSeconds, whole)],
      ['snapshot, MB', of(({ snapshotBytes }) => snapshotBytes / 1e6, fixed(1))],
      ['snapshot written, seconds', of(({ writeSeconds }) => writeSeconds, fixed(2))],
      ['others held up meanwhile, ms', of(({ stallMs }) => stallMs, whole)],
      ['snapshot read, seconds', of(({ readSeconds }) => readSeconds, fixed(2))],
      ['state out of it on the heap, MB', of((one) => one.readHeapBytes / 1e6, whole)],
    ],
    notes: [
      `${rounds} rounds; ${whole(first.facts)} facts of ${megabytes(first.bytes)} MB, all signed`,
      'seconds of a CPU, but for the writing; every tenth operation adds a primitive',
    ],
    targets: [],
  }
}

function ratioOf({ foldSeconds, parseSeconds }: ChangesMeasured): number {
  return foldSeconds / parseSeconds
}

/** A start on a log of so many facts, in a process of its own each time. */
export function benchFoldStart(facts: number): Promise<Report> {
  return inFolder(async (folder) => {
    const path = join(folder, 'log.db')
    await printed('fold-start.ts', ['make', path, String(facts)])
    const without = await started('far', path)
    // This one folds it all once more, and leaves a snapshot.
    await started('near', path)
    await printed('fold-start.ts', ['make', path, String(lateFacts)])
    const near: Started[] = []
    for (let round = 0; round < rounds; round += 1) near.push(await started('near', path))
    return startReport(without, near, statSync(path).size)
  })
}

async function started(task: 'near' | 'far', path: string): Promise<Started> {
  return Started.parse(JSON.parse(await printed('fold-start.ts', [task, path])))
}

function startReport(without: Started, near: readonly Started[], bytes: number): Report {
  const seconds = near.map((one) => one.seconds)
  const { position } = without
  return {
    title: `start on a log of ${whole(position)} facts`,
    head: ['how', 'seconds', 'of a CPU', 'resident MB'],
    rows: [
      [
        'from a snapshot',
        spread(seconds, fixed(2)),
        spread(near.map(cpuOf), fixed(2)),
        spread(near.map(residentOf), whole),
      ],
      [
        'without one',
        without.seconds.toFixed(1),
        without.cpuSeconds.toFixed(1),
        whole(residentOf(without)),
      ],
    ],
    notes: [
      `${megabytes(bytes)} MB in SQLite; the snapshot is ${whole(lateFacts)} facts before its end`,
      `without one, ${whole(position / without.cpuSeconds)} facts are folded in a second of a CPU`,
    ],
    targets: [
      {
        claim: `under ${startSecondsMax} s from a snapshot`,
        met: median(seconds) < startSecondsMax,
        figures: `${median(seconds).toFixed(2)} s, without one ${without.seconds.toFixed(1)} s`,
      },
    ],
  }
}

function cpuOf({ cpuSeconds }: Started): number {
  return cpuSeconds
}

function residentOf({ resident }: Started): number {
  return resident / 1e6
}

/** What the file prints, run by a process of its own. */
async function printed(file: string, args: readonly string[]): Promise<string> {
  const flags = ['--expose-gc', ...process.execArgv, join(import.meta.dirname, file)]
  const child = spawn(process.execPath, [...flags, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = (): void => void child.kill()
  process.once('exit', stop)
  const ends = once(child, 'close')
  const line = await text(child.stdout)
  await ends
  process.off('exit', stop)
  assert(child.exitCode === 0, 'the process came to its end')
  return line
}

function megabytes(bytes: number): string {
  return whole(bytes / 1e6)
}
