// A state out of the chunks of a snapshot. It believes nothing of who wrote them: anyone who reads
// a snapshot must know its digest from a trusted source.
import { utf8 } from '#platform/bytes'
import type { Catalog } from '#rules/catalog/catalog'
import { emptyCatalog } from '#rules/catalog/catalog'
import { refuseUnknownRules } from '#rules/catalog/rules-version'
import { runKey } from '#messages/executions/executions'
import { amountWritten } from '#rules/budgets/decimal'
import { Fault } from '#record/fault'
import { withAbsence, withEnrolment, type PeopleSaid } from '#messages/people/people-said'
import { grantsOf, type Grant } from '#rules/grants/book'
import { graphOfPrimitives } from '#knowledge/graph/copy'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { agentIn } from '#record/names'
import { withRevocation } from '#messages/warrants/revocations'
import { withAgent } from '../agents.ts'
import { newAgent } from '../agent-state.ts'
import { addBudgetUse, budgetUsesIn, replaceUses } from '../budgets.ts'
import { expectEqual } from '../requests.ts'
import { sealAt } from './seal.ts'
import { sequenceOf } from './plain-sequence.ts'
import { GenesisLine, type LineOf } from './genesis-lines.ts'
import { restoreContract } from './contract-entries.ts'
import { noEntries, takeEntry, withEntries, type RestoredEntries } from './restored-entries.ts'
import { newState, type State } from '../state.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Draft {
  readonly state: State
  readonly primitives: LineOf<'primitive'>[]
  readonly catalog: Mutable<Catalog>
  readonly entries: RestoredEntries
  readonly open: Map<string, LineOf<'proposal'>['proposal']>
  readonly history: Map<string, LineOf<'history'>['asked']>
  readonly used: Set<string>
  readonly grants: Grant[]
  readonly grantsDropped: string[]
  head: LineOf<'head'> | null
}

/** The state that was written in these chunks. Throws a Fault for chunks that no state wrote. */
export function readSnapshot(chunks: Iterable<string>, of: Written): State {
  return whole(drafted(chunks, of))
}

interface Written {
  readonly realm: string
  readonly rootKey?: string | null
}

function drafted(chunks: Iterable<string>, { realm, rootKey = null }: Written): Draft {
  const draft = newDraft(newState({ realm, era: 1 }, rootKey))
  let rest = ''
  for (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(draft, lineOf(line))
  }
  if (rest !== '') throw unreadable('its last line is not whole')
  return draft
}

function newDraft(state: State): Draft {
  return {
    state,
    primitives: [],
    catalog: { ...emptyCatalog },
    entries: noEntries(),
    open: new Map(),
    history: new Map(),
    used: new Set(),
    grants: [],
    grantsDropped: [],
    head: null,
  }
}

// One intent may hold several facts, and each nests deeper here than where it was.
const limits = { bytesMax: 64 * 1024 * 1024, depthMax: 160, inexact: 'change' } as const

function lineOf(text: string): GenesisLine {
  const json = readJson(utf8(text), limits)
  if (!json.ok) throw unreadable(describeJsonFault(json))
  const line = GenesisLine.safeParse(json.value)
  if (line.success) return line.data
  const [issue] = line.error.issues
  throw unreadable(`/${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`)
}

function take(draft: Draft, line: GenesisLine): void {
  const { state, entries } = draft
  switch (line.line) {
    case 'head':
      draft.head = line
      return
    case 'settings':
      restoreSettings(draft, line)
      return
    case 'principal':
    case 'keyed':
    case 'group':
    case 'capability':
    case 'confirmation':
    case 'limit':
    case 'resource':
      takeEntry(entries, line)
      return
    case 'primitive':
      draft.primitives.push(line)
      return
    case 'intent':
      restoreIntent(state, line.intent)
      return
    case 'uses':
    case 'asks':
      state[line.line].set(line.key, { sequence: sequenceOf(line.series), times: line.times })
      return
    case 'budget':
    case 'budgetUses':
      restoreBudget(state, line)
      return
    case 'grant':
    case 'grantDropped':
    case 'grantUses':
      restoreGrants(draft, line)
      return
    case 'agent':
    case 'groupBlock':
    case 'sessionBlock':
    case 'revocation':
      restoreStop(state, line)
      return
    case 'enrolment':
    case 'absence':
      state.people = withSaid(state.people, line)
      return
    case 'running':
    case 'unsettled':
      restoreExecution(state, line)
      return
    case 'proposal':
    case 'history':
      takeAsked(draft, line)
      return
    case 'spent':
      draft.used.add(line.proposal)
      return
    case 'contract':
    case 'standing':
    case 'reinstatements':
      restoreContract(state, line)
      return
    case 'answers':
    case 'drill':
    case 'early':
      restoreAside(state, line)
  }
}

function restoreAside(state: State, line: LineOf<'answers' | 'drill' | 'early'>): void {
  if (line.line === 'early') state.early.set(line.key, new Set(line.numbers))
  else if (line.line === 'drill')
    state.drills = new Map(state.drills).set(line.drill.id, line.drill)
  else state.answers.set(line.person, { times: line.times, batch: line.batch })
}

