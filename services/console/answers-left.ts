// How many answers of a person count one by one still, and what may be answered together beyond
// them: the same as on the command line.
import { partsInRealm } from '#record/names'
import { answerBudget, batchFor } from '#state/slices/attention/answers'
import type { Runtime } from '#runtime/engine/runtime'
import type { AnswersLeft } from '#schemas/console/attending'
import type { ConsoleOn } from './console.ts'
import { ofCell } from './logs.ts'

type Looks = Pick<Runtime, 'follower' | 'clock'>

/** Null where nothing limits this person’s answers. Each cell counts its own questions. */
export function answersLeftFor(
  { logs, runtime }: Pick<ConsoleOn, 'logs' | 'runtime'>,
  person: string,
): AnswersLeft | null {
  const { follower, clock } = runtime
  const { state } = follower
  const budget = answerBudget(state, person, clock.now())
  if (budget === null) return null
  const { perDay, left, nextAt, batch, unfinished } = budget
  return {
    ...ofCell({ logs, runtime }),
    perDay,
    left,
    nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    batch: [...batch],
    unfinished: unfinished.flatMap((name) => addressIn(state.place.realm, name) ?? []),
  }
}

/** The batch that these reviews are answered in; null where they are answered one by one. */
export function togetherWith(
  { follower, clock }: Looks,
  confirmer: string,
  names: readonly string[],
): readonly string[] | null {
  return batchFor(follower.state, { names, confirmer, at: clock.now() })
}

function addressIn(realm: string, name: string): string | null {
  return partsInRealm(name, realm)?.address ?? null
}
