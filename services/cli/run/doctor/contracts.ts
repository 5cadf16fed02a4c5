// Whether claimed work is looked at: a claim that no verifier has begun with, or that none can end.
import type { State } from '#state/state'
import { counted, duration } from '#present/wording'
import { warning, type DoctorFinding } from '#health/doctor/finding'

/** A verifier may be at something else for so long. */
const waitMsMax = 10 * 60_000

/** Nothing where no claim waits too long. */
export function contractFindings(
  { contracts }: Pick<State, 'contracts'>,
  now: number,
): readonly DoctorFinding[] {
  const waiting = [...contracts.values()].flatMap((contract) => {
    const [claim] = contract.pending
    return claim === undefined ? [] : [{ contract, waitMs: now - claim.appendedAt }]
  })
  const unseen = waiting.filter(({ contract, waitMs }) => {
    return contract.started.number === 0 && waitMs > waitMsMax
  })
  const stuck = waiting.filter(({ contract }) => contract.started.number > 1)
  const [first] = unseen
  const [again] = stuck
  return [
    ...(first === undefined
      ? []
      : [
          warning(
            'contracts',
            `no verifier has begun with ${counted(unseen.length, 'claim')}, the oldest of ` +
              `${duration(first.waitMs)} ago`,
            { about: first.contract.address, fix: 'run `warrant up verification`' },
          ),
        ]),
    ...(again === undefined
      ? []
      : [
          warning(
            'contracts',
            `${counted(stuck.length, 'claim')} had to be begun again by another verifier`,
            {
              about: again.contract.address,
              fix: 'read what the stage `verification` logs: can it read the workspace?',
            },
          ),
        ]),
  ]
}
