// What a hook is answered that opens the log itself. It is apart from the rest, which starts in a
// fraction of the time that this takes.
import { Fault } from '#record/fault'
import { hookKey, hookKeyFile } from '#judging/digest-key'
import { judgeHere } from '#judging/judging'
import { configuration } from '#wiring/config'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import { doorAgents } from '#client/doors/door-agent'
import { hookDoorOn } from '#client/doors/hook-agent'
import type { HookPrinted } from '#hooks/send'
import type { Runtime } from '#runtime/engine/runtime'
import type { HookTables } from '#shell/hooks/hook-call'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { ownTables } from './own-tables.ts'
import { failedHook, projectOf, type HookRunOptions } from './run-options.ts'

/** What the catalog calls this door in `via`, where a hook opens the log itself. */
const hookDoor = 'hook'

/** It never throws: whatever goes wrong blocks, unless it only observes. */
export async function answerOnLog(
  options: HookRunOptions,
  text: string,
  event: unknown,
): Promise<HookPrinted> {
  try {
    return await judgedOnLog(options, event)
  } catch (error) {
    // Here, since a Fault is one of this file's own program once the package is built.
    return failedHook(options, text, error)
  }
}

async function judgedOnLog(options: HookRunOptions, event: unknown): Promise<HookPrinted> {
  const tables = await readHookTables(shippedHookSeeds(packageRoot()), ownTables(options.add))
  const stages = await clientStages(options)
  return withRuntime(options, { stages }, async (runtime) => {
    const asked = hookDoorOver(runtime, tables)
    try {
      const observes = options.observe === true
      const by = { ...asked.speaker(options.as ?? null), observes, root: projectOf(options) }
      return await asked.door.answer(options.for, event, by)
    } finally {
      asked.close()
    }
  })
}

/** The door on a log that this process has opened. */
export function hookDoorOver(runtime: Runtime, tables: HookTables) {
  const agents = doorAgents(runtime, hookDoor)
  const key = hookKey(hookKeyFile(configuration()))
  const judge = judgeHere({ tables, key, readable: 'project' })
  return {
    door: hookDoorOn({ runtime, judge, linkOf: () => null }),
    /** Whose calls they are; throws a Fault where no one, or no one alone, asks through hooks. */
    speaker: (as: string | null) => {
      const { principals } = runtime.follower.state.catalog
      const served = [...principals.values()].filter(({ via }) => via?.includes(hookDoor) === true)
      const principal = as ?? (served.length === 1 ? served[0]?.id : undefined)
      if (principal === undefined) {
        const put = '`"via": ["hook"]` in its entry of catalog.json, then `warrant apply`'
        throw new Fault('door_refused', `say with --as whose calls they are, or give one ${put}`)
      }
      return { principal, agent: agents.agentFor(principal) }
    },
    close: () => agents.close(),
  }
}
