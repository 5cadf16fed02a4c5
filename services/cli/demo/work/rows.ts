// What came of the work demo, a row for each task and each reinstatement, held against what is
// expected. Standings are compared with those that the expected scores come to.
import { replayStanding, standingAlpha, standingStart } from '#rules/catalog/earned-standing'
import type {
  DemoTool,
  SeenStanding,
  SeenTask,
  SeenWorker,
  Worker,
  WorkTask,
} from '#demo/work-task'

export interface WorkRow {
  readonly agent: string
  readonly task: WorkTask
  /** Null: it was not played. */
  readonly seen: SeenTask | null
  readonly expected: SeenTask
  readonly differing: readonly string[]
}

export interface ReinstatedRow {
  readonly agent: string
  /** What it asks for. */
  readonly next: DemoTool
  readonly seen: SeenStanding | null
  readonly expected: SeenStanding
  readonly differing: readonly string[]
}

export interface WorkerRows {
  readonly tasks: readonly WorkRow[]
  readonly reinstated: ReinstatedRow | null
}

/** What a reinstatement sets. */
const reinstatedTo = 0.3

/** Where a task was not played, later levels of its agent are others, and are not compared. */
export function workerRows({ agent, tasks, reinstated }: Worker, seen: SeenWorker): WorkerRows {
  let standing = standingStart
  const firstUnseen = tasks.findIndex(({ task }) => !seen.tasks.has(task))
  const rows = tasks.map((task, index): WorkRow => {
    const one = seen.tasks.get(task.task) ?? null
    const expected = expectedOf(task, standing)
    if (one === null) return { agent, task, seen: null, expected, differing: [] }
    standing = expected.after
    const isWhole = firstUnseen === -1 || index < firstUnseen
    return { agent, task, seen: one, expected, differing: differing(one, expected, isWhole) }
  })
  if (reinstated === undefined) return { tasks: rows, reinstated: null }
  const expected = { ...reinstated.expected, before: standing, after: reinstatedTo }
  const one = firstUnseen === -1 ? seen.reinstated : null
  const others = one === null ? [] : differing(one, expected, true)
  return {
    tasks: rows,
    reinstated: { agent, next: reinstated.next, seen: one, expected, differing: others },
  }
}

function expectedOf({ attempts, expected }: WorkTask, before: number): SeenTask {
  const scores = [expected.score]
  const [step] = replayStanding({ alpha: standingAlpha, start: before, scores })
  const found = attempts.map((attempt) => attempt.found)
  return { ...expected, found, before, after: step?.after ?? before }
}

function differing(
  seen: SeenStanding,
  expected: SeenStanding,
  isWhole: boolean,
): readonly string[] {
  const values = new Map<string, unknown>(Object.entries(seen))
  return Object.entries(expected)
    .filter(([name]) => isWhole || (name !== 'level' && name !== 'next'))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(values.get(name)))
    .map(([name]) => name)
}
