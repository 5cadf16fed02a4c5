// Rotates an era: seals the present one, binds the chunks of what the next opens with and what
// proves who may sign for them, and signs. Each step is read off the fold, so anyone who comes
// later goes on where another stopped.
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { nameOf, type Place, patternOf } from '#record/names'
import { isPolicyAdmin } from '#rules/catalog/catalog-operations'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { writeCatalogs, leadsTo, type BoundChange } from '#state/fold/catalogs'
import { allowsKeepers, eraAge, isEraKeeper, type EraAge } from '#state/eras/due'
import { chainOf, chainStart, writeSnapshot } from '#state/eras/genesis'
import type { State } from '#state/state'
import type { Rotation } from '#ports/rotation'
import { snapshotOf, type Opened, beginningOf, type Beginning } from './beginning.ts'
import { fateOf, type KeyAuthor } from '#authoring/change'
import type { Runtime } from '#runtime/engine/runtime'
import type { OnProgress, Progress } from '#runtime/reporting/progress'
import { kinds } from '#schemas/kinds'
import { evolve } from '#state/fold/evolve'
import type { LogReader } from '#ports/log'

export interface Rotated {
  readonly sealed: {
    readonly era: number
    readonly facts: number
    readonly position: number
    /** Who sealed it: perhaps someone else, who began before. */
    readonly by: string
  }
  readonly snapshot: {
    readonly parts: number
    readonly bytes: number
    readonly digest: string
    readonly by: string
    /** Whether the root key vouches for it, also where the eras before are taken away. */
    readonly isRooted: boolean
  }
  /** Intents that the new era took over. */
  readonly open: number
}

type Rotating = Pick<Runtime, 'log' | 'follower' | 'clock'>

export interface RotateOptions {
  readonly onProgress?: OnProgress
  /** Whether the new era begins by this machine's clock, however far the log's is ahead of it. */
  readonly resetsClock?: boolean
}

/** Names that others may take first, beside one for each chunk. */
const conflictsMax = 4_096

/**
 * Resolves when the next era is open. Throws a Fault `no_policy_admin` before anything is sealed
 * if the author may not sign for it.
 */
export async function rotate(
  runtime: Rotating,
  author: KeyAuthor,
  rotation: Rotation | null,
  { onProgress, resetsClock = false }: RotateOptions = {},
): Promise<Rotated> {
  const { log, follower } = runtime
  const { state } = follower
  refuseStranger(state, author)
  if (resetsClock) await refuseReset(runtime, rotation)
  const { realm, era } = state.place
  const next = { realm, era: era + 1 }
  await refuseEarly(runtime, author)
  // Where someone stopped before the last step, that step is all that is left to do.
  if ((await rotation?.admit(state.place)) === true) return rotatedAt(log, state.place)
  if (rotation !== null) {
    const { position } = await rotation.seal({ realm, era })
    await follower.reached(position)
    await rotation.open(next, position + 1)
  }
  const pieces: Piece[] = []
  for (let round = 0; state.place.era === era; round += 1) {
    if (state.sealed !== null && pieces.length === 0) {
      pieces.push(...chunksOf(state), ...(await catalogsIn(log, state)))
      // Meanwhile another may have turned it.
      continue
    }
    if (round > conflictsMax + pieces.length) throw overtaken(next)
    if (pieces.length > 0) onProgress?.(boundOf(state, pieces))
    await bindStep(runtime, next, author, stepOf(state, pieces, resetsClock))
  }
  await rotation?.admit(next)
  return rotatedAt(log, next)
}

/** It must stand for all eras before: it is read back as by someone who has nothing else. */
async function rotatedAt(log: Rotating['log'], place: Place): Promise<Rotated> {
  const found = await snapshotOf(log, place, null)
  if (found !== null) return rotatedTo(found)
  const message = `what era ${place.era} opened with cannot be read back`
  throw new Fault('snapshot_unreadable', message)
}

function boundOf(state: State, pieces: readonly Piece[]): Progress {
  const done = pieces.filter((piece) => !isMissing(state, piece)).length
  return { doing: 'carrying over', of: 'chunks', done, total: pieces.length }
}

function isMissing({ sealed }: State, { step, digest }: Piece): boolean {
  if (sealed === null) return false
  return step === 'chunk' ? sealed.missing.has(digest) : !sealed.catalogs.has(digest)
}

