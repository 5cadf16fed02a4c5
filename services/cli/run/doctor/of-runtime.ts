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
import type { LogPlace } from '#runtime/logs/log-url'
import type { DoctorFinding } from '#health/doctor/finding'
import { configuration } from '#wiring/config'
import { callbacksFindings } from './callbacks.ts'
import { applyFindings, catalogFindings } from './catalog.ts'
import { doorFindings } from './doors.ts'
import { keptFindings } from './eras.ts'
import { evaluatorFindings } from './evaluators.ts'
import { contractFindings } from './contracts.ts'
import { grantFindings } from './grants.ts'
import { observedCount, observedFindings } from './observing.ts'
import { reachFindings } from './reach.ts'
import { residentFindings } from './hooks.ts'
import { rollbackFindings } from './rollback.ts'
import { voidCount, voidFinding } from './void.ts'
import { workFindings, type KeySeen, type WorkSeen } from './work.ts'

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
