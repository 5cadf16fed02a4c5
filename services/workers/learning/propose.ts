// The work of learning around its deciders: it puts to people what would close the gaps of what is
// held and of what was denied, puts into the graph what they agreed to, and lets intents go on. It
// waits for no model: a question reaches people first.
import { writeEvent } from '#record/event'
import { Fault } from '#record/fault'
import { candidateProblem } from '#messages/learning/candidate'
import { learntChange, nextDraft } from '#state/slices/learning/proposals'
import type { Source } from '#messages/learning/source'
import type { OpenProposal } from '#messages/learning/learning'
import { partsInRealm } from '#record/names'
import { jsonOf } from '#record/canonical'
import type { Fact } from '#ports/log'
import { advance, bind, type Advancing } from '#runtime/engine/advance'
import { stageStamp } from '#runtime/engine/stage-stamp'
import { sourceNamed } from '#runtime/learning/sources'

/** Proposals that one question may give rise to before something must be wrong. */
const proposalsMax = 64

/** Does what the job of that fact asks of learning. */
export async function learnFrom(options: Advancing, fact: Fact): Promise<void> {
  const { state } = options.follower
  const parts = partsInRealm(fact.name, state.place.realm)
  // Also what an era before was sealed over, or the taker of that job left half done.
  for (const { id, agreed } of state.learning.open.values()) {
    if (agreed !== null) await placeAgreed(options, id)
  }
  if (parts?.kind === 'reopening') {
    const source = await sourceNamed(options.log, state.place, fact.name)
    if (source !== null) await propose(options, source)
  }
  const { address } = parts?.kind === 'hold' ? parts : { address: null }
  await release(options, address === null ? heldIn(options) : [address])
}

function heldIn({ follower }: Advancing): readonly string[] {
  const held = [...follower.state.intents.values()].filter(({ hold }) => hold !== null)
  return held.map(({ address }) => address)
}

// Those that need not wait any longer go first.
async function release(options: Advancing, held: readonly string[]): Promise<void> {
  for (const address of held) await advance(options, address)
  for (const address of held) {
    const source = await sourceOf(options, address)
    if (source === null) continue
    await propose(options, source)
    await advance(options, address)
  }
}

async function sourceOf({ log, follower }: Advancing, address: string): Promise<Source | null> {
  const { place, intents } = follower.state
  const intent = intents.get(address)
  const isHeld = intent?.hold?.attempt === intent?.attempt && intent?.withdrawn === null
  const grounding = intent?.grounding ?? null
  return isHeld && grounding !== null ? sourceNamed(log, place, grounding.name) : null
}

/** Binds every proposal that this gives rise to, one after the other. */
export async function propose(options: Advancing, source: Source): Promise<void> {
  for (let count = 0; count < proposalsMax; count += 1) {
    if (!(await options.mutex.run('proposal', () => proposeNext(options, source)))) return
  }
}

/** Whether there was anything to propose. */
async function proposeNext(options: Advancing, source: Source): Promise<boolean> {
  const { follower, logger } = options
  const { state } = follower
  const draft = nextDraft(state, source)
  if (draft === null) return false
  const { kind, name, data } = draft
  const before = [...state.learning.open.keys()]
  const bytes = writeEvent(kind, name, jsonOf(data), stageStamp(options))
  const { fact, appended } = await bind(options, kind, { name, bytes })
  await follower.reached(fact.position)
  logger.debug({ fact: name, position: fact.position, appended }, 'question bound')
  // What had to make room for it comes no more.
  const isLess = before.some((id) => !state.learning.open.has(id))
  if (isLess) for (const address of heldIn(options)) await advance(options, address)
  return true
}

/** Others may be first with another change so often, before something must be wrong. */
const conflictsMax = 32

/** Puts into the graph what people agreed to, unless it has changed so that it cannot be. */
async function placeAgreed(options: Advancing, id: string): Promise<void> {
  const { follower, logger } = options
  const { state } = follower
  for (let conflict = 0; conflict < conflictsMax; conflict += 1) {
    const proposal = state.learning.open.get(id)
    if (proposal === undefined || !canBePlaced(options, proposal)) return
    const { name, data } = learntChange(state, proposal)
    const bytes = writeEvent('graph', name, jsonOf(data), stageStamp(options))
    const { fact, appended } = await bind(options, 'graph', { name, bytes })
    await follower.reached(fact.position)
    if (appended) logger.info({ fact: name, proposal: proposal.name, by: data.by }, 'graph changed')
  }
  throw new Fault('conflict', `others changed the graph ${conflictsMax} times first`)
}

function canBePlaced({ follower }: Advancing, { agreed, data }: OpenProposal): boolean {
  const { state } = follower
  if (agreed === null || state.sealed !== null) return false
  return candidateProblem(state.graph, data, agreed.candidate) === null
}
