// One task of the work demo as data: what its contract demands, what the worker writes and reports,
// and what must come of it. The player does what stands there and compares.
import { z } from 'zod'

/** What an agent asks for after a task, one of each safety class. */
const DemoTool = z.enum(['read', 'deploy', 'delete'])
export type DemoTool = z.infer<typeof DemoTool>

/** What such a request comes to: how many people are asked, or none. */
const NextOutcome = z.enum(['allowed', 'asks 1', 'asks 2', 'refused'])
export type NextOutcome = z.infer<typeof NextOutcome>

const Level = z.enum(['autonomous', 'standard', 'supervised', 'strict', 'suspended'])

const FoundWork = z.strictObject({
  verification: z.enum(['verified', 'refuted', 'unverified']),
  /** The gate that fails. */
  gate: z.string().optional(),
  /** Its code, or that of its first finding. */
  why: z.string().optional(),
})
export type FoundWork = z.infer<typeof FoundWork>

const Texts = z.record(z.string(), z.string())

const WorkAttempt = z.strictObject({
  /** What the worker leaves in its folder, and nothing else. */
  files: Texts,
  /** Links, by where they are, with where they lead. */
  links: Texts.optional(),
  /** A task claim. */
  report: z.object({ status: z.enum(['success', 'blocked', 'failed']) }).catchall(z.json()),
  /** Written after the work is named by its digest. */
  swapped: Texts.optional(),
  /** What the gates find of the folder by itself. */
  gates: FoundWork,
  /** What its verification says; null: none is made, since the contract has ended. */
  found: FoundWork.nullable(),
})
export type WorkAttempt = z.infer<typeof WorkAttempt>

export const WorkTask = z.strictObject({
  agent: z.string(),
  task: z.string(),
  /** How the worker goes about it. */
  way: z.string(),
  /** What runs its tests. */
  tests: z.enum(['node', 'python3']).optional(),
  /** The demo's own; the program of the tests is named when it is played. */
  contract: z.record(z.string(), z.json()),
  attempts: z.array(WorkAttempt),
  next: DemoTool,
  expected: z.strictObject({
    rule: z.string(),
    /** What the standing moves by. */
    score: z.number(),
    level: Level,
    next: NextOutcome,
  }),
  /** A person reinstates the worker afterwards, and it asks once more. */
  reinstated: z
    .strictObject({
      next: DemoTool,
      expected: z.strictObject({ level: Level, next: NextOutcome }),
    })
    .optional(),
})
export type WorkTask = z.infer<typeof WorkTask>

/** One who works in the demo, with its tasks in their order. */
export interface Worker extends Pick<WorkTask, 'reinstated'> {
  readonly agent: string
  readonly tasks: readonly WorkTask[]
}

/** What an agent's standing came to, and what its next request came to under it. */
export interface SeenStanding {
  readonly before: number
  readonly after: number
  readonly level: WorkTask['expected']['level']
  readonly next: NextOutcome
}

/** What was read from the log. */
export interface SeenTask extends SeenStanding {
  /** Of each attempt; null where no verification of it was bound. */
  readonly found: readonly (FoundWork | null)[]
  /** Null where no score was given. */
  readonly rule: string | null
  /** What moved the standing; null where nothing did. */
  readonly score: number | null
}

export interface SeenWorker {
  /** By task; what runs the tests of those that are missing is not here. */
  readonly tasks: ReadonlyMap<string, SeenTask>
  readonly reinstated: SeenStanding | null
}
