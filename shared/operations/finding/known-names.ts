// Refuses an agent or a tool that neither the catalog nor any message of the log has, and suggests
// which was meant: a misspelled name must never look like nothing that was found.
import { didYouMean, nearest, quoted } from '#record/quote'
import type { Catalog } from '#rules/catalog/catalog'
import { Fault } from '#record/fault'
import { patternsOf, token, type Place } from '#record/names'
import type { LogReader } from '#ports/log'
import { intentsAsked } from './asked-for.ts'
import { firstLogOf, logPlaces, type Realm } from '../realm.ts'
import { meantIn, type MeantGiven, type MeantOptions } from './filter.ts'

export type NamedInFilter = Pick<MeantOptions, 'agent' | 'tool'>

export interface ReadLog {
  readonly log: LogReader
  readonly place: Place
}

const listedMax = 12

/** Which intents are meant. Throws a Fault `usage` for what is no time, and for unknown names. */
export async function meantKnown(realm: Realm, given: MeantGiven): Promise<MeantOptions> {
  const options = meantIn(given, realm.now)
  await refuseUnknownNames(options, firstLogOf(realm).state.catalog, logPlaces(realm))
  return options
}

export async function refuseUnknownNames(
  { agent = [], tool = [] }: NamedInFilter,
  catalog: Pick<Catalog, 'principals' | 'capabilities'>,
  logs: readonly ReadLog[],
): Promise<void> {
  const agents = [...catalog.principals.keys()]
  const tools = [...catalog.capabilities.keys()]
  for (const each of agent) {
    if (!agents.includes(each) && !(await hasSpoken(logs, each)))
      throw unknown('agent', each, agents)
  }
  for (const each of tool) {
    if (!tools.includes(each) && !(await wasAskedFor(logs, each)))
      throw unknown('tool', each, tools)
  }
}

/** Of an agent that the catalog has no more, or never had. */
async function hasSpoken(logs: readonly ReadLog[], agent: string): Promise<boolean> {
  for (const { log, place } of logs) {
    const names = patternsOf(place, 'vlp', token(agent), '*', '*')
    for await (const fact of log.read({}, names)) return fact.position > 0
  }
  return false
}

/** So many messages are looked at for a tool that the catalog has no more. */
const lookedMax = 100_000

/** Of a log with more messages than are looked at that is not known, and nothing is refused. */
async function wasAskedFor(logs: readonly ReadLog[], tool: string): Promise<boolean> {
  let looked = 0
  for (const { log, place } of logs) {
    const asked = intentsAsked(log, place)
    for await (const fact of log.read({}, patternsOf(place, 'vlp', '*', '*', '*'))) {
      const of = await asked.of(fact)
      if (of?.tool === tool || of?.tools?.includes(tool) === true) return true
      looked += 1
      if (looked >= lookedMax) return true
    }
  }
  return false
}

function unknown(what: string, name: string, known: readonly string[]) {
  const near = nearest(known, name)
  const some = known.slice(0, listedMax).map(quoted).join(', ')
  const more = known.length > listedMax ? ' and others' : ''
  const all = known.length === 0 ? 'has none' : `has ${some}${more}`
  const hint = near.length > 0 ? didYouMean(near) : `; the catalog ${all}`
  return new Fault('usage', `unknown ${what} ${quoted(name)}: no catalog or message has it${hint}`)
}
