// Runs the command line in a folder of its own, with nothing of the tester's environment that it
// listens to, in the process of the test, where starting a hundred of its own would take too long.
// As a process: test/support/cli-process.ts.
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runCommand } from '#cli/run-command'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Runs it as it is written, though it signs and no one sits at a terminal. */
  readonly isBare?: boolean
}

const listened = [
  'WARRANT_LOG',
  'WARRANT_KEY',
  'WARRANT_KEYS',
  'WARRANT_ROOT_KEY',
  'WARRANT_LOG_ID',
  'WARRANT_MARKS',
  'WARRANT_LOG_LEVEL',
  'WARRANT_MODEL',
  'WARRANT_MODEL_URL',
  'npm_lifecycle_event',
]

/** The tester's environment without what the command line listens to, and what a test says. */
export function environmentFor(options: RunOptions): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !listened.includes(name))
  return { ...Object.fromEntries(own), ...envOf(options) }
}

/** Where the keys of anyone who works in that folder are. */
export function keysOf(cwd: string): string {
  return join(cwd, '.keys')
}

function envOf({ cwd, env }: RunOptions): Readonly<Record<string, string | undefined>> {
  return { WARRANT_KEYS: keysOf(cwd), ...env }
}

const signed = /^(approve|decline|seed|apply|(un)?suspend|unblock|graph|catalog|policy wizard)\b/
const signedOfLog = /^log (rotate|auto-rotate|accept-rollback)\b/
const revoking = /^(reinstate|revoke|settle|keys (issuer|add|retire)|hand-over|absence|note)\b/
const unsigned = /^(graph|catalog) (show|diff|check|export)\b/
const ruled = /^proposals (teach|accept|skip|reject|reopen)\b/

/** The arguments with the key that signs and `--yes`, where a person would be asked. */
export function signing(args: readonly string[], { isBare, env }: RunOptions): readonly string[] {
  const line = args.join(' ')
  if (line.startsWith('keys new') && isBare !== true) return [...args, '--no-passphrase']
  const isSigned = [signed, signedOfLog, ruled, revoking].some((one) => one.test(line))
  const signs = isSigned && !unsigned.test(line)
  if (!signs || isBare === true || args.includes('--dry-run')) return args
  const as = args[args.indexOf('--as') + 1]
  const key = args.includes('--as') && as !== undefined ? as : 'you'
  const isNamed = args.includes('--key') || env?.['WARRANT_KEY'] !== undefined
  const more = [...(isNamed ? [] : ['--key', key]), ...(args.includes('--yes') ? [] : ['--yes'])]
  return [...args, ...more]
}

/** One at a time: the process has only one folder to be in. */
export async function run(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, input } = options
  const env = envOf(options)
  const before = { cwd: process.cwd(), exitCode: process.exitCode }
  const ownNames = [...listened, ...Object.keys(env)]
  const ownEnv = ownNames.map((name) => [name, process.env[name]] as const)
  for (const name of ownNames) setVariable(name, env[name])
  process.chdir(cwd)
  process.exitCode = 0
  const stdout = received(process.stdout)
  const stderr = received(process.stderr)
  const stdin = given(input)
  try {
    await runCommand(['node', 'warrant', ...signing(args, options)])
    return { code: codeNow(), stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    stdin.end()
    process.chdir(before.cwd)
    for (const [name, value] of ownEnv) setVariable(name, value)
    process.exitCode = before.exitCode
  }
}

function codeNow(): number {
  return Number(process.exitCode ?? 0)
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

/** Puts that text on standard input; without one it stays as it is. */
function given(input: string | undefined): { end(): void } {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin')
  if (input === undefined || own === undefined) return { end: () => undefined }
  const value = Readable.from(input === '' ? [] : [Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { configurable: true, value })
  return { end: () => void Object.defineProperty(process, 'stdin', own) }
}

function isListener(value: unknown): value is (...given: unknown[]) => void {
  return typeof value === 'function'
}

function received(stream: NodeJS.WriteStream): { end(): string } {
  const own = Object.getOwnPropertyDescriptor(stream, 'write')
  const before = stream.rawListeners('error')
  let text = ''
  stream.write = (chunk: string | Uint8Array, ...then: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    for (const done of then) if (typeof done === 'function') done()
    return true
  }
  return {
    end: () => {
      // A command listens as long as its process lives.
      const after = stream.rawListeners('error').filter(isListener)
      for (const each of after) if (!before.includes(each)) stream.off('error', each)
      if (own === undefined) Reflect.deleteProperty(stream, 'write')
      else Object.defineProperty(stream, 'write', own)
      return text
    },
  }
}
