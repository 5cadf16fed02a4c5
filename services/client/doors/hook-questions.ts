// What people are asked about an open call, in words.
import { readData } from '#record/event'
import type { HookedDoor } from './hook-placed.ts'

export interface OpenQuestions {
  /** What people are asked, in words; empty where the questions have none. */
  readonly text: string
  /** Whether the catalog lets the host's own dialogue be asked in place of people. */
  readonly inHost: boolean
  /** Until when they may answer; null where no one is asked. */
  readonly decideBy: number | null
}

export async function questionsOn(
  { runtime }: Pick<HookedDoor, 'runtime'>,
  intent: string,
): Promise<OpenQuestions> {
  const { intents, catalog } = runtime.follower.state
  const name = intents.get(intent)?.review?.name
  const fact = name === undefined ? undefined : await runtime.log.get(name)
  const review = readData('review', fact)
  const id = review?.confirmation ?? null
  return {
    text: (review?.questions ?? []).map(({ message, kind }) => message ?? kind).join(' '),
    decideBy: review === null ? null : Date.parse(review.decideBy),
    inHost: id !== null && catalog.confirmations.get(id)?.ask === 'host',
  }
}
