// Verification as it is run: who takes a claim says that it begins, looks at the work, and records
// what it found. Beside the claims it ends contracts whose time has passed, and lets suspended
// agents work again where the catalog says after how long.
import type { OpenContract } from '#work/contracts/contracts'
import { jsonOf } from '#record/canonical'
import { writeEvent, type Draft } from '#record/event'
import { startDraft, verificationDraft, type Looked } from '#state/slices/work/drafts'
import type { Appended, Fact } from '#ports/log'
import { bind, type Advancing } from '#runtime/engine/advance'
import { stageStamp } from '#runtime/engine/stage-stamp'
import type { RunnableStage } from '#runtime/engine/worker'
import { lookAt, notLookedAt, type LookingFor } from '#gates/looking'
import { watchWork } from './watching.ts'

export const verification: RunnableStage = {
  name: 'verification',
  kinds: ['vlp'],
  decide: () => null,
  deadline: () => null,
  work: {
    job: verifyClaimed,
    beside: (options, signal) => watchWork(options, signal, { verifyContract, bindWork }),
  },
}

/** Verifies what the message claims, if it is a claim that counts. */
async function verifyClaimed(options: Advancing, fact: Fact): Promise<void> {
  const { contracts } = options.follower.state
  for (const { address, pending } of contracts.each()) {
    if (pending.some(({ name }) => name === fact.name)) await verifyContract(options, address)
  }
}

/** One piece of work after the other: each has the machine to itself. */
async function verifyContract(options: Advancing, address: string): Promise<void> {
  await options.mutex.run('verification', async () => {
    while (await verifyNext(options, address));
  })
}

/** Whether another claim may wait. */
async function verifyNext(options: Advancing, address: string): Promise<boolean> {
  const { follower, log, model = null, logger } = options
  const { state } = follower
  // Until when it may take is counted from the time that the fact itself has.
  const stamp = stageStamp(options)
  const start = startDraft(state, address, Date.parse(stamp.time))
  if (start === null) return false
  const begun = await bindWork(options, start, stamp)
  const contract = state.contracts.get(address)
  // Someone else was first, and is at it.
  if (!begun.appended || contract === undefined) return false
  const looked = await lookedAt({ log, state, model }, contract)
  const bound = await bindFound(options, contract.pending[0]?.name, { address, looked })
  if (bound === null) return false
  logger.info({ stage: 'verification', contract: address, fact: bound.fact.name }, 'work verified')
  return true
}

/** So often an attempt is begun that no verifier can look at: then it counts as not shown. */
const startsMax = 5

// What fails here may be the operator's to repair: it is begun again when its time has passed.
async function lookedAt(of: LookingFor, contract: OpenContract): Promise<Looked> {
  try {
    return await lookAt(of, contract)
  } catch (error) {
    if (contract.started.number < startsMax) throw error
    return notLookedAt(of, contract)
  }
}

// Another verifier may have been quicker, once this one was late.
async function bindFound(
  options: Advancing,
  claim: string | undefined,
  { address, looked }: { readonly address: string; readonly looked: Looked },
): Promise<Appended | null> {
  const { follower, clock } = options
  const { state } = follower
  if (state.contracts.get(address)?.pending[0]?.name !== claim) return null
  const draft = verificationDraft(state, address, { looked, now: clock.now() })
  return draft === null ? null : bindWork(options, draft)
}

async function bindWork(
  options: Advancing,
  draft: Draft,
  stamp = stageStamp(options),
): Promise<Appended> {
  const { kind, name, data } = draft
  const bytes = writeEvent(kind, name, jsonOf(data), stamp)
  const appended = await bind(options, kind, { name, bytes })
  await options.follower.reached(appended.fact.position)
  return appended
}