function takeAsked(draft: Draft, line: LineOf<'proposal' | 'history'>): void {
  if (line.line === 'proposal') draft.open.set(line.proposal.id, line.proposal)
  else draft.history.set(line.key, line.asked)
}

function withSaid(said: PeopleSaid, line: LineOf<'enrolment' | 'absence'>): PeopleSaid {
  return line.line === 'enrolment'
    ? withEnrolment(said, line.enrolled)
    : withAbsence(said, line.absence)
}

function restoreAgent(state: State, line: LineOf<'agent'>): void {
  const { agent, block, liftedThrough, lifts } = line
  const { open } = state.agents.get(agent) ?? newAgent
  withAgent(state, agent, { open, block, liftedThrough, lifts: sequenceOf(lifts) })
}

function restoreSettings({ catalog }: Draft, line: LineOf<'settings'>): void {
  const { line: _, ...settings } = line
  const { cells = null, conditions = [], budgets = [], servers = [] } = settings
  const { consoles = [], attention = {}, work = {} } = settings
  refuseUnknownRules(settings)
  Object.assign(catalog, settings, {
    cells,
    conditions,
    budgets,
    servers,
    consoles,
    attention,
    work,
  })
}

function restoreStop(
  state: State,
  line: LineOf<'agent' | 'groupBlock' | 'sessionBlock' | 'revocation'>,
): void {
  if (line.line === 'agent') restoreAgent(state, line)
  else if (line.line === 'groupBlock') state.groupBlocks.set(line.group, line.block)
  else if (line.line === 'sessionBlock') state.sessionBlocks.set(line.session, line.block)
  else {
    const { target, name, position } = line
    state.revocations = withRevocation(state.revocations, { target, name, position })
  }
}

function restoreExecution(
  { running, unsettled }: State,
  line: LineOf<'running' | 'unsettled'>,
): void {
  if (line.line === 'running') {
    running.set(line.running.address, line.running)
    return
  }
  const { agent, capability, executed } = line.unsettled
  unsettled.set(runKey(agent, capability, executed), line.unsettled)
}

function restoreGrants(
  { state, grants, grantsDropped }: Draft,
  line: LineOf<'grant' | 'grantDropped' | 'grantUses'>,
): void {
  switch (line.line) {
    case 'grant': {
      const { line: _, ...grant } = line
      grants.push({ ...grant, until: Date.parse(grant.data.until) })
      return
    }
    case 'grantDropped':
      grantsDropped.push(line.grant)
      return
    case 'grantUses': {
      const { grant, next, taken, total } = line
      const uses = { sequence: sequenceOf(next), taken, total: amountWritten(total) }
      state.grantUses.set(grant, uses)
    }
  }
}

function restoreBudget({ budgets }: State, line: LineOf<'budget' | 'budgetUses'>): void {
  const { budget } = line
  const of = budgetUsesIn(budgets, budget)
  if (line.line === 'budget') {
    of.floor = line.floor
    return
  }
  const { key } = line
  of.keys.set(key, { sequence: sequenceOf(line.next), list: [], from: 0, to: 0, total: 0n })
  for (const { amount, ...use } of line.uses) {
    addBudgetUse(budgets, budget, { ...use, key, amount: amountWritten(amount) })
  }
}

function restoreIntent(state: State, intent: LineOf<'intent'>['intent']): void {
  state.intents.set(intent.address, intent)
  expectEqual(state, intent)
  const agent = agentIn(intent.address)
  const agentState = state.agents.get(agent) ?? newAgent
  withAgent(state, agent, { ...agentState, open: agentState.open + 1 })
}

function whole({ state, head, primitives, catalog, entries, ...learning }: Draft): State {
  const graph = graphOfPrimitives(primitives)
  if (head === null || graph === null) throw unreadable('it is not whole')
  const { position, appendedAt, eras, sealedBy } = head
  state.log = head.log
  state.root = head.root
  state.position = position
  state.appendedAt = appendedAt
  state.eras = eras
  state.place = { realm: state.place.realm, era: eras.length }
  state.snapshotSequence = sequenceOf(head.snapshotSeries)
  state.catalog = withEntries(catalog, entries)
  state.catalogRevision = head.catalogRevision
  state.catalogSequence = sequenceOf(head.catalogSeries)
  state.graph = graph
  state.graphRevision = head.graphRevision
  state.graphSequence = sequenceOf(head.graphSeries)
  const { open, history, used, grants, grantsDropped } = learning
  state.learning = { open, history, used }
  state.grants = grantsOf(grants, grantsDropped)
  for (const of of state.budgets.values()) replaceUses(of, (_key, uses) => uses)
  if (sealedBy !== null) sealAt(state, { by: sealedBy, position, appendedAt })
  return state
}

function unreadable(why: string): Fault {
  return new Fault('snapshot_unreadable', `the snapshot cannot be read: ${why}`)
}
