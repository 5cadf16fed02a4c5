// What a runtime that has the log finds of the work on it: for the command, which opens one, and
// for a server that runs already.
import { systemClock } from '#system/clock'
import { decidesForOthers } from '#rules/catalog/duties'
import { keylessIn } from '#rules/catalog/keyless'
import { readEvent } from '#record/event'
import { partsInRealm, patternOf } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { waitsJson } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import type { FoldListener } from '#runtime/engine/follower'
import type { Runtime } from '#runtime/engine/runtime'
import { beginningOf } from '#replay/eras/beginning'
import { keyPlaces, readableKeys } from '#runtime/keys/key-files'
import { holderOf } from '#runtime/keys/keys'
import { isRemote, type LogPlace } from '#runtime/logs/log-url'
import { ok, warning, failure, type DoctorFinding } from '#health/doctor/finding'
import { configuration } from '#wiring/config'
import {
  callbacksFindings,
  applyFindings,
  catalogFindings,
  contractFindings,
  doorFindings,
  evaluatorFindings,
  grantFindings,
} from './catalog.ts'
import { observedCount, observedFindings } from './observing.ts'
import { workFindings, type KeySeen, type WorkSeen } from './work.ts'
import { existsSync } from 'node:fs'
import { join, basename } from 'node:path'
import { eraAgeText } from '#present/era-age'
import { counted, utc } from '#present/wording'
import { archiveName } from '#replay/backup/era-archive'
import { eraNow } from '#replay/eras/rotate'
import { isEraKeeper, type EraAge } from '#state/eras/due'
import type { State } from '#state/state'
import { snapshotsBeyond, snapshotsFolder } from '#replay/cache/store'
import { keptMark, marksFor, whyNotKept } from '#replay/marks/mark-files'
import { voidsIn, type VoidFact } from '#state/folded'
import type { Catalog } from '#rules/catalog/catalog'
import { residentsHere } from '#cli/agents/hook/resident/run'
import { isOwnFolder, residentPlace } from '#cli/agents/hook/resident/place'
import { canSign } from '#rules/catalog/people/signed-words'
import { Fault } from '#record/fault'
import { openReviewOf } from '#runtime/engine/gathering/open-reviews'
import { askedBy, troubleOf } from '#outreach/asking'
import { recordedNotifications, takeRecorded } from '#outreach/recorded-notifications'
import { reachEntries } from '#outreach/reach-store'
import { unanswerableIn } from '#health/outreach-metrics'
import { ChannelKind } from '#schemas/outreach/notification'
import type { Reach } from '#schemas/outreach/reach'

const faultsMax = 1_000

/** What only folding all of a log shows. */
export interface FoldSeen {
  /** To be called for each fact, in order. */
  readonly listener: FoldListener
  readonly voids: ReturnType<typeof voidCount>
  readonly observed: ReturnType<typeof observedCount>
}

export function foldSeen(realm: string): FoldSeen {
  const voids = voidCount(realm)
  const observed = observedCount(realm, systemClock.now())
  return {
    voids,
    observed,
    listener(fact, folded, state) {
      voids.count(fact, folded, state)
      observed.count(fact, folded, state)
    },
  }
}

export interface FindingIn {
  readonly place: LogPlace
  /** The store of addresses; null where there is no place for one. */
  readonly reachFile: string | null
  /** Where sealed eras are archived, where that is not beside the log. */
  readonly archive: string | null
  readonly seen: FoldSeen
  /** How long folding took. */
  readonly foldMs: number
}

export async function findingsOfWork(
  runtime: Runtime,
  { place, reachFile, archive, seen, foldMs }: FindingIn,
): Promise<readonly DoctorFinding[]> {
  const { state } = runtime.follower
  return [
    ...workFindings(await seenIn(runtime, foldMs)),
    ...(await rollbackFindings(runtime, place)),
    voidFinding(seen.voids.read()),
    ...(await callbacksFindings(place, state.catalog.callbacks)),
    ...catalogFindings(state),
    ...(await applyFindings(state, place.folder)),
    ...doorFindings(state),
    ...(await residentFindings(state.catalog, { url: place.url, realm: runtime.place.realm })),
    ...evaluatorFindings(state),
    ...grantFindings(state, runtime.clock.now()),
    ...contractFindings(state, runtime.clock.now()),
    ...(await keptFindings(runtime, { place, archive })),
    ...(await reachFindings(runtime, reachFile)),
    ...observedFindings(state, seen.observed.read()),
  ]
}

