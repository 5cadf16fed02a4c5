// Counts what work costs in steps that are the same on every machine: the blocks of code that are
// entered, and the characters that expressions are given to look at. Run as a process of its own,
// since what was compiled before counts no blocks. It must load nothing of what it counts before.
import { Session } from 'node:inspector/promises'

export interface GrowthCase {
  readonly title: string
  /** Makes an input of that length, and returns what does the work for it. */
  readonly of: (length: number) => () => unknown
}

/** Every so many characters that an expression is given count as much as one block. */
const charactersOfStep = 16
const session = new Session()
let characters = 0

/** From here on. What is loaded later counts all its blocks. */
export async function beginCounting(): Promise<void> {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const exec: typeof value = Reflect.get(RegExp.prototype, 'exec')
  // Each way to use an expression goes through this one once it is another.
  const value = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    const failedAt = this.sticky ? from : text.length
    characters += (found === null ? failedAt : found.index + found[0].length) - from
    return found
  }
  Reflect.defineProperty(RegExp.prototype, 'exec', { value })
}

export async function stepsOf(run: () => unknown): Promise<number> {
  await blocks()
  characters = 0
  run()
  return (await blocks()) + characters / charactersOfStep
}

/** How many were entered since it was asked before. */
async function blocks(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let sum = 0
  for (const { functions } of result) {
    for (const { ranges } of functions) for (const { count } of ranges) sum += count
  }
  return sum
}
