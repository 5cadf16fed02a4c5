// What people said about an earlier request of a case: as many as are needed said the same, none of
// them with a key.
import { confirmationBy } from '#workers/confirmation/decider'
import type { Stage } from '#stages/stage'

/** Long enough where a reason is asked for. */
const note = 'the answer of this test case'

/** The stage that is answered so, by the deciders' own rules for all but signatures. */
export function earlierAnswers(how: 'approved' | 'declined'): Stage {
  return confirmationBy((view, review) => {
    const { name, digest, confirmers, quorum, questions } = review
    const answers = Array.from({ length: questions }, () => how === 'approved')
    const { ref: intent, now: appendedAt, basis: position } = view
    return confirmers.slice(0, quorum).map((confirmer) => ({
      name: `${name} ${confirmer}`,
      position,
      appendedAt,
      data: { intent, review: name, digest, confirmer, answers, note },
    }))
  })
}
