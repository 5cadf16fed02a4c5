// The command line in an empty folder: in this process, or as one of its own, fed by a pipe.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../../support/cli-runner.ts'
import { builtFile } from '../../support/vitest/built.ts'
import { endWithFile } from '../../support/vitest/endings.ts'

let made: string | null = null

/** Where the commands run; it goes when the tests of the file have ended. */
export function folder(): string {
  if (made !== null) return made
  const path = mkdtempSync(join(tmpdir(), 'warrant-offline-'))
  endWithFile(() => {
    made = null
    rmSync(path, { recursive: true, force: true })
  })
  made = path
  return path
}

export interface Ended {
  readonly code: number | null
  readonly answers: string
  readonly reported: string
}

export function start(args: readonly string[]): ChildProcess {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  const command = [builtFile('services/cli/main.ts'), ...args]
  return spawn(process.execPath, command, { cwd: folder(), env })
}

/** Runs the command to its end on that standard input, in this process. */
export async function warrant(args: readonly string[], input: string): Promise<Ended> {
  const { code, stdout, stderr } = await run(args, { cwd: folder(), input })
  return { code, answers: stdout, reported: stderr }
}

/** The same in a process of its own. */
export function warrantAlone(args: readonly string[], input: string): Promise<Ended> {
  const child = start(args)
  const ended = endOf(child)
  // It may well end before it has read everything.
  child.stdin?.on('error', () => {}).end(input)
  return ended
}

export function endOf(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let answers = ''
    let reported = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      answers += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      reported += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code, answers, reported })
    })
  })
}

/** A question, and the exact text of its answer. */
export type Pair = readonly [question: unknown, answer: string]

export async function answersExactly(
  args: readonly string[],
  pairs: readonly Pair[],
): Promise<void> {
  const input = pairs.map(([question]) => `${JSON.stringify(question)}\n`).join('')
  const { code, answers, reported } = await warrant(args, input)
  expect(reported).toBe('')
  expect(answers.split('\n')).toEqual([...pairs.map(([, answer]) => answer), ''])
  expect(code).toBe(0)
}