/** The same of a runtime that runs already: its log is folded once more, beside it. */
export async function findingsBeside(
  runtime: Runtime,
  of: Pick<FindingIn, 'place' | 'reachFile' | 'archive'>,
): Promise<readonly DoctorFinding[]> {
  const { log, place } = runtime
  const seen = foldSeen(place.realm)
  const began = performance.now()
  const { state } = await beginningOf(log, place, runtime.follower.state.rootKey)
  for await (const fact of log.read({ from: state.position + 1 })) {
    seen.listener(fact, evolve(state, fact), state)
  }
  return findingsOfWork(runtime, { ...of, seen, foldMs: performance.now() - began })
}

async function seenIn(runtime: Runtime, foldMs: number): Promise<WorkSeen> {
  const { follower, clock } = runtime
  const { position, intents, log, root, catalog } = follower.state
  const now = clock.now()
  const openIntents = [...intents.values()].map((intent) => ({
    address: intent.address,
    ageMs: Math.max(0, now - intent.appendedAt),
    waits: waitsJson(waitsOf(follower.state, intent, now)),
  }))
  const { dev } = catalog
  const keyless = keylessIn(catalog)
  const faults = await openFaults(runtime)
  const keys = await keysOfDeciders(runtime)
  return { position, foldMs, log, root, dev, openIntents, faults, keyless, keys }
}

async function keysOfDeciders({ follower, folder }: Runtime): Promise<readonly KeySeen[]> {
  const { catalog } = follower.state
  const keys = await readableKeys(keyPlaces(folder, configuration()))
  return keys.flatMap(({ file, publicKey, isSealed }) => {
    const principal = holderOf(catalog, publicKey)?.id
    const decides = principal !== undefined && decidesForOthers(catalog, principal)
    return decides ? [{ file, principal, isSealed }] : []
  })
}

/** The addresses of intents that are open, and of which a job was set aside. */
async function openFaults({ log, follower, place }: Runtime): Promise<readonly string[]> {
  const { intents, position } = follower.state
  const addresses: string[] = []
  if (position === 0) return addresses
  for await (const fact of log.read({ to: position }, [patternOf(place, 'fault', '>')])) {
    const reading = readEvent('fault', fact)
    if (!reading.ok) continue
    const address = partsInRealm(reading.event.data.name, place.realm)?.address ?? ''
    if (intents.has(address)) addresses.push(address)
    if (addresses.length >= faultsMax) break
  }
  return addresses
}

// Whether eras are rotated in time, where an era keeper may rotate them, and what is sealed is
// archived.

const rotates = 'let `warrant up` run, on servers `warrant up eras`; its log lines say what fails'

/** Nothing where policy admins alone rotate eras, and left none half done. */
async function keptFindings(
  runtime: Runtime,
  { place, archive }: { readonly place: LogPlace; readonly archive: string | null },
): Promise<readonly DoctorFinding[]> {
  const { state } = runtime.follower
  const age = await eraNow(runtime)
  const { era } = state.place
  // Of a log in a file they lie beside it; those of servers are on a machine that only people know.
  const beside = isRemote(place) || age === null ? null : join(runtime.folder ?? '.', 'archive')
  return [
    ...(state.sealed === null ? dueFindings(state, age) : [halfRotated(era, age)]),
    ...missingFindings(unarchived(runtime, archive ?? beside)),
  ]
}

function dueFindings(state: State, age: EraAge | null): readonly DoctorFinding[] {
  if (age === null) return []
  const now = eraAgeText(state.place.era, age)
  if (![...state.catalog.principals.values()].some(isEraKeeper)) {
    const fix = 'have a policy admin run `warrant log auto-rotate` again'
    return [warning('eras', `no principal is an era keeper, so no one rotates: ${now}`, { fix })]
  }
  return [age.dueBy === null ? ok('eras', now) : warning('eras', now, { fix: rotates })]
}

function halfRotated(era: number, age: EraAge | null): DoctorFinding {
  const fix = age === null ? 'have a policy admin run `warrant log rotate` again' : rotates
  return warning('eras', `era ${era} is sealed, and the next is not open`, { fix })
}

function missingFindings(missing: readonly number[]): readonly DoctorFinding[] {
  return missing.slice(0, 1).map((first) => {
    const found = `${counted(missing.length, 'sealed era')} not archived, era ${first} first`
    return warning('eras', found, { fix: rotates })
  })
}

