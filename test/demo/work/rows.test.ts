// The rows of the work demo: what differs from what is expected is found, and what could not be
// played is neither counted as right nor as wrong.
import { expect, test } from 'vitest'
import { workerRows, workJson, workResult, readWorkers } from '#cli/demo/work/piece'
import type { SeenTask, SeenWorker, Worker } from '#demo/work-task'

const workers = await readWorkers('seeds/work')
const worker = (agent: string): Worker => {
  const found = workers.find((one) => one.agent === agent)
  if (found === undefined) throw new Error(`no worker is called ${agent}`)
  return found
}
const honest = worker('honest')
const careless = worker('careless')
const cheat = worker('cheat-tests')

/** As if all had come out as expected, but for those tasks. */
function asExpected(worker: Worker, without: readonly string[] = []): SeenWorker {
  const tasks = new Map<string, SeenTask>()
  for (const { task } of worker.tasks) {
    if (without.includes(task)) continue
    const row = workerRows(worker, { tasks, reinstated: null }).tasks.find((one) => {
      return one.task.task === task
    })
    if (row !== undefined) tasks.set(task, row.expected)
  }
  const { reinstated } = workerRows(worker, { tasks, reinstated: null })
  return { tasks, reinstated: reinstated?.expected ?? null }
}

test('standings follow from the expected scores', () => {
  const { tasks } = workerRows(careless, asExpected(careless))
  const steps = tasks.map(({ expected }) => [expected.before, expected.after])
  expect(steps.map((pair) => pair.map((value) => value.toFixed(3)))).toEqual([
    ['0.700', '0.700'],
    ['0.700', '0.640'],
    ['0.640', '0.298'],
  ])
  expect(tasks.flatMap(({ differing }) => differing)).toEqual([])
})

test.each([
  ['found', { found: [{ verification: 'verified' as const }] }],
  ['rule', { rule: null }],
  ['score', { score: -0.25 }],
  ['after', { after: 0.65 }],
  ['level', { level: 'standard' as const }],
  ['next', { next: 'allowed' as const }],
])('a row of which %s is another is found', (name, other) => {
  const seen = asExpected(careless)
  const tasks = new Map([...seen.tasks].map(([task, one]) => [task, { ...one, ...other }]))
  const differing = workerRows(careless, { ...seen, tasks }).tasks.map((row) => row.differing)
  expect(differing.every((names) => names.includes(name))).toBe(true)
  const result = workResult([careless], new Map([['careless', { ...seen, tasks }]]), 'process')
  expect(result).toMatchObject({ played: 3, asExpected: 0, different: 3 })
})

test('of a task that was not played nothing differs, and standing goes on without it', () => {
  const seen = asExpected(honest, ['slug'])
  const [first, second, ...others] = workerRows(honest, seen).tasks
  expect(first).toMatchObject({ seen: null, differing: [] })
  expect(second?.expected.before).toBe(0.7)
  const result = workResult([honest], new Map([['honest', seen]]), 'namespaces')
  expect(result).toMatchObject({ played: 4 })
  expect(others).toHaveLength(3)
})

test('a reinstatement has its row, and what its agent may do next is compared', () => {
  const seen = asExpected(cheat)
  const { reinstated } = workerRows(cheat, seen)
  expect(reinstated?.expected).toMatchObject({ after: 0.3, level: 'strict', next: 'asks 2' })
  expect(reinstated?.expected.before).toBeCloseTo(0.19)
  const free = { ...reinstated?.expected, next: 'allowed' as const }
  const other = { ...seen, reinstated: { before: 0, after: 0, level: 'strict' as const, ...free } }
  expect(workerRows(cheat, other).reinstated?.differing).toEqual(['next'])
})

test('as JSON each row has what was seen and what was expected', () => {
  const json = workJson(workResult([careless], new Map(), 'namespaces'))
  expect(json).toMatchObject({
    isolation: 'namespaces',
    played: 0,
    rows: [
      { task: 'config', claimed: ['success', 'success'], asksFor: 'deploy', seen: null },
      { task: 'prices', claimed: ['blocked'] },
      { task: 'totals', claimed: ['failed'] },
    ],
  })
})
