// Who plays in the demo: the airline's policy admin, tools, desk and customer, each with a key of
// its own so that no one can speak for them, and one agent a conversation.
import { generateKeyPairSync } from 'node:crypto'
import type { CatalogOperation } from '#schemas/catalog'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import type { Warrant } from '#services/client/warrant'
import type { Conversation } from './recording.ts'

export interface Cast {
  /** PEM private keys by principal; they live as long as the demo. */
  readonly keys: ReadonlyMap<string, string>
}

export const policyAdmin = 'airline-operations'
export const customer = 'airline-customer'
const signers = [policyAdmin, 'airline-tools', 'airline-desk', customer]

export function newCast(): Cast {
  return { keys: new Map(signers.map((id) => [id, newKey()])) }
}

export function agentOfSession(session: string): string {
  return `agent-${session}`
}

/** The principals that the recording adds to the airline's own catalog. */
export function principalsOf(
  cast: Cast,
  conversations: readonly Conversation[],
): CatalogOperation[] {
  const tenant = { tenant: 'airline' }
  const put = (id: string, more: { roles?: string[]; owner?: string }): CatalogOperation => {
    const key = cast.keys.get(id)
    const keys = key === undefined ? [] : [publicKeyOf(key)]
    const entry = { attributes: tenant, id, keys, roles: [], suspended: false, ...more }
    return { op: 'put', collection: 'principals', entry }
  }
  const agents = conversations.map(({ session }) =>
    put(agentOfSession(session), { roles: ['writer', 'admin'], owner: customer }),
  )
  return [...signers.slice(1).map((id) => put(id, {})), ...agents]
}

/**
 * Answers every review with yes, as the recording has no answer of its own. Harm is stopped by
 * rules and not by this; the questions are counted. `leaves` says of the address of an intent
 * whether it is left to a person. Returns a function that ends it.
 */
export function answerReviews(
  client: Warrant,
  cast: Cast,
  leaves: (address: string) => boolean = () => false,
): () => void {
  const { runtime } = client
  const privateKey = cast.keys.get(customer) ?? ''
  return runtime.follower.listen((fact, { parts }) => {
    if (parts?.kind !== 'review' || parts.address === null || leaves(parts.address)) return
    const answer = { intent: parts.address, confirmer: customer, privateKey, answers: true }
    client.decide(answer).catch((error: unknown) => {
      runtime.logger.error({ review: fact.name, error }, 'customer could not answer')
    })
  })
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
