// Programs of Node in processes of their own, which end with this one.
import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { assert } from '#record/fault'

// One listener for all of them, however many run at once.
const children = new Set<ChildProcess>()
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')))

interface Given {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What it prints; it must come to its end. */
export async function printed(
  args: readonly string[],
  { input = '', cwd, env = {} }: Given = {},
): Promise<string> {
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  children.add(child)
  const code = new Promise((resolve) => child.once('close', resolve))
  // It may read none of it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const line = await text(child.stdout)
  const ended = await code
  children.delete(child)
  assert(ended === 0, `\`${args.join(' ')}\` came to its end`)
  return line
}

/** The same of a file of the bench, as this process runs its own. */
export function printedHere(file: string, args: readonly string[]): Promise<string> {
  return printed(['--expose-gc', ...process.execArgv, file, ...args])
}

/** Those whose command line names it. */
export function idsNaming(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && commandLineOf(id).includes(word))
    .map(Number)
}

function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}

/** Bytes on the heap, after all garbage has been collected. */
export function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
