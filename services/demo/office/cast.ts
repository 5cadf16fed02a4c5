// Who plays in the office demo: a policy admin, the office's tools and its user, each with a key of
// its own so that no one can speak for them, and one agent a session.
import { generateKeyPairSync } from 'node:crypto'
import type { CatalogOperation } from '#schemas/catalog'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import type { OfficeEnvironment, OfficeSession } from './recording.ts'

export const [officeAdmin, officeTools, officeUser] = [
  'office-operations',
  'office-tools',
  'office-user',
] as const

/** PEM private keys by principal; they live as long as the demo. */
export type OfficeKeys = ReadonlyMap<string, string>

export function newOfficeKeys(): OfficeKeys {
  return new Map([officeAdmin, officeTools, officeUser].map((id) => [id, newKey()]))
}

export function officeAgentOf(session: string): string {
  return `agent-${session}`
}

/** What the recording adds to the catalog of its suite: the user, the agents, the date. */
export function officeOperations(
  keys: OfficeKeys,
  environment: OfficeEnvironment,
  sessions: readonly OfficeSession[],
): readonly CatalogOperation[] {
  const { user, presentDate } = environment
  const accounts = user.ownAccounts.map((own, index) => [`own-${index + 1}`, own] as const)
  const put = (id: string, more: Partial<Principal>): CatalogOperation => {
    const key = keys.get(id)
    const publicKeys = key === undefined ? [] : [publicKeyOf(key)]
    const entry = { id, roles: [], attributes: {}, keys: publicKeys, suspended: false, ...more }
    return { op: 'put', collection: 'principals', entry }
  }
  return [
    put(officeTools, {}),
    put(officeUser, { attributes: Object.fromEntries<string>(accounts) }),
    ...sessions.map(({ session }) => {
      return put(officeAgentOf(session), { roles: ['writer', 'admin'], owner: officeUser })
    }),
    ...(presentDate === null
      ? []
      : [{ op: 'set', key: 'now', value: `${presentDate}T12:00:00Z` } as const]),
  ]
}

type Principal = Extract<CatalogOperation, { collection: 'principals'; op: 'put' }>['entry']

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
