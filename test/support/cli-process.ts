// Runs the command line as a process of its own, in a folder of its own, with nothing of the
// tester's environment that it listens to. What need not be a process runs in the test's own:
// test/support/cli-runner.ts.
import { spawn, type ChildProcess } from 'node:child_process'
import { environmentFor, signing, type Ran, type RunOptions } from './cli-runner.ts'
import { builtFile } from './vitest/built.ts'

/** The command line with these arguments as it is run by a system. */
export function commandOf(args: readonly string[]): readonly string[] {
  return [process.execPath, builtFile('services/cli/main.ts'), ...args]
}

export function start(args: readonly string[], options: RunOptions): ChildProcess {
  const [command = '', ...words] = commandOf(signing(args, options))
  const env = environmentFor(options)
  // In a session of its own it has no terminal, no matter who runs the tests.
  return spawn(command, words, { cwd: options.cwd, env, detached: options.isBare === true })
}

export function runChild(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = start(args, options)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input ?? '')
  return ended(child)
}

export function ended(child: ChildProcess): Promise<Ran> {
  const stdout = collected(child.stdout)
  const stderr = collected(child.stderr)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }))
  })
}

/** Resolves when the stream has said it. */
export function says(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  text: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    child[stream]?.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8')
      if (received.includes(text)) resolve()
    })
    child.once('close', (code) =>
      reject(new Error(`it ended with ${code}, having said: ${received}`)),
    )
  })
}

function collected(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}
