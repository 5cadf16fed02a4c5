// What runs the tests of the demo's contracts on this machine, found out by running it as a gate
// does: where a program cannot be verified here, its tasks are not played, and are shown as such.
import { dirname } from 'node:path'
import { withFolder } from '#gates/run/gate-programs'
import { readContract } from '#work/verification/contract-reading'
import type { VerifiedWork } from '#work/verification/result'
import { verifyWork } from '#gates/verify-work'
import type { WorkTask } from '#demo/work-task'

type TestProgram = NonNullable<WorkTask['tests']>

export interface TestPrograms {
  /** How programs of gates are held; `process` is signed into the demo's own catalog. */
  readonly isolation: 'namespaces' | 'process'
  /** Those that run here, with what runs the tests of a contract. */
  readonly commands: ReadonlyMap<TestProgram, readonly string[]>
  /** Further folders that they may read. */
  readonly readable: readonly string[]
}

/** The Node that plays the demo runs its tests, too, wherever it is installed. */
const node = process.execPath
const readable = node.startsWith('/usr/') ? [] : [dirname(node)]

const commands = new Map<TestProgram, readonly string[]>([
  ['node', [node, 'check.mjs']],
  ['python3', ['env', 'PYTHONPATH=.', 'python3', '-m', 'unittest', 'test_area']],
])
const probes = new Map<TestProgram, readonly string[]>([
  ['node', [node, '--version']],
  ['python3', ['python3', '-c', 'import unittest']],
])

export async function findPrograms(): Promise<TestPrograms> {
  const apart = await found(false)
  if (apart.some(({ isolation }) => isolation === 'namespaces')) {
    return { isolation: 'namespaces', commands: thoseThatRan(apart), readable }
  }
  return { isolation: 'process', commands: thoseThatRan(await found(true)), readable }
}

interface Probed {
  readonly program: TestProgram
  readonly hasRun: boolean
  readonly isolation: string | null
}

function thoseThatRan(probed: readonly Probed[]): TestPrograms['commands'] {
  const ran = new Set(probed.flatMap(({ program, hasRun }) => (hasRun ? [program] : [])))
  return new Map([...commands].filter(([program]) => ran.has(program)))
}

function found(acceptsProcess: boolean): Promise<readonly Probed[]> {
  return Promise.all(
    [...probes].map(async ([program, runTests]) => {
      const work = await probe(runTests, acceptsProcess)
      const hasRun = work.verification === 'verified'
      return { program, hasRun, isolation: work.isolation?.kind ?? null }
    }),
  )
}

function probe(runTests: readonly string[], acceptsProcess: boolean): Promise<VerifiedWork> {
  const contract = readContract({ taskId: 'probe', objective: 'Runs.', runTests })
  const of = { ...contract, reported: null, readable, acceptsProcess, online: null, model: null }
  return withFolder((folder) => verifyWork({ ...of, place: { folder } }))
}
