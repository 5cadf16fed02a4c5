// The load of agents in plain Python, which share one connection: the program in `asks.py`, and
// what it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { assert } from '#record/fault'
import { agentPrograms } from '../../deployment/agents-programs.ts'
import { pauseMs, type Asked, type LoadOptions } from './load.ts'

const script = join(import.meta.dirname, 'asks.py')
const python = agentPrograms.find(({ language, isHere }) => language === 'Python' && isHere)

export const hasPython: boolean = python !== undefined

export async function startPythonLoad({ url, agents }: LoadOptions) {
  const [program = ''] = (await python?.command()) ?? []
  const child = spawn(program, [script, url, String((2 * pauseMs) / 1_000), ...agents], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const asked: Asked[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => asked.push(askedIn(line)))
  const read = once(lines, 'close')
  return {
    async end(): Promise<readonly Asked[]> {
      child.stdin.end()
      await Promise.all([exit, read])
      assert(child.exitCode === 0, `\`${program} ${script}\` ended well`)
      return asked
    },
  }
}

function askedIn(text: string): Asked {
  const [agent = '', line, takenIn, answered] = text.split(' ')
  return {
    agent,
    line: Number(line),
    isTakenIn: takenIn === '1',
    isAnswered: answered === '1',
  }
}
