// The verdict as a draft: one shape, which of policy and confirmation draws it up.
import type { Ground, VerdictData } from '#schemas/facts'
import type { CallbackAnswer } from '#schemas/callbacks'
import { instantWriter, type Draft } from '#record/event'
import { isObserved, isOfSeveral, mayAskPeople } from '#rules/chain/judged'
import type { Judgement } from '#rules/chain/judge'
import { nameOf } from '#record/names'
import { actingFor, chainTerm } from './chain/acting-for.ts'
import type { LeftOut } from './policies.ts'
import type { Resting } from './resting.ts'
import type { Inputs } from './stage.ts'
import { argumentDigests, type View } from './view.ts'

export const reasonsMax = 64

/** How long a warrant may be redeemed where no confirmation says otherwise. */
const useWithinMsDefault = 300_000

export interface ReleaseData {
  readonly ground: Ground | null
  readonly confirmedBy: readonly string[]
  /** Who answered in whose place. */
  readonly deputies: readonly { readonly by: string; readonly for: string }[]
  /** The last moment at which what people agreed to may be done. */
  readonly useBy: number
}

export function verdictDraft(
  { view, context }: Pick<Inputs, 'view' | 'context'>,
  judgement: Judgement,
  answers: readonly CallbackAnswer[],
  release: ReleaseData | Resting | null,
  /** Checks that were left out. */
  notRun: readonly LeftOut[] = [],
): Draft<'verdict'> {
  const { intent, opening, catalog } = view
  const { reasons } = judgement
  const isReviewed = intent.review !== null && mayAskPeople(catalog, opening)
  const observed = isObserved(opening.request, isReviewed)
  const allowed = judgement.outcome === 'allow'
  const data: VerdictData = {
    callbackModule: catalog.callbacks ?? null,
    callbacks: [...answers],
    catalogRevision: view.catalogRevision,
    graphRevision: view.graphRevision,
    grounding: intent.grounding?.name ?? null,
    intent: view.ref,
    message: { digest: opening.digest, position: opening.position },
    observed,
    outcome: allowed ? 'allow' : 'deny',
    reasons: reasons.slice(0, reasonsMax),
    release: releaseOf(release),
    review: intent.review?.name ?? null,
    terms: allowed && !observed ? termsOf({ view, context }, judgement, release) : null,
    // What is nearly always absent comes last: an object is made sooner so.
    ...(notRun.length > 0 && { notRun: [...notRun] }),
    ...(allowed &&
      opening.request?.subject !== undefined &&
      !isOfSeveral(opening.request) && {
        constraints: { ...judgement.constraints },
      }),
    ...(reasons.length > reasonsMax && { reasonsOmitted: reasons.length - reasonsMax }),
    ...grantsOf(view, release),
    ...(judgement.derived !== undefined && { values: [...judgement.derived] }),
  }
  return { kind: 'verdict', name: nameOf(view.place, 'verdict', intent.address), data }
}

function releaseOf(release: ReleaseData | Resting | null): VerdictData['release'] {
  if (release === null || !('confirmedBy' in release)) return null
  const { confirmedBy, deputies, ground } = release
  const standIns = deputies.length > 0 && { deputies: [...deputies] }
  return { confirmedBy: [...confirmedBy], ...standIns, ground }
}

function grantsOf(
  { intent }: View,
  release: ReleaseData | Resting | null,
): Pick<VerdictData, 'grants'> | null {
  if (release === null || 'confirmedBy' in release) return null
  const grants = release.grants.map(({ grant: { id, name: grant, data } }) => {
    const use = intent.grants?.find((one) => one.grant === id)?.use ?? 0
    return { grant, confirmer: data.confirmer, use }
  })
  return { grants }
}

const useByOf = instantWriter()

function termsOf(
  { view, context }: Pick<Inputs, 'view' | 'context'>,
  judgement: Judgement,
  release: Pick<ReleaseData, 'useBy'> | null,
): VerdictData['terms'] {
  const { request } = view.opening
  const { until = Infinity } = actingFor(view, context) ?? {}
  // An object that begins as a copy takes many times as much as all that is put behind it.
  const { argsDigest, executedDigest } = argumentDigests(view)
  const useBy = Math.min(release?.useBy ?? view.now + useWithinMsDefault, until)
  return {
    argsDigest,
    capability: request?.tool ?? '',
    constraints: { ...judgement.constraints },
    scope: { ...request?.scope },
    useBy: useByOf(useBy),
    ...(executedDigest !== undefined && { executedDigest }),
    ...chainTerm(view, context),
  }
}
