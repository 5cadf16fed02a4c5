// Who works in the work demo: one honest worker, one careless, and a cheat for each way to cheat,
// with twenty tasks in all. Each cheat is an agent of its own, so that its standing is its own.
import { join } from 'node:path'
import { WorkTask, type Worker } from '#demo/work-task'
import { readSteps } from '../recording.ts'

/** Throws a Fault `file_unreadable` or `line_invalid` for a folder that has no tasks. */
export async function readWorkers(folder: string): Promise<readonly Worker[]> {
  const tasks = new Map<string, WorkTask[]>()
  for await (const task of readSteps(join(folder, 'tasks.ndjson'), WorkTask)) {
    const theirs = tasks.get(task.agent)
    if (theirs === undefined) tasks.set(task.agent, [task])
    else theirs.push(task)
  }
  return [...tasks].map(([agent, all]) => {
    return { agent, tasks: all, reinstated: all.at(-1)?.reinstated }
  })
}
