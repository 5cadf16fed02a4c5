// A case that someone made up: a catalog, a graph, earlier messages, a time and a request. The
// stages' own deciders answer it, as they would in a log with all of that; nothing is signed, and
// nothing is bound outside of this process.
import { utf8 } from '#platform/bytes'
import { usesOfCallMax } from '#stages/budgets/asked-budgets'
import { MemoryStore } from '#log/memory/log'
import { systemTimer } from '#system/clock'
import type { Catalog } from '#rules/catalog/catalog'
import { draftOfPrincipals } from '#rules/catalog/people/held-principals'
import type { Graph } from '#knowledge/graph/revision'
import { digestOf } from '#record/digest'
import { assert, Fault } from '#record/fault'
import { addressOf, nameOf, partsInRealm } from '#record/names'
import { writeLine } from '#record/ndjson'
import { buildMessage, type MessageFields } from '#messages/build'
import { derivedBytes } from '#stages/derived'
import type { Stage } from '#stages/stage'
import { viewOf } from '#stages/view'
import { foldCaches } from '#state/caches/fold-caches'
import { evolve } from '#state/fold/evolve'
import { newState, type State } from '#state/state'
import type { CallbackRunner } from '#ports/callbacks'
import type { Fact, Log } from '#ports/log'
import { isUse, type Kind } from '#schemas/kinds'
import {
  gatherAnswers,
  gatherContext,
  gatherOpening,
  readerOf,
} from '#runtime/engine/gathering/gather'
import type { Reader } from '#runtime/engine/gathering/gather'

/** A message of a case; a request if its payload has an intent. */
export interface TrialMessage {
  readonly fields: MessageFields
  /** Milliseconds since 1970; none is before the one before it. */
  readonly at: number
  /** In another session than the others, or in none. */
  readonly session?: string | null | undefined
  /** Of a request that people are asked about: the stage by which they have answered. */
  readonly answering?: Stage | undefined
}

export interface Trial {
  readonly catalog: Catalog
  readonly graph: Graph
  readonly stages: readonly Stage[]
  readonly callbacks: CallbackRunner
  readonly session: string | null
  /** Earlier messages, oldest first; each request is answered when it is asked. */
  readonly before: readonly TrialMessage[]
  readonly request: TrialMessage
}

const place = { realm: 'trial', era: 1 } as const
/** So many facts may follow from one request. */
const roundsMax = usesOfCallMax + 64

/** The facts that followed from the request, in log order. */
export async function tryOut(trial: Trial): Promise<readonly Fact[]> {
  const { before, request } = trial
  const made = await begun(trial)
  try {
    for (const message of before) await say(made, message)
    return await say(made, request)
  } finally {
    await made.log.close()
  }
}

interface Made {
  readonly trial: Trial
  readonly state: State
  readonly log: Log
  readonly reader: Reader
  readonly clock: { time: number }
}

async function begun(trial: Trial): Promise<Made> {
  const clock = { time: trial.request.at }
  const store = new MemoryStore({ clock: { now: () => clock.time }, timer: systemTimer })
  const log = store.open()
  const caches = foldCaches()
  const state = newState(place)
  const speakers = [...trial.before, trial.request].map(({ fields }) => fields.sender)
  state.catalog = unsigned(trial.catalog, new Set(speakers))
  state.catalogRevision = 1
  state.graph = trial.graph
  state.graphRevision = 1
  state.log = digestOf('a made-up log')
  return { trial, state, log, reader: readerOf(log, 0, caches), clock }
}

/** A case holds no signatures: anyone who speaks in it is believed without a key. */
function unsigned(catalog: Catalog, speakers: ReadonlySet<string>): Catalog {
  const principals = draftOfPrincipals(catalog.principals)
  for (const id of speakers) {
    const found = principals.get(id)
    if (found !== undefined && found.keys.length > 0) principals.set(id, { ...found, keys: [] })
  }
  const keyed = new Map([...catalog.keyed].filter(([id]) => !speakers.has(id)))
  // A case is of one log, whatever cells its realm has.
  return { ...catalog, principals, keyed, cells: null }
}

async function say(made: Made, message: TrialMessage): Promise<readonly Fact[]> {
  const { trial, log, clock } = made
  const { fields, at, session = trial.session, answering } = message
  clock.time = at
  const { position } = await log.head()
  const id = `m${position + 1}`
  const address = addressOf(fields.sender, session, id)
  const built = buildMessage(
    { ...fields, ...(session !== null && { session_id: session }) },
    { now: at, id: `MSG-${id}` },
  )
  const bytes = utf8(writeLine(built).trimEnd())
  await append(made, { name: nameOf(place, 'vlp', address), bytes })
  const asking = trial.stages.filter(({ name }) => name === 'grounding' || name === 'policy')
  const facts = await settle(made, address, asking)
  if (answering === undefined) return facts
  if (kindOf(facts.at(-1)) !== 'review') {
    throw new Fault('cases_invalid', 'it is answered, and no one is asked about it')
  }
  return [...facts, ...(await settle(made, address, [answering]))]
}

async function append(
  { log, state, reader }: Made,
  entry: Pick<Fact, 'name' | 'bytes'>,
): Promise<Fact> {
  const { appended, fact } = await log.append(entry)
  assert(appended, 'each name of a case is bound once')
  const folded = evolve(state, fact, reader.caches)
  reader.sessions.receive(fact, folded, state)
  return fact
}

/** Lets the stages answer until none has more to say of it. */
async function settle(
  made: Made,
  address: string,
  stages: readonly Stage[],
): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  for (let round = 0; round < roundsMax; round += 1) {
    const before = facts.length
    for (const stage of stages) {
      const entry = await draftOf(made, stage, address)
      if (entry !== null) facts.push(await append(made, entry))
    }
    const kind = kindOf(facts.at(-1))
    // A counted use is only half of what there is to say.
    const hasEnded = kind !== null && kind !== 'grounding' && !isUse(kind)
    if (hasEnded || facts.length === before) return facts
  }
  return facts
}

function kindOf(fact: Fact | undefined): Kind | null {
  return fact === undefined ? null : (partsInRealm(fact.name, place.realm)?.kind ?? null)
}

async function draftOf(
  { state, reader, trial, clock }: Made,
  stage: Stage,
  address: string,
): Promise<Pick<Fact, 'name' | 'bytes'> | null> {
  const intent = state.intents.get(address)
  const opening = intent === undefined ? null : await gatherOpening(reader, state, intent)
  const view = opening === null ? null : viewOf(state, address, opening)
  if (view === null) return null
  const time = new Date(clock.time).toISOString()
  const context = await gatherContext(reader, view)
  const calls = stage.calls?.(view, context, time) ?? []
  const answers = await gatherAnswers(trial.callbacks, view, calls)
  const draft = stage.decide({ view, context, answers, time })
  if (draft === null) return null
  const stamp = { source: `warrant/${stage.name}/trial`, time, basis: view.basis }
  return { name: draft.name, bytes: derivedBytes(draft, view, stamp) }
}
