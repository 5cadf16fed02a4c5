// A folder with a log that learns, for tests of the commands: who is there, what is known, and
// intents that are held or denied until someone is asked.
import type { OpenProposal } from '#messages/learning/learning'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import { connect, type IntentFields } from '#client/connect'
import { stages } from '#workers/stages'
import { beginKnowing } from './known-tool.ts'
import { run } from '../cli-runner.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export const json = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const notice = { tool: 'notify', args: {} }
export const erasing = { tool: 'erase', args: {} }
export const as = (name: string) => ['--as', name]
export const saying = ['--level', '1', 'what=a line to everyone', '--yes']

/** What the facts of that pattern say. */
export async function facts(cwd: string, pattern: string) {
  const { stdout } = await run(['log', '--json', '--name', pattern], { cwd })
  return json(stdout).map(({ fact }) => fact.data)
}

const known = (name: string, what: string) => {
  return { name, depths: [{ level: 0 }, { level: 1, properties: { what } }] }
}

const capability = (id: string, concepts: readonly string[], more: object = {}) => {
  return { id, safetyClass: 'READ', concepts, argsSchema: { type: 'object' }, ...more }
}

/** `cora` is a curator, `olga` neither that nor anything else; both have keys. */
export async function learningFolder(): Promise<string> {
  const cwd = await temporaryFolder()
  await beginKnowing({ cwd })
  const keyOf = async (name: string) => {
    const [made] = json((await run(['keys', 'new', name, '--json'], { cwd })).stdout)
    return made.publicKey
  }
  const file = join(cwd, 'warrant/catalog.json')
  const catalog = JSON.parse(await readFile(file, 'utf8'))
  catalog.learning = true
  catalog.principals.push(
    { id: 'cora', roles: ['curator'], keys: [await keyOf('cora')] },
    { id: 'olga', keys: [await keyOf('olga')] },
  )
  catalog.capabilities = [
    capability('notify', ['notice']),
    capability('erase', ['delete', 'file']),
    capability('measure', ['file'], { minDepth: 3 }),
  ]
  const primitives = [known('file', 'a named text'), known('delete', 'it is gone for ever')]
  await writeFile(file, JSON.stringify(catalog))
  await writeFile(join(cwd, 'warrant/graph.json'), JSON.stringify({ primitives }))
  await run(['seed', 'warrant'], { cwd })
  return cwd
}

/** Asks as the agent, and waits until the intent is held, or denied, and someone is asked. */
export async function met(
  cwd: string,
  intent: IntentFields,
  count = 1,
): Promise<{ readonly address: string; readonly ids: readonly string[] }> {
  const folder = join(cwd, '.warrant')
  const runtime = await openRuntime({ log: { url: join(folder, 'log.db'), folder }, stages })
  try {
    const client = await connect({ as: 'my-agent', runtime })
    const { address } = await client.publish({
      type: 'query',
      content: 'may I',
      payload: { intent: { onGap: 'learn', ...intent } },
    })
    const { intents } = runtime.follower.state
    await until(runtime, () => {
      const isAnswered = intents.get(address)?.hold !== null
      return isAnswered && runtime.follower.state.learning.open.size >= count
    })
    return { address, ids: [...runtime.follower.state.learning.open.keys()] }
  } finally {
    await runtime.stop()
  }
}

/** Waits until so many are asked and, if need be, a model has answered, and gives their ids. */
export async function askedIn(
  cwd: string,
  { count = 1, answered = false } = {},
): Promise<readonly string[]> {
  const folder = join(cwd, '.warrant')
  const runtime = await openRuntime({ log: { url: join(folder, 'log.db'), folder }, stages: [] })
  try {
    const open = () => [...runtime.follower.state.learning.open.values()]
    const isThere = ({ suggestions }: OpenProposal) => !answered || suggestions.next > 1
    await until(runtime, () => open().filter(isThere).length >= count)
    return open().map(({ id }) => id)
  } finally {
    await runtime.stop()
  }
}

function until({ follower }: Runtime, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = follower.listen(() => {
      if (!holds()) return
      stop()
      resolve()
    })
  })
}

/** The rows that `proposals --json` has. */
export async function listed(cwd: string, ...args: string[]) {
  return json((await run(['proposals', '--json', ...args], { cwd })).stdout)[0].rows
}
