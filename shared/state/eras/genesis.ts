// A state as text, cut into chunks that each fit into a fact. Anyone who folded the same facts
// writes the same text, whatever it started from; that is how a snapshot is checked.
import { contractLines } from './contract-entries.ts'
import { canonical, jsonOf } from '#record/canonical'
import type { Catalog } from '#rules/catalog/catalog'
import { digestOf } from '#record/digest'
import { amountText } from '#rules/budgets/decimal'
import { plainPrimitives } from '#knowledge/graph/copy'
import type { GenesisLine } from './genesis-lines.ts'
import { numbersOf, plainSequence } from './plain-sequence.ts'
import { usesOf } from '../budgets.ts'
import type { OpenReview } from '../intent.ts'
import type { State } from '../state.ts'

/** As JSON in a fact a character takes three bytes at most, and a fact has 262 144. */
const chunkCharactersMax = 80_000

/** The chunks of the state; of one that is sealed, as it was at the seal. */
export function writeSnapshot(state: State): Generator<string> {
  return chunksOf(linesOf(state))
}

/**
 * The chunks of what cannot be folded from a few facts alone: the intents, the uses, and how far
 * the sequence of uses were used.
 */
export function writeWork(state: State): Generator<string> {
  return chunksOf(workOf(state))
}

/** Lines as chunks, each of which fits into a fact. */
export function* chunksOf(lines: Iterable<string>): Generator<string> {
  let waiting = ''
  for (const line of lines) {
    waiting += `${line}\n`
    while (waiting.length > chunkCharactersMax) {
      const chunk = waiting.slice(0, cutBefore(waiting, chunkCharactersMax))
      waiting = waiting.slice(chunk.length)
      yield chunk
    }
  }
  yield waiting
}

