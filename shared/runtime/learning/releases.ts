// What a person is shown of the held intents that wait for a question, and signs with a ruling.
import type { Release } from '#schemas/learning'
import { releasesMax } from '#schemas/learning'
import { releaseDigest, releasedBy, type Released } from '#stages/release'
import { canonical } from '#record/canonical'
import { keyOf } from '#messages/learning/template'
import { gatherOpening, readerOf } from '../engine/gathering/gather.ts'
import type { FoldCaches } from '#state/caches/fold-caches'
import type { State } from '#state/state'
import type { LogReader } from '#ports/log'
import type { Runtime } from '../engine/runtime.ts'
import { waitingIn } from './held.ts'

export interface ShownRelease extends Released, Release {}

/** Where held intents are read. */
interface HeldReader {
  readonly log: LogReader
  readonly follower: { readonly state: State; readonly caches?: FoldCaches }
}

/** What has larger arguments is not shown whole, so no one can have seen it. */
export const argsCharactersMax = 4_096

/** What changes something comes first, since what is not listed is asked about. */
export async function releasesOf(
  { log, follower }: HeldReader,
  addresses: readonly string[],
): Promise<readonly ShownRelease[]> {
  const { state } = follower
  const reader = readerOf(log, state.position, follower.caches)
  const shown: ShownRelease[] = []
  for (const address of addresses) {
    const intent = state.intents.get(address)
    const opening = intent === undefined ? null : await gatherOpening(reader, state, intent)
    const tool = opening?.request?.tool ?? ''
    const capability = state.catalog.capabilities.get(tool) ?? null
    const released = opening === null ? null : releasedBy(capability, opening)
    if (released === null || canonical(released.args).length > argsCharactersMax) continue
    shown.push({ intent: address, ...released, digest: releaseDigest(released) })
  }
  const changing = shown.filter(({ safetyClass }) => safetyClass !== 'READ')
  const reading = shown.filter(({ safetyClass }) => safetyClass === 'READ')
  return [...changing, ...reading].slice(0, releasesMax)
}

/** Of all held intents that wait for the question of that id. */
export async function heldFor(
  runtime: Pick<Runtime, 'log' | 'follower' | 'clock'>,
  proposal: string,
): Promise<readonly ShownRelease[]> {
  const { state } = runtime.follower
  const open = state.learning.open.get(proposal)
  if (open === undefined) return []
  const all = await waitingIn(runtime, runtime.clock.now())
  const waiting = all.get(keyOf(open.data.template)) ?? []
  return releasesOf(
    runtime,
    waiting.map(({ intent }) => intent),
  )
}