/** A policy admin may always, a keeper when the era is due, or to end what was begun. */
function refuseStranger(state: State, { id, privateKey }: KeyAuthor): void {
  const principal = state.catalog.principals.get(id)
  const isTheirs = principal?.keys.includes(publicKeyOf(privateKey)) === true
  if (principal !== undefined && isTheirs && isPolicyAdmin(principal)) return
  const isKeeper = principal !== undefined && isTheirs && isEraKeeper(principal)
  if (isKeeper && allowsKeepers(state.catalog)) return
  const message = `\`${id}\` with that key is not a policy admin: nothing is sealed`
  throw new Fault('no_policy_admin', message)
}

/**
 * A keeper's seal does not count before the era is due, and then nothing may be sealed on servers.
 */
async function refuseEarly(runtime: Rotating, { id }: KeyAuthor): Promise<void> {
  const { catalog, sealed } = runtime.follower.state
  const keeper = catalog.principals.get(id)
  if (keeper === undefined || !isEraKeeper(keeper) || sealed !== null) return
  if (await isDue(runtime)) return
  throw new Fault('rotation_early', `the era is not due, and \`${id}\` rotates it only then`)
}

/** Whether an era keeper may rotate the current era. */
export async function isDue(runtime: Rotating): Promise<boolean> {
  const age = await eraNow(runtime)
  return age !== null && age.dueBy !== null
}

/** How the current era stands by the log's end and, where servers stamp it, their clock. */
export async function eraNow({ log, follower, clock }: Rotating): Promise<EraAge | null> {
  const head = await log.head()
  const appendedAt = Math.max(head.appendedAt, head.now ?? clock.now())
  return eraAge(follower.state, { position: head.position + 1, appendedAt })
}

/** Within this difference an append is not refused, and there is nothing to reset. */
const resetMsMin = 5_000

async function refuseReset({ log, clock }: Rotating, rotation: Rotation | null): Promise<void> {
  if (rotation !== null) {
    const message = 'servers stamp this log: correct their clocks, and its time goes on'
    throw new Fault('clock_of_servers', message)
  }
  const { appendedAt } = await log.head()
  const now = clock.now()
  if (now < appendedAt - resetMsMin) return
  const [head, own] = [appendedAt, now].map((instant) => new Date(instant).toISOString())
  const message = `the log ends at ${head}, and this clock says ${own}: there is nothing to reset`
  throw new Fault('clock_not_behind', message)
}

/** A piece of the state, or of the change sets that its catalog came from. */
interface Piece {
  readonly step: 'chunk' | 'catalogs'
  readonly part: number
  readonly after: string
  readonly digest: string
  readonly text: string
}

function chunksOf(state: State): Generator<Piece> {
  return piecesOf('chunk', [...writeSnapshot(state)])
}

async function catalogsIn(log: Runtime['log'], state: State): Promise<readonly Piece[]> {
  const changes = await catalogsOf(log, state)
  return changes === null ? [] : [...piecesOf('catalogs', [...writeCatalogs(changes)])]
}

function* piecesOf(step: Piece['step'], texts: readonly string[]): Generator<Piece> {
  let after = chainStart
  let part = 0
  for (const digest of chainOf(texts)) {
    const text = texts[part] ?? ''
    part += 1
    yield { step, part, after, digest, text }
    after = digest
  }
}

/**
 * What is to be bound next. A piece needs no signature: anyone who folded the log derives the
 * state, and change sets are signed.
 */
interface Step {
  /** How it is appended where this clock is behind the log. */
  readonly behind?: 'keep' | 'reset'
  readonly isSigned: boolean
  readonly content: { readonly [key: string]: Json }
}

