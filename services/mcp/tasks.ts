// Calls that people decide later, as tasks of MCP: a task is an intent, which is in the log before
// the client learns of it. Its result is kept for the principal of the intent, until it expires.
import type { ToolAnswer } from '#gateway/tools/mcp-library'
import { valueOfJson } from '#rules/drivers/written-json'
import { jsonOf } from '#record/canonical'
import type { Clock } from '#ports/clock'
import type { ResultStore } from '#ports/results'
import type { Logger } from '#runtime/reporting/logger'
import { JsonObject } from '#schemas/catalog'
import { faultAnswer, unseenAnswer } from './answers.ts'

export interface TaskParts {
  readonly agent: string
  readonly clock: Clock
  readonly logger: Logger
  readonly results: ResultStore
  /** Waits for the intent and carries it out; it must never throw. */
  readonly finish: (intent: string, signal: AbortSignal) => Promise<ToolAnswer>
  /** Throws for what is no intent of this agent. */
  readonly refuseForeign: (intent: string) => Promise<void>
  /** Takes it back, where it has no verdict yet. */
  readonly withdraw: (intent: string) => Promise<void>
}

export interface Tasks {
  /** Begins a task, as the answer to its call. */
  begin(intent: string): JsonObject
  /** A task of a process before this one goes on; throws for what is no task of this agent. */
  get(taskId: string): Promise<JsonObject>
  cancel(taskId: string): Promise<void>
  close(): Promise<void>
}

/** So long after it began a task and its result are kept. */
const ttlMs = 86_400_000
const pollIntervalMs = 2_000
const tasksMax = 1_024

interface Task {
  readonly createdAt: number
  readonly stopping: AbortController
  changedAt: number
  status: 'working' | 'completed' | 'cancelled'
  /** Where its result is kept; null where it is not. */
  handle: string | null
}

export function tasksOn(parts: TaskParts): Tasks {
  const { clock, results } = parts
  const tasks = new Map<string, Task>()
  const running = new Set<Promise<void>>()
  const begin = (intent: string): Task => {
    const now = clock.now()
    makeRoom(tasks, now)
    const stopping = new AbortController()
    const began = { createdAt: now, changedAt: now, stopping }
    const task: Task = { ...began, status: 'working', handle: null }
    tasks.set(intent, task)
    const run = carry(parts, intent, task).finally(() => running.delete(run))
    running.add(run)
    return task
  }
  const known = async (taskId: string): Promise<Task> => {
    const task = tasks.get(taskId)
    if (task !== undefined) return task
    await parts.refuseForeign(taskId)
    return begin(taskId)
  }
  return {
    begin: (intent) => described(intent, tasks.get(intent) ?? begin(intent)),
    async get(taskId) {
      const task = await known(taskId)
      const of = described(taskId, task)
      if (task.status !== 'completed') return of
      const kept = task.handle === null ? null : await results.get(task.handle)
      const isOwn = kept !== null && kept.owner === parts.agent
      const result = isOwn ? valueOfJson(kept.json) : jsonOf(unseenAnswer(taskId))
      return JsonObject.parse({ ...of, result })
    },
    async cancel(taskId) {
      const task = await known(taskId)
      if (task.status !== 'working') return
      task.status = 'cancelled'
      task.changedAt = clock.now()
      task.stopping.abort()
      await parts.withdraw(taskId)
    },
    async close() {
      for (const { stopping } of tasks.values()) stopping.abort()
      await Promise.all(running)
      await results.close()
    },
  }
}

async function carry(
  { agent, clock, logger, results, finish }: TaskParts,
  intent: string,
  task: Task,
): Promise<void> {
  const answer = await finish(intent, task.stopping.signal).catch(faultAnswer)
  if (task.status === 'cancelled') return
  const value = jsonOf(answer)
  try {
    const expiresAt = task.createdAt + ttlMs
    const of = { intent, owner: agent, capability: intent, value, expiresAt }
    task.handle = (await results.put(of)).id
  } catch (error) {
    logger.warn({ intent, error }, 'the result of a task could not be kept')
  }
  task.status = 'completed'
  task.changedAt = clock.now()
}

function described(taskId: string, { createdAt, changedAt, status }: Task): JsonObject {
  return {
    taskId,
    status,
    ...(status === 'working' && { statusMessage: 'It waits for the approval of a person.' }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(changedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
  }
}

/** What expired goes; where that is not enough, the oldest that ended. */
function makeRoom(tasks: Map<string, Task>, now: number): void {
  for (const [id, { createdAt, status }] of tasks) {
    const isFull = tasks.size >= tasksMax && status !== 'working'
    if (createdAt + ttlMs <= now || isFull) tasks.delete(id)
  }
}
