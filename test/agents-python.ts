// Runs the Python agent of the examples. `WARRANT_PYTHON` names a Python that has nats-py; without
// it the one on the path is taken if it has, else its tests are skipped, loudly.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { assert } from '#core/fault'
import { ended, type Ran } from './cli-runner.ts'

export const python: string | null = findPython()

const agent = fileURLToPath(new URL('../examples/python/agent.py', import.meta.url))

/** Asks as that agent, and waits until it has printed what it was told. */
export function askInPython(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  assert(python !== null, 'there is a Python with nats-py')
  const env = { ...process.env, ...environment }
  return ended(spawn(python, [agent, ...words], { env }))
}

function findPython(): string | null {
  const named = process.env['WARRANT_PYTHON']
  const file = named === undefined || named === '' ? 'python3' : named
  if (spawnSync(file, ['-c', 'import nats, nkeys']).status === 0) return file
  assert(file !== named, 'WARRANT_PYTHON is a Python that has nats-py[nkeys]')
  process.stderr.write('no Python with nats-py[nkeys] here: its tests are skipped\n')
  return null
}