function unarchived({ follower }: Runtime, folder: string | null): readonly number[] {
  if (folder === null) return []
  const { place } = follower.state
  const sealed = Array.from({ length: place.era - 1 }, (_, before) => before + 1)
  const file = (era: number) => join(folder, archiveName({ ...place, era }))
  return sealed.filter((era) => !existsSync(file(era)))
}

// What is found of how far this user saw the log before: whether it goes on from there, whether
// that is kept at all, and whether what was folded of it goes further than the log does.

async function rollbackFindings(
  runtime: Runtime,
  place: LogPlace,
): Promise<readonly DoctorFinding[]> {
  if (place.folder === null || place.url === 'memory:') return []
  return [await markFinding(runtime, place), ...(await snapshotFindings(runtime, place))]
}

async function markFinding(
  { follower, rolledBack }: Runtime,
  at: LogPlace,
): Promise<DoctorFinding> {
  const { log, place } = follower.state
  if (rolledBack !== null) {
    const fix = 'find out who did it; if it is meant, `warrant log accept-rollback`'
    return failure('rollback', rolledBack.fault.message, { fix })
  }
  const marks = marksFor(at, configuration())
  const why = marks === null ? 'this user has no home' : await whyNotKept(marks.folder)
  if (marks === null || why !== null) {
    const found = `how far this user saw the log is not kept (${why}): no rollback would be noticed`
    return warning('rollback', found, { fix: 'set WARRANT_MARKS to a folder that lasts' })
  }
  if (log === null) return ok('rollback', 'the log has no catalog yet')
  const mark = await keptMark({ folder: marks.folder, realm: place.realm, log })
  if (mark === null) return ok('rollback', 'this user sees the log for the first time')
  const when = new Date(mark.appendedAt).toISOString()
  const seen = `position ${mark.position}, of ${when}`
  return ok('rollback', `the log goes on from all that this user saw of it: ${seen}`)
}

async function snapshotFindings(
  { log, follower }: Runtime,
  place: LogPlace,
): Promise<readonly DoctorFinding[]> {
  const folder = snapshotsFolder(place)
  if (folder === null) return []
  const { state } = follower
  const { realm } = state.place
  const beyond = await snapshotsBeyond({ log, realm, rootKey: state.rootKey, folder })
  return beyond.map(({ path, about: { last } }) => {
    const found = `it was folded up to position ${last.position}, and ends at ${state.position}`
    const about = basename(path)
    const remove = '`warrant log snapshot --remove`'
    return state.catalog.rollbacks.has(realm)
      ? warning('rollback', `${found}; a rollback was accepted`, { about, fix: remove })
      : failure('rollback', `${found}: an older state of it was brought back`, {
          about,
          fix: `find out who did it; if it is meant, ${remove}`,
        })
  })
}

// Counts the facts that count for nothing, by kind, as the log is folded: an attack, a tampered
// fact and a program that says what it may not all show here first.

/** So many of the latest are named. */
const namedMax = 3

interface VoidFacts {
  readonly byKind: ReadonlyMap<string, number>
  /** The latest first. */
  readonly latest: readonly VoidFact[]
}

interface VoidCount {
  /** To be called for each fact, in order. */
  readonly count: FoldListener
  read(): VoidFacts
}

/** Those of that realm: a log may hold others, which are no concern of its stages. */
export function voidCount(realm: string): VoidCount {
  const byKind = new Map<string, number>()
  let latest: readonly VoidFact[] = []
  return {
    count: (fact, folded) => {
      for (const found of voidsIn(fact, folded)) {
        if (!found.name.startsWith(`${realm}.`)) continue
        const kind = found.name.split('.', 3)[2] ?? ''
        byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
        latest = [found, ...latest].slice(0, namedMax)
      }
    },
    read: () => ({ byKind, latest }),
  }
}

export function voidFinding({ byKind, latest }: VoidFacts): DoctorFinding {
  const [about] = latest
  if (about === undefined) return ok('void', 'every fact counts')
  const total = [...byKind.values()].reduce((sum, count) => sum + count, 0)
  const kinds = [...byKind]
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
  const named = latest.map(({ name, position, why }) => `${name} at ${position}: ${why}`)
  const verb = total === 1 ? 'counts' : 'count'
  const found = `${counted(total, 'fact')} ${verb} for nothing: ${kinds.join(', ')}`
  return warning('void', `${found}; the latest: ${named.join('; ')}`, {
    about: about.name,
    fix: 'find out who bound them: `warrant log --void` lists all, and why they count for nothing',
  })
}