// Half a surrogate pair is no text.
function cutBefore(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/** What the first chunk comes after. */
export const chainStart = digestOf('')

/** The chain of digests with one more chunk. */
export function chained(after: string, text: string): string {
  return digestOf(`${after}\n${text}`)
}

/** The chain of digests after each chunk. */
export function* chainOf(chunks: Iterable<string>): Generator<string> {
  let digest = chainStart
  for (const chunk of chunks) {
    digest = chained(digest, chunk)
    yield digest
  }
}

// What people wrote keeps the order of its keys: a rule that walks over them must find them as they
// were. What the stages wrote is canonical in the log, so it is here.
function* linesOf(state: State): Generator<string> {
  for (const line of settledLines(state)) yield JSON.stringify(line)
  for (const line of workLines(state)) yield canonical(jsonOf(line))
  for (const line of learningLines(state)) yield canonical(jsonOf(line))
}

function* workOf(state: State): Generator<string> {
  yield JSON.stringify(headOf(state))
  for (const line of workLines(state)) yield canonical(jsonOf(line))
}

/** A catalog as text: two catalogs are the same if this is. */
export function catalogText(catalog: Catalog): string {
  return [...catalogLines(catalog)].map((line) => JSON.stringify(line)).join('\n')
}

function* catalogLines(catalog: Catalog): Generator<GenesisLine> {
  const { trustedEvidence, knownConstraints, learning, now, callbacks } = catalog
  const { rules, cells, conditions, defaults, budgets, servers, consoles, attention, work } =
    catalog
  yield {
    line: 'settings',
    trustedEvidence: [...trustedEvidence],
    knownConstraints: [...knownConstraints],
    learning,
    now,
    callbacks,
    rules,
    ...(cells !== null && { cells }),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(budgets.length > 0 && { budgets: [...budgets] }),
    ...(servers.length > 0 && { servers: [...servers] }),
    ...(consoles.length > 0 && { consoles: [...consoles] }),
    ...(Object.keys(attention).length > 0 && { attention }),
    ...(Object.keys(work).length > 0 && { work }),
  }
  for (const entry of catalog.principals.values()) yield { line: 'principal', entry }
  for (const principal of catalog.keyed) yield { line: 'keyed', principal }
  for (const entry of catalog.groups.values()) yield { line: 'group', entry }
  for (const entry of catalog.capabilities.values()) yield { line: 'capability', entry }
  for (const entry of catalog.confirmations.values()) yield { line: 'confirmation', entry }
  for (const [key, entry] of catalog.limits) yield { line: 'limit', key, entry }
  for (const entry of catalog.resources.values()) yield { line: 'resource', entry }
}

function* settledLines(state: State): Generator<GenesisLine> {
  yield headOf(state)
  yield* catalogLines(state.catalog)
  for (const { name, provenance, levels } of plainPrimitives(state.graph)) {
    const written = levels.map(({ level, properties, relata, provenance: by }) => ({
      level,
      properties,
      relata: relata.map((edge) => ({ ...edge, policies: [...edge.policies] })),
      provenance: by,
    }))
    yield { line: 'primitive', name, provenance, levels: written }
  }
}

function* workLines(state: State): Generator<GenesisLine> {
  for (const intent of state.intents.values()) {
    const { review, decisions, budgets, grants, handovers, taken, ...rest } = intent
    const kept = {
      review: review && writtenReview(review),
      decisions: [...decisions],
      ...(budgets !== undefined && { budgets: [...budgets] }),
      ...(grants !== undefined && { grants: [...grants] }),
      ...(handovers !== undefined && { handovers: [...handovers] }),
      ...(taken !== undefined && { taken: [...taken] }),
    }
    yield { line: 'intent', intent: { ...rest, ...kept } }
  }
  for (const [key, { sequence, times }] of state.uses) {
    yield { line: 'uses', key, series: plainSequence(sequence), times: [...times] }
  }
  for (const [key, { sequence, times }] of state.asks) {
    yield { line: 'asks', key, series: plainSequence(sequence), times: [...times] }
  }
  for (const [person, { times, batch }] of inNameOrder(state.answers)) {
    yield { line: 'answers', person, times: [...times], batch: [...batch] }
  }
  for (const [budget, of] of inNameOrder(state.budgets)) {
    yield { line: 'budget', budget, floor: of.floor }
    for (const [key, kept] of inNameOrder(of.keys)) {
      const uses = usesOf(kept).map(({ agent, address, at, amount }) => {
        return { agent, address, at, amount: amountText(amount) }
      })
      yield { line: 'budgetUses', budget, key, next: plainSequence(kept.sequence), uses }
    }
  }
  for (const [grant, { sequence, taken, total }] of inNameOrder(state.grantUses)) {
    const next = plainSequence(sequence)
    yield { line: 'grantUses', grant, next, taken, total: amountText(total) }
  }
  // Who only has an intent open is in no line, so a state that was restored has another order.
  for (const [agent, { block, liftedThrough, lifts }] of inNameOrder(state.agents)) {
    if (block === null && liftedThrough === 0 && lifts.next === 1 && lifts.used.size === 0) continue
    yield { line: 'agent', agent, block, liftedThrough, lifts: plainSequence(lifts) }
  }
  for (const [group, block] of state.groupBlocks) yield { line: 'groupBlock', group, block }
  for (const [session, block] of state.sessionBlocks) yield { line: 'sessionBlock', session, block }
  for (const running of state.running.values()) yield { line: 'running', running }
  for (const unsettled of state.unsettled.values()) yield { line: 'unsettled', unsettled }
  for (const revocation of state.revocations.values()) yield { line: 'revocation', ...revocation }
  yield* contractLines(state)
  for (const drill of state.drills.values()) {
    const { shownTo, answered } = drill
    yield { line: 'drill', drill: { ...drill, shownTo: [...shownTo], answered: [...answered] } }
  }
  for (const [key, numbers] of state.early) {
    yield { line: 'early', key, numbers: numbersOf(numbers) }
  }
}

function writtenReview({ side, confirmers, reopens, ...review }: OpenReview) {
  const lists = { confirmers: [...confirmers], ...(side !== undefined && { side: [...side] }) }
  const again = reopens && { ...reopens, names: [...reopens.names] }
  return { ...review, ...lists, ...(again !== undefined && { reopens: again }) }
}

function inNameOrder<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

function* learningLines(state: State): Generator<GenesisLine> {
  for (const proposal of state.learning.open.values()) {
    const { met, suggestions } = proposal
    const usable = [...suggestions.usable]
    const written = { ...proposal, met: [...met], suggestions: { ...suggestions, usable } }
    yield { line: 'proposal', proposal: written }
  }
  for (const proposal of state.learning.used) yield { line: 'spent', proposal }
  for (const [key, asked] of state.learning.history) {
    yield { line: 'history', key, asked: { ...asked, met: [...asked.met] } }
  }
  for (const { id, name, position, appendedAt, endedBy, data } of state.grants.byId.values()) {
    yield { line: 'grant', id, name, position, appendedAt, endedBy, data }
  }
  for (const grant of state.grants.dropped) yield { line: 'grantDropped', grant }
  for (const enrolled of state.people.enrolments) yield { line: 'enrolment', enrolled }
  for (const [, absence] of inNameOrder(state.people.absences)) yield { line: 'absence', absence }
}

function headOf(state: State): GenesisLine {
  const { sealed } = state
  const { position, appendedAt } = sealed ?? state
  return {
    line: 'head',
    format: 1,
    log: state.log,
    root: state.root,
    position,
    appendedAt,
    eras: state.eras.map(({ from, to }) => ({ from, to })),
    sealedBy: sealed?.by ?? null,
    snapshotSeries: plainSequence(sealed?.sequence ?? state.snapshotSequence),
    catalogRevision: state.catalogRevision,
    catalogSeries: plainSequence(state.catalogSequence),
    graphRevision: state.graphRevision,
    graphSeries: plainSequence(state.graphSequence),
  }
}
