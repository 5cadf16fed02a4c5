// The leads of the work demo, who agree to what workers ask: as many of them as a review needs, so
// that what was asked can be counted.
import { readData } from '#core/kernel/event'
import type { Warrant } from '#services/client/warrant'
import { leads, type WorkKeys } from './cast.ts'

/** Returns a function that ends it. */
export function answerAsLeads(client: Warrant, keys: WorkKeys): () => void {
  const { runtime } = client
  return runtime.follower.listen((fact, { parts }) => {
    if (parts?.kind !== 'review' || parts.address === null) return
    const { address: intent } = parts
    const asked = readData('review', fact)?.quorum ?? 0
    const answered = async (): Promise<void> => {
      for (const confirmer of leads.slice(0, asked)) {
        const privateKey = keys.get(confirmer) ?? ''
        await client.decide({ intent, confirmer, privateKey, answers: true })
      }
    }
    answered().catch((error: unknown) => {
      runtime.logger.error({ review: fact.name, error }, 'leads could not answer')
    })
  })
}
