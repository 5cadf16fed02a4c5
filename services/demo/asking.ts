// How an agent of a demo asks: as any program does, through the client, and with people who answer
// when it has to wait for them.
import { Pending } from '#client/connect'
import type { Published, SessionHandle, Verdict, Waits, Warrant } from '#client/connect'
import type { Call } from './recorded.ts'

/** Opens the client of a principal. */
export type OpensClient = (principal: string) => Promise<Warrant>

/** What the people do who are asked about an intent; false leaves it to others. */
export type AnswersReview = (client: Warrant, intent: string, waits: Waits) => Promise<boolean>

export interface DecidedCall extends Published {
  readonly verdict: Verdict
  /** How many people had to agree; 0 where no one was asked. */
  readonly asked: number
}

export interface Request {
  readonly tool: string
  readonly args: Call['args']
  readonly justification: string
}

const waitMs = 60_000
const reviewsMax = 16

export async function askIn(
  { client, session }: { readonly client: Warrant; readonly session: SessionHandle },
  intent: Request,
  answer: AnswersReview,
): Promise<DecidedCall> {
  const fields = { type: 'query', content: `use ${intent.tool}`, payload: { intent } }
  const published = await client.publish(fields, session)
  let asked = 0
  let isAnswered = true
  for (let round = 0; isAnswered && round < reviewsMax; round += 1) {
    try {
      const wait = { waitMs, onReview: () => false }
      return { ...published, verdict: await client.verdict(published.address, wait), asked }
    } catch (error) {
      if (!(error instanceof Pending) || error.waits.for !== 'people') throw error
      asked ||= error.waits.needed
      isAnswered = await answer(client, published.address, error.waits)
    }
  }
  return { ...published, verdict: await client.verdict(published.address, waitMs), asked }
}
