// The command line on a realm of two cells, by people whose keys are at hand.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { realmOfCell } from '#record/names'
import type { Log } from '#ports/log'
import { start } from '../support/cli-process.ts'
import { keysOf, run, type Ran } from '../support/cli-runner.ts'
import { keys, type TestSetup } from '../support/runtime.ts'
import { bound, deletion, erase, look } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { agentOf, agents, cells, realm, standing, type Stand, type StandOptions } from './stand.ts'

const setup = {
  catalog: {
    capabilities: [look, erase],
    cells,
    principals: [...agents, { id: 'guard' }],
    limits: [{ capability: 'look', uses: 'unlimited' as const, windowMs: 1 }],
    trustedEvidence: [{ sender: 'guard', for: ['*'] }],
  },
  graph: deletion({ name: 'ask' }),
}

export const json = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export interface Commands {
  readonly at: Stand
  /** What it prints, which is one value a line; it ends well. */
  printed(...args: readonly string[]): Promise<ReturnType<typeof json>>
  /** All that it says, however it ends. */
  called(...args: readonly string[]): Promise<Ran>
  /** The same as a process of its own. */
  started(...args: readonly string[]): ReturnType<typeof start>
  /** Asks in the name of the agent of that cell, and gives the address. */
  asked(cell: number, tool: string): Promise<string>
  /** An intent that waits for people there. */
  waiting(cell: number): Promise<string>
  logIn(cell: number): Log
}

interface CommandsOptions extends Pick<StandOptions, 'stagesIn'> {
  readonly env?: Readonly<Record<string, string>>
  /** What the catalog has beside what all of these tests need. */
  readonly catalog?: TestSetup['catalog']
}

export async function commands(given: CommandsOptions = {}): Promise<Commands> {
  const { env, catalog, ...options } = given
  const more = { ...setup, catalog: { ...setup.catalog, ...catalog } }
  const at = await standing({ setup: more, ...options })
  const within = env === undefined ? {} : { env }
  const cwd = await temporaryFolder()
  await mkdir(keysOf(cwd))
  for (const name of ['root', 'olga'] as const) {
    await writeFile(join(keysOf(cwd), `${name}.pem`), keys[name], { mode: 0o600 })
  }
  const of = (args: readonly string[]) => [...args, '--log', at.server.url]
  const called: Commands['called'] = (...args) => run(of(args), { cwd, ...within })
  const logIn: Commands['logIn'] = (cell) => {
    const there = at.on[cell]
    if (there === undefined) throw new Error('there are two cells')
    return there.log
  }
  const asked: Commands['asked'] = async (cell, tool) => {
    const { stdout } = await called('ask', tool, '--agent', agentOf(at, cell), '--json')
    return json(stdout)[0].intent
  }
  return {
    at,
    called,
    logIn,
    asked,
    started: (...args) => start(of(args), { cwd, ...within }),
    printed: async (...args) => {
      const { stdout, stderr, code } = await called(...args, '--json')
      expect([stderr, code]).toEqual(['', 0])
      return json(stdout)
    },
    waiting: async (cell) => {
      const intent = await asked(cell, 'erase')
      await bound(logIn(cell), `${realmOfCell({ of: realm, index: cell })}.1.review.${intent}.1`)
      return intent
    },
  }
}
