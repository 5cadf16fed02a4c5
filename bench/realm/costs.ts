// What the parts of a realm cost, each measured of the code that does it: a verdict, an agent of
// the catalog, an open intent, a change, a move, the turn of an era, and a name on the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { memoryLog } from '#log/memory/log'
import { assert } from '#record/fault'
import type { Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { newCatalog } from '#rules/catalog/catalog-file'
import { cellOf } from '#rules/catalog/cells'
import { bytesOf } from '#record/change-sets'
import type { CatalogOperation } from '#schemas/catalog'
import { writeSnapshot } from '#state/eras/genesis'
import { readSnapshot } from '#state/eras/restore'
import { newState, type State } from '#state/state'
import { readingBy } from '../../test/support/intents.ts'
import { testRuntime } from '../../test/support/runtime.ts'
import { canStartNats } from '../../test/support/servers/nats-server.ts'
import { answerAll, deploy, factsAbout, inFolder, messages } from '../deployment.ts'
import { cpuOf, isQuick, sized } from '../harness.ts'
import { openRaw, publishSeconds } from '../nats/raw.ts'
import { makeStreamOn, onServer, rawPlace } from '../nats/server.ts'
import { heap, idsNaming, printedHere } from '../process.ts'

/** Bytes, and microseconds of one CPU. */
const Costs = z.strictObject({
  /** Of a process that serves, with few agents in its catalog. */
  processBytes: z.number(),
  verdictUs: z.number(),
  verdictBytes: z.number(),
  verdictFacts: z.number(),
  /** In memory, of each agent of the realm. */
  agentBytes: z.number(),
  /** In the log, of its entry. */
  entryBytes: z.number(),
  entryUs: z.number(),
  openBytes: z.number(),
  /**
   * For each agent of the catalog: to fold a change of one entry and look up a place after it, and
   * to fold both change sets of a move.
   */
  changeAgentUs: z.number(),
  moveAgentUs: z.number(),
  /** To write the state at a turn: of an agent, and of an open intent. */
  sealedAgentUs: z.number(),
  sealedAgentBytes: z.number(),
  sealedOpenUs: z.number(),
  sealedOpenBytes: z.number(),
  /** Memory of the server for each name of a stream; null where none can be started. */
  nameBytes: z.number().nullable(),
})
export type Costs = z.infer<typeof Costs>

const verdicts = sized(10_000)
const agents = sized(100_000)
const opened = sized(20_000)
const names = sized(100_000)
const setEntries = 1_700
/** Fewer than an agent may have open at once. */
const openEach = 200

/** In a process of its own, whose garbage can be collected before each look. */
export async function measuredCosts(): Promise<Costs> {
  return Costs.parse(
    JSON.parse(await printedHere(import.meta.filename, isQuick ? ['--quick'] : [])),
  )
}

async function measured(): Promise<Costs> {
  const ofVerdict = await inFolder((folder) => verdictCosts(join(folder, 'log.db')))
  const ofAgents = await agentCosts()
  const ofOpen = await openCosts()
  return { ...ofVerdict, ...ofAgents, ...ofOpen, nameBytes: canStartNats ? await nameCost() : null }
}

async function verdictCosts(path: string) {
  const runtime = await deploy(path)
  // What is not yet compiled and made costs more.
  await answerAll(runtime, messages(runtime, verdicts), 256)
  heap()
  const processBytes = process.memoryUsage().rss
  const { position } = runtime.follower.state
  const entries = [...messages(runtime, verdicts)]
  const used = await cpuOf(() => answerAll(runtime, entries, 256))
  const facts = await factsAbout(runtime, position + 1)
  await runtime.stop()
  const bytes = facts.reduce((sum, fact) => sum + fact.bytes.length + fact.name.length, 0)
  return {
    processBytes,
    verdictUs: used / verdicts,
    verdictBytes: bytes / verdicts,
    verdictFacts: facts.length / verdicts,
  }
}

function entryOf(id: string, fleet: string): CatalogOperation {
  const entry = { id, owner: 'owner', roles: [], attributes: { fleet }, keys: [], suspended: false }
  return { op: 'put', collection: 'principals', entry }
}

function changed(catalog: Catalog, operations: readonly CatalogOperation[]): Catalog {
  const { catalog: after } = applyCatalogChange(catalog, operations)
  assert(after !== undefined, 'a change of the bench can be applied')
  return after
}

/** As they come out of the log: nothing in them is shared yet. */
function asRead(operations: readonly CatalogOperation[]): readonly CatalogOperation[] {
  return structuredClone(operations)
}

async function agentCosts() {
  const { op, collection, entry } = {
    op: 'put' as const,
    collection: 'principals' as const,
    entry: {
      id: 'owner',
      roles: [],
      attributes: {},
      keys: [],
      suspended: false,
    },
  }
  let catalog = changed(newCatalog, [
    { op, collection, entry },
    { op: 'set', key: 'cells', value: 100 },
  ])
  const before = heap()
  let bytes = 0
  const used = await cpuOf(() => {
    for (let from = 0; from < agents; from += setEntries) {
      const many = Math.min(setEntries, agents - from)
      const set = Array.from({ length: many }, (_, at) => {
        return entryOf(`agent-${from + at}`, `fleet-${(from + at) % 1_000}`)
      })
      bytes += set.reduce((sum, one) => sum + bytesOf(one), 0)
      catalog = changed(catalog, asRead(set))
    }
  })
  const agentBytes = (heap() - before) / agents
  const rounds = 20
  const change = await cpuOf(() => {
    for (let round = 0; round < rounds; round += 1) {
      catalog = changed(catalog, asRead([entryOf(`new-${round}`, 'fleet-1')]))
      cellOf(catalog, `agent-${round}`)
    }
  })
  const move = await cpuOf(() => {
    for (let round = 0; round < rounds; round += 1)
      catalog = moved(catalog, `agent-${round}`, round)
  })
  const sealed = await sealCosts({ ...newState({ realm: 'main', era: 1 }, null), catalog }, agents)
  return {
    agentBytes,
    entryBytes: bytes / agents,
    entryUs: used / agents,
    changeAgentUs: change / rounds / agents,
    moveAgentUs: move / rounds / agents,
    sealedAgentUs: sealed.us,
    sealedAgentBytes: sealed.bytes,
  }
}

function moved(catalog: Catalog, id: string, round: number): Catalog {
  const left = changed(catalog, [{ op: 'leave', id }])
  const from = cellOf(left, id) ?? 0
  const fleet = otherFleet(left, from, round)
  const at = new Date(0).toISOString()
  const arrival = { op: 'arrive' as const, id, from, at, uses: [], asks: [], block: null }
  return changed(left, asRead([entryOf(id, fleet), arrival]))
}

function otherFleet(catalog: Catalog, from: number, round: number): string {
  for (let number = round; ; number += 1) {
    const id = `agent-${number + 100}`
    if (cellOf(catalog, id) !== from) return catalog.principals.get(id)?.attributes['fleet'] ?? ''
  }
}

async function sealCosts(state: State, count: number) {
  let bytes = 0
  const used = await cpuOf(() => {
    for (const chunk of writeSnapshot(state)) bytes += Buffer.byteLength(chunk)
  })
  return { us: used / count, bytes: bytes / count }
}

/** Intents that no stage answers. */
async function openCosts() {
  const ids = Array.from({ length: Math.ceil(opened / openEach) }, (_, at) => `s${at}`)
  const { runtime, log } = await testRuntime({ ...readingBy(ids), log: memoryLog(), stages: [] })
  const { state } = runtime.follower
  for (const entry of messages(runtime, opened, ids)) await log.append(entry)
  await runtime.follower.reached((await log.head()).position)
  // The log is in memory, too: what is counted is another state with the same intents.
  const chunks = [...writeSnapshot(state)]
  const before = heap()
  const copy = readSnapshot(chunks, { realm: state.place.realm })
  const openBytes = (heap() - before) / opened
  assert(copy.intents.size === opened, 'all of them are open')
  const sealed = await sealCosts(state, opened)
  await runtime.stop(0)
  return { openBytes, sealedOpenUs: sealed.us, sealedOpenBytes: sealed.bytes }
}

function nameCost(): Promise<number> {
  return onServer({}, async (server) => {
    await makeStreamOn(server, rawPlace)
    const raw = await openRaw(server.url)
    const entries = [...messages({ place: rawPlace }, 2 * names)]
    await publishSeconds(raw, entries.slice(0, names), 256)
    const before = residentOf(server.folder)
    await publishSeconds(raw, entries.slice(names), 256)
    const after = residentOf(server.folder)
    await raw.connection.close()
    return Math.max(0, after - before) / names
  })
}

function residentOf(folder: string): number {
  const [id] = idsNaming(folder)
  assert(id !== undefined, 'the server runs')
  const [, kilobytes] =
    /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

const [, program] = process.argv
if (program === import.meta.filename) {
  process.stdout.write(JSON.stringify(await measured()))
  process.exit()
}
