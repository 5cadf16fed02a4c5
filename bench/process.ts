// Programs of Node in processes of their own, which end with this one.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { assert } from '#record/fault'

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
  const stop = (): void => void child.kill()
  process.once('exit', stop)
  const code = new Promise((resolve) => child.once('close', resolve))
  // It may read none of it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const line = await text(child.stdout)
  assert((await code) === 0, `\`${args.join(' ')}\` came to its end`)
  process.off('exit', stop)
  return line
}

/** The same of a file of the bench, as this process runs its own. */
export function printedHere(file: string, args: readonly string[]): Promise<string> {
  return printed(['--expose-gc', ...process.execArgv, file, ...args])
}

/** Bytes on the heap, after all garbage has been collected. */
export function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
