// A console on a realm of two cells in memory, each with an agent of its own, and people who sign
// in with passkeys.
import { newestRules } from '#rules/catalog/rules-version'
import { Principal } from '#schemas/catalog'
import { connect } from '#client/connect'
import type { Warrant } from '#client/warrant'
import type { Serving } from '#health/serving'
import { serveConsole } from '#console/serving'
import { publicKeyOf } from '#record/crypto/private-key'
import { agentOfCell, memoryStand, until, type MemoryStand } from '../../cells/memory-stand.ts'
import { otherConsole } from '../../support/people/authenticator.ts'
import { changeCatalog, keys, type TestRuntime } from '../../support/runtime.ts'
import { deletion, erase, look } from '../../support/scene.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { soft } from '../../people/passkey-scene.ts'
import { files, origin, signedInByPasskey, type AtBrowser, type Who } from '../console-scene.ts'

export interface CellsScene {
  readonly at: MemoryStand
  readonly serving: Serving
  /** The agent of each cell. */
  readonly agents: readonly string[]
}

const fleets = ['red', 'blue', 'green', 'white', 'black']
const all = fleets.map((fleet) =>
  Principal.parse({
    id: `agent-${fleet}`,
    roles: ['writer'],
    owner: 'olga',
    attributes: { fleet },
  }),
)

const setup = {
  catalog: {
    cells: 2,
    rules: newestRules,
    learning: true,
    consoles: [otherConsole],
    capabilities: [look, erase],
    principals: [...all, { id: 'grader' }],
    work: { issuers: ['grader'], workspaces: [{ id: 'site', folder: '/srv/site' }] },
  },
  graph: deletion({ name: 'ask', requiresConfirmation: true }),
}

export async function cellsScene(): Promise<CellsScene> {
  const at = await memoryStand(setup)
  endWithTest(() => at.dispose())
  const { runtime } = at.control
  const bare = { roles: [], attributes: {}, keys: [], suspended: false }
  const root = { roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }
  await changeCatalog(
    runtime,
    ...(['root', 'olga'] as const).map((id) => {
      const entry = { ...bare, ...(id === 'root' && root), id, passkeys: [soft[id].passkey] }
      return { op: 'put' as const, collection: 'principals' as const, entry }
    }),
  )
  const { catalogRevision } = runtime.follower.state
  await until(() => at.on.every((one) => revisionIn(one) === catalogRevision))
  const serving = await serveConsole({
    runtimes: at.on.map((one) => one.runtime),
    listen: { host: '127.0.0.1', port: 0 },
    files,
    url: origin,
  })
  endWithTest(() => serving.close(0))
  const agents = [0, 1].map((cell) => agentOfCell(at.control, all, cell))
  return { at, serving, agents }
}

function revisionIn({ runtime }: TestRuntime): number {
  return runtime.follower.state.catalogRevision
}

export function inCell({ at }: CellsScene, cell: number): TestRuntime {
  const there = at.on[cell]
  if (there === undefined) throw new Error('the cell is there')
  return there
}

export function clientIn(scene: CellsScene, cell: number): Promise<Warrant> {
  const as = scene.agents[cell] ?? ''
  return connect({ as, runtime: inCell(scene, cell).runtime })
}

/** Asks in that cell, and waits until people are asked; the address. */
export async function reviewedIn(scene: CellsScene, cell: number, path: string): Promise<string> {
  const client = await clientIn(scene, cell)
  const payload = { intent: { tool: 'erase', args: { path } } }
  const { address } = await client.publish({
    type: 'query',
    content: 'may I',
    confidence: 1,
    payload,
  })
  const { intents } = inCell(scene, cell).runtime.follower.state
  await until(() => (intents.get(address)?.review ?? null) !== null)
  return address
}

/** A contract for the agent of that cell; the address. */
export async function contractIn(scene: CellsScene, cell: number): Promise<string> {
  const { runtime } = inCell(scene, cell)
  const client = await connect({ as: 'grader', runtime })
  const contract = { taskId: `T-${cell}`, objective: 'write the page', workspace: 'site' }
  const { address } = await client.publish({
    type: 'query',
    receiver: scene.agents[cell] ?? '',
    content: 'please',
    confidence: 1,
    payload: { contract },
  })
  await until(() => runtime.follower.state.contracts.has(address))
  return address
}

export function signedIn(scene: CellsScene, who: Who): Promise<AtBrowser> {
  return signedInByPasskey(scene, who)
}
