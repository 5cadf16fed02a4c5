// Runs the command line at a terminal of its own, where someone types. The terminal comes from
// `script`, which most systems have.
import { spawn, spawnSync } from 'node:child_process'
import { commandOf } from '../support/cli-process.ts'
import { environmentFor, type RunOptions } from '../support/cli-runner.ts'

export const hasTerminals = spawnSync('script', ['--version']).status === 0

export interface Typed {
  /** What the terminal shows before it is typed. */
  readonly after: string
  readonly line: string
  /** Whether no Enter follows: each key comes by itself. */
  readonly isKeys?: true
  /** What happens elsewhere before it is typed. */
  readonly meanwhile?: () => Promise<unknown>
}

export interface SeenAtTerminal {
  readonly code: number | null
  /** All that the terminal showed. */
  readonly screen: string
}

export function atTerminal(
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env'>,
  typed: readonly Typed[],
): Promise<SeenAtTerminal> {
  const line = commandOf(args).map(quoted).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: options.cwd,
    env: environmentFor(options),
  })
  const left = [...typed]
  let screen = ''
  let read = 0
  let typing = Promise.resolve()
  const type = async (before: Promise<void>, { line: text, isKeys, meanwhile }: Typed) => {
    await before
    await meanwhile?.()
    child.stdin.write(isKeys === true ? text : `${text}\r`)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString('utf8')
    const [next] = left
    const at = next === undefined ? -1 : screen.indexOf(next.after, read)
    if (next === undefined || at === -1) return
    read = at + next.after.length
    left.shift()
    typing = type(typing, next)
    typing.catch(() => child.kill())
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const seen = { code, screen: screen.replaceAll('\r', '') }
      typing.then(() => resolve(seen), reject)
    })
  })
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
