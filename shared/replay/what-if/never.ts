// Whether something that must never be let through would be. A call that breaks it is shown only if
// the stages' own deciders let it through.
import { isAbout, isOfGroup, neverSought, type NeverRule } from '#authoring/allowed/never-rule'
import { eachOnce, type Unclear, type WayCandidate } from '#authoring/allowed/newly'
import type { Rules, RuleSide } from '#authoring/allowed/guards'
import type { CameTo } from './came-to.ts'
import { witnessOutcome, witnessesOf, type TrialJudges, type Witness } from './let-through.ts'

export interface NeverChecked {
  readonly broken: { readonly witness: Witness; readonly came: CameTo } | null
  readonly cannotTell: readonly Unclear[]
  /** So many kinds of calls were tried. */
  readonly calls: number
}

export async function neverChecked(
  rules: Rules,
  rule: NeverRule,
  judging: TrialJudges,
): Promise<NeverChecked> {
  const cannotTell: Unclear[] = []
  let calls = 0
  for (const { side, found } of neverSought(rules, rule)) {
    calls += found.calls
    cannotTell.push(...found.cannotTell)
    for (const candidate of found.candidates) {
      const broken = await brokenBy(candidate, { rules, rule, side, judging })
      if (broken !== null) return { broken, cannotTell: [], calls }
      cannotTell.push(...unshown(candidate))
    }
  }
  return { broken: null, cannotTell: eachOnce(cannotTell), calls }
}

// A call that it should let through, and it does not, was not understood.
function unshown({ tool, unclear }: WayCandidate): readonly Unclear[] {
  return unclear.length > 0 ? unclear : [{ tool, cause: 'condition', of: tool }]
}

async function brokenBy(
  candidate: WayCandidate,
  of: {
    readonly rules: Rules
    readonly rule: NeverRule
    readonly side: RuleSide
    readonly judging: TrialJudges
  },
): Promise<NeverChecked['broken']> {
  const { rules, rule, side, judging } = of
  for (const witness of witnessesOf(candidate, judging.at)) {
    const { request, now } = witness
    const at = now === undefined ? judging.at : Date.parse(now)
    if (!isAbout(side, rule, { request, at })) continue
    const came = await witnessOutcome(rules, witness, judging)
    if (isBroken(came, side, rule)) return { witness, came }
  }
  return null
}

function isBroken({ outcome, questions }: CameTo, side: RuleSide, rule: NeverRule): boolean {
  if (outcome === 'allow') return true
  if (outcome !== 'ask' || rule.approvedBy === undefined) return false
  return !questions.some(({ confirmation }) => isOfGroup(side, rule, confirmation))
}