// Whether a process keeps this log open for hooks of coding agents, where any of them asks here.

async function residentFindings(
  { principals }: Pick<Catalog, 'principals'>,
  { url, realm }: { readonly url: string; readonly realm: string },
): Promise<readonly DoctorFinding[]> {
  const isAsked = [...principals.values()].some(({ via }) => via?.includes('hook'))
  const place = residentPlace({ log: url, realm })
  if (!isAsked || place === null) return []
  const own = (await residentsHere()).filter(({ self }) => self.file === place.file)
  if (own.length > 0) {
    return own.map(({ self: { pid, since, calls } }) => {
      const found = `process ${pid} keeps the log open for hooks since ${utc(since)}`
      return ok('hooks', `${found}, ${counted(calls, 'call')}`)
    })
  }
  if (place.isThere && !isOwnFolder(place.folder)) {
    const found = `\`${place.folder}\` is open to others, so no hook asks a process there`
    return [warning('hooks', found, { fix: `look who made it, then \`rm -r ${place.folder}\`` })]
  }
  return [ok('hooks', 'no process keeps the log open for hooks: the next call starts one')]
}

// Whether each open review can still be answered, and whether anyone who could was notified of it;
// and, where people are reached at all, who of those that are asked is reached nowhere.

/** Reviews that are looked at one by one. */
const reviewsMax = 1_000

/** `file` is the store of addresses; null where there is no place for one. */
async function reachFindings(
  runtime: Runtime,
  file: string | null,
): Promise<readonly DoctorFinding[]> {
  const { follower, logClock } = runtime
  const unanswerable = unanswerableIn(follower.state, logClock.now())
  const [about] = unanswerable
  const answered =
    about === undefined
      ? ok('reviews', 'every open review has people who can answer it')
      : warning('reviews', `${counted(unanswerable.length, 'review')} that no one can answer`, {
          about,
          fix:
            'its people have left, are suspended or have no key, or what stands where an answer ' +
            'would is void: add others to the group',
        })
  try {
    const entries = file === null ? [] : reachEntries(file)
    // Where no one is reached by messages, people look for themselves.
    if (entries.length === 0) return [answered]
    return [
      answered,
      ...(await unreachedFindings(runtime, entries)),
      peopleFinding(runtime, entries),
    ]
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'reach_file_invalid') throw error
    return [answered, failure('reach', error.message, { fix: 'see docs/people/notifications.md' })]
  }
}

async function unreachedFindings(
  runtime: Runtime,
  entries: readonly Reach[],
): Promise<readonly DoctorFinding[]> {
  const { follower, log, logClock } = runtime
  const { state } = follower
  const past = recordedNotifications()
  await takeRecorded({ log, state }, past)
  const byPerson = new Map(entries.map((entry) => [entry.person, entry]))
  const find = (person: string): Reach | null => byPerson.get(person) ?? null
  const reached = { state, find, channels: ChannelKind.options }
  const unreached: string[] = []
  for (const intent of [...state.intents.values()].slice(0, reviewsMax)) {
    const open = await openReviewOf(runtime, intent)
    if (open === null) continue
    const now = logClock.now()
    const asked = askedBy(reached, intent, open.review.confirmation, now)
    const trouble = asked === null ? null : troubleOf(asked, past.of(open.name), now)
    if (trouble === 'unreached') unreached.push(intent.address)
  }
  const [about] = unreached
  if (about === undefined) return []
  const found = `${counted(unreached.length, 'review')} of which no one who can answer was notified`
  const fix = 'look at `warrant log --name "notification.>"`, and try `warrant reach test PERSON`'
  return [warning('reviews', found, { about, fix })]
}

function peopleFinding({ follower }: Runtime, entries: readonly Reach[]): DoctorFinding {
  const { catalog } = follower.state
  const reached = new Set(
    entries.filter(({ targets }) => targets.length > 0).map(({ person }) => person),
  )
  const asked = [...catalog.principals.values()].filter(
    (principal) => canSign(catalog, principal) && decidesForOthers(catalog, principal.id),
  )
  const [first, ...others] = asked.filter(({ id }) => !reached.has(id))
  if (first === undefined) return ok('reach', 'everyone who decides for others is reached')
  const found = `${counted(others.length + 1, 'person')} who may be asked, and is reached nowhere`
  const fix = 'set an address with `warrant reach set`'
  return warning('reach', found, { about: first.id, fix })
}
