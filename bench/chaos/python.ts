// The load of agents in plain Python, which share one connection: the program in `asks.py`, and
// what it prints.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { assert } from '#core/kernel/fault'
import type { Asked, Load, LoadOptions } from './load.ts'

const program = join(import.meta.dirname, 'asks.py')
/** As the tests take it: it has `nats-py[nkeys]`. */
const python = process.env['WARRANT_PYTHON'] ?? 'python3'

export function startPythonLoad({ url, agents, rate }: LoadOptions): Load {
  const child = spawn(python, [program, url, String(rate), ...agents], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const asked: Asked[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => asked.push(askedIn(line)))
  const read = once(lines, 'close')
  return {
    async end() {
      child.stdin.end()
      await Promise.all([exit, read])
      assert(child.exitCode === 0, `\`${python} ${program}\` ended well: install nats-py[nkeys]`)
      return asked
    },
  }
}

function askedIn(text: string): Asked {
  const [agent = '', line, takenIn, ms = '-'] = text.split(' ')
  const verdictMs = ms === '-' ? null : Number(ms)
  return { agent, line: Number(line), isTakenIn: takenIn === '1', verdictMs }
}
