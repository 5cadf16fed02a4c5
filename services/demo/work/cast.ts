// Who plays in the work demo: a policy admin, the planner who issues contracts, two leads who are
// asked, and the workers, each with a key of its own so that no one can speak for them.
import { generateKeyPairSync } from 'node:crypto'
import type { CatalogOperation } from '#schemas/catalog'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import type { WorkRules } from '#schemas/work/settings'
import type { TestPrograms } from './programs.ts'
import type { Worker } from './workers.ts'
import type { Workshop } from './workshop.ts'

export const [workAdmin, workPlanner] = ['work-operations', 'work-planner'] as const
const workOwner = 'work-owner'
export const leads = ['lead-ann', 'lead-bea'] as const

/** PEM private keys by principal; they live as long as the demo. */
export type WorkKeys = ReadonlyMap<string, string>

export function newWorkKeys(): WorkKeys {
  return new Map([workAdmin, workPlanner, workOwner, ...leads].map((id) => [id, newKey()]))
}

/** The keys of the cast, and the workers with what the work of each is read from. */
export function workOperations(
  keys: WorkKeys,
  workers: readonly Worker[],
): readonly CatalogOperation[] {
  const put = (id: string, more: Partial<Principal>): CatalogOperation => {
    const key = keys.get(id)
    const publicKeys = key === undefined ? [] : [publicKeyOf(key)]
    const entry = { id, roles: [], attributes: {}, keys: publicKeys, suspended: false, ...more }
    return { op: 'put', collection: 'principals', entry }
  }
  return [
    ...[workPlanner, workOwner, ...leads].map((id) => put(id, {})),
    ...workers.map(({ agent }) => put(agent, { roles: ['writer', 'admin'], owner: workOwner })),
  ]
}

type Principal = Extract<CatalogOperation, { collection: 'principals'; op: 'put' }>['entry']

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** What the catalog says of work, with the folder of each worker. */
export function workOperation(
  work: WorkRules,
  {
    workers,
    workshop,
    programs,
  }: {
    readonly workers: readonly Worker[]
    readonly workshop: Pick<Workshop, 'folderOf'>
    readonly programs: Pick<TestPrograms, 'isolation' | 'readable'>
  },
): CatalogOperation {
  const readable = [...programs.readable]
  const workspaces = workers.map(({ agent }) => {
    return { id: agent, folder: workshop.folderOf(agent), readable }
  })
  const isProcess = programs.isolation === 'process'
  const value = { ...work, workspaces, ...(isProcess && { isolation: 'process' as const }) }
  return { op: 'set', key: 'work', value }
}
