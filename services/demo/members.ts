// Who plays in a demo, with a key of each so that no one can speak for another. The keys live as
// long as the demo does.
import { generateKeyPairSync } from 'node:crypto'

export interface KeyPair {
  /** PEM. */
  readonly privateKey: string
  /** As the catalog spells it. */
  readonly publicKey: string
}

/** By principal. */
export type Keys = ReadonlyMap<string, KeyPair>

export function newKeys(ids: readonly string[]): Keys {
  return new Map(ids.map((id) => [id, newKey()]))
}

function newKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: `ed25519:${publicKey.export({ format: 'jwk' }).x}`,
  }
}

/** A principal that a demo adds to the catalog of its seed. */
export interface Member {
  readonly id: string
  readonly roles?: readonly string[]
  readonly attributes?: Readonly<Record<string, string>>
  readonly owner?: string
}

export function agentOfSession(session: string): string {
  return `agent-${session}`
}

/** One agent a session, which may use all tools for its owner. */
export function agentFor(session: string, owner: string): Member {
  return { id: agentOfSession(session), roles: ['writer', 'admin'], owner }
}
