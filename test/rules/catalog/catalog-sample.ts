// One catalog for the tests of catalogs, and what a change makes of it.
import { z } from 'zod'
import { CatalogOperation } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogFromFile } from '#rules/catalog/catalog-file'
export const key = (letter: string) => `ed25519:${letter.repeat(42)}A`

export const file = {
  principals: [
    { id: 'alice', keys: [key('a')] },
    { id: 'bob', keys: [key('b')] },
    { id: 'agent', roles: ['writer'], attributes: { tenant: 'eu' }, owner: 'alice' },
  ],
  groups: [{ id: 'desk', members: ['alice', 'bob'] }],
  confirmations: [{ id: 'two', tier: 'four_eyes', sessionless: true, group: 'desk', quorum: 2 }],
  capabilities: [
    { id: 'mail.send', description: 'Sends a mail', safetyClass: 'WRITE', confirmation: 'two' },
    { id: 'mail.read', safetyClass: 'READ', argsSchema: { type: 'object' } },
  ],
  limits: [
    { capability: 'mail.send', uses: 3, windowMs: 1000 },
    { safetyClass: 'DESTRUCTIVE', uses: 'unlimited', windowMs: 1 },
  ],
  trustedEvidence: [{ sender: 'bob', for: ['mail.read'] }],
  knownConstraints: ['max_rows'],
  learning: true,
  now: '2024-05-15T15:00:00-05:00',
  callbacks: `sha256:${'0'.repeat(64)}`,
}

export function catalogOf(value: unknown): Catalog {
  const { catalog, refused } = catalogFromFile(value)
  if (catalog === undefined) throw new Error(`${refused.at}: ${refused.message}`)
  return catalog
}

export const catalog = catalogOf(file)
export const refusalOf = (change: Record<string, unknown>) =>
  catalogFromFile({ ...file, ...change }).refused

export function change(...operations: unknown[]) {
  return applyCatalogChange(catalog, z.array(CatalogOperation).parse(operations))
}