function stepOf(state: State, pieces: readonly Piece[], resetsClock: boolean): Step {
  const { sealed, place } = state
  const keep = resetsClock ? { behind: 'keep' as const } : {}
  if (sealed === null) {
    return { ...keep, isSigned: true, content: { step: 'seal', seals: place.era } }
  }
  const piece = pieces.find((each) => isMissing(state, each))
  if (piece !== undefined) {
    const { step, part, after, text } = piece
    return { ...keep, isSigned: false, content: { step, part, after, text } }
  }
  const { position, digests } = sealed
  const digest = digests.at(-1) ?? chainStart
  const last = pieces.findLast(({ step }) => step === 'catalogs')
  const catalogs = last && { parts: last.part, digest: last.digest }
  const chain = { position, parts: digests.length, digest, ...(catalogs && { catalogs }) }
  const content = { step: 'end', ...chain }
  if (!resetsClock) return { isSigned: true, content }
  return { behind: 'reset', isSigned: true, content: { ...content, resetsClock: true } }
}

async function bindStep(
  { log, follower, clock }: Rotating,
  next: Place,
  { id, privateKey }: KeyAuthor,
  { behind, isSigned, content }: Step,
): Promise<void> {
  const { state } = follower
  const name = nameOf(next, 'snapshot', state.snapshotSequence.next)
  const signed = { ...content, by: id }
  const signature = isSigned ? signData({ log: state.log, name }, signed, privateKey) : null
  const data = signature === null ? content : jsonOf({ ...signed, signature })
  const time = new Date(clock.now()).toISOString()
  const stamp = { source: 'warrant/policy-admin', time, basis: state.position }
  const fate = fateOf(follower, name)
  try {
    const entry = { name, bytes: writeEvent('snapshot', name, data, stamp) }
    const { appended, fact } = await log.append(entry, behind === undefined ? {} : { behind })
    await follower.reached(fact.position)
    const why = fate.why()
    // Another may have bound it first, and everything it says counts as if it were ours.
    if (!appended || why === null) return
    throw new Fault('rotation_void', `\`${name}\` is void: ${why}`)
  } finally {
    fate.stop()
  }
}

function overtaken({ era }: Place): Fault {
  return new Fault('conflict', `others took ${conflictsMax} names of era ${era} first`)
}

function rotatedTo({ state, start }: Opened): Rotated {
  const { place, eras, sealed, intents } = state
  const { position, digest, by, isRooted } = start
  let bytes = 0
  for (const text of writeSnapshot(state)) bytes += Buffer.byteLength(text)
  // A seal is of the era that it opens.
  const facts = position - (eras.at(-2)?.to ?? 1)
  return {
    sealed: { era: place.era, facts, position, by: sealed?.by ?? '' },
    snapshot: { parts: sealed?.digests.length ?? 0, bytes, digest, by, isRooted },
    open: intents.size,
  }
}

// The change sets that the catalog came from, out of the log, for the next era to carry. The eras
// before need not be there, if the first that is carries them too.

/** Those of a state that is sealed; null where the first of them are not in the log. */
async function catalogsOf(log: LogReader, state: State): Promise<readonly BoundChange[] | null> {
  const { place, rootKey } = state
  const { realm } = place
  const begun = await beginningOf(log, place, rootKey)
  const first = begun.start?.era ?? 1
  // Nearly always the present era carries all but its own.
  for (let { era } = place; era > first; era -= 1) {
    const opened = await snapshotOf(log, { realm, era }, rootKey)
    const changes = opened === null ? null : await changesSince(log, opened, state)
    if (changes !== null) return changes
  }
  return changesSince(log, begun, state)
}

async function changesSince(
  log: LogReader,
  { state: begun, catalogs: before }: Beginning,
  state: State,
): Promise<readonly BoundChange[] | null> {
  if (before === null || state.sealed === null) return null
  const changes = [...before]
  const partial: State = { ...begun, isPartial: true, intents: new Map(), uses: new Map() }
  const range = { from: begun.position + 1, to: state.sealed.position }
  for await (const fact of log.read(range, namesIn(begun.place, state.place))) {
    const { parts, void: why } = evolve(partial, fact)
    const isChange = parts !== null && kinds[parts.kind].about === 'knowledge'
    if (why === null && isChange) changes.push(fact)
  }
  return leadsTo(state, changes) ? changes : null
}

/** Catalogs, and what turns eras. Of the next one someone may have bound what is too early. */
function namesIn(first: Place, { realm, era }: Place): readonly string[] {
  const eras = Array.from({ length: era + 2 - first.era }, (_, index) => first.era + index)
  return eras.flatMap((one) =>
    (['catalog', 'snapshot'] as const).map((kind) => patternOf({ realm, era: one }, kind)),
  )
}
