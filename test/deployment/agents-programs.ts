// The agents of the examples that are written in other languages, ready to be run. What is named by
// `WARRANT_PYTHON` and `WARRANT_GO` must be there; what is not named may be missing, loudly.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert } from '#record/fault'
import { ended } from '../support/cli-process.ts'
import type { Ran } from '../support/cli-runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { endWithFile } from '../support/vitest/endings.ts'

export interface AgentProgram {
  readonly language: string
  readonly isHere: boolean
  /** How it is started. */
  command(): Promise<readonly string[]>
  /** How a person's is, with the name and the file of the key. */
  person(): Promise<readonly string[]>
}

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
// Tests fetch nothing: what the agents need was installed before.
const env = { ...process.env, GOPROXY: 'off' }

export const agentPrograms: readonly AgentProgram[] = [python(), go()]

/** Asks with those words, and waits until it has printed what it was given. */
export async function askWith(
  program: AgentProgram,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const [file = '', ...before] = await program.command()
  return ended(spawn(file, [...before, ...words], { env: { ...process.env, ...environment } }))
}

function python(): AgentProgram {
  const file = toolFor('WARRANT_PYTHON', 'python3', ['-c', 'import nats, nkeys'], '.')
  const of = (name: string) => Promise.resolve([file ?? '', join(examples, 'python', name)])
  const [command, person] = [() => of('agent.py'), () => of('confirmer.py')]
  return { language: 'Python', isHere: file !== null, command, person }
}

function go(): AgentProgram {
  const folder = join(examples, 'go')
  const file = toolFor('WARRANT_GO', 'go', ['mod', 'download'], folder)
  let built: string | null = null
  // For each test file again, since this process may run several and its folders go with the file.
  const command = async (): Promise<readonly string[]> => {
    if (built === null) {
      const agent = join(await temporaryFolder(), 'agent')
      const { status, stderr } = spawnSync(file ?? '', ['build', '-o', agent, '.'], {
        cwd: folder,
        env,
      })
      assert(status === 0, `the agent in Go is built: ${String(stderr)}`)
      endWithFile(() => void (built = null))
      built = agent
    }
    return [built]
  }
  return { language: 'Go', isHere: file !== null, command, person: command }
}

// Whether the tool is here, and what the agent needs beside it.
function toolFor(
  variable: string,
  usual: string,
  tries: readonly string[],
  folder: string,
): string | null {
  const named = process.env[variable]
  const file = named === undefined || named === '' ? usual : named
  if (spawnSync(file, tries, { cwd: folder, env }).status === 0) return file
  assert(file !== named, `${variable} is there, with what the agent needs`)
  process.stderr.write(`\`${usual} ${tries.join(' ')}\` fails here: its agent is not tried\n`)
  return null
}
