// A log with a workspace in a temporary folder, an issuer of contracts, and a verifier; and what
// tests do with them: write work, publish contracts and claims, and wait for what is found.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newestRules } from '#rules/catalog/rules-version'
import { readEvent } from '#record/event'
import { copyFolder } from '#gates/run/copied-folder'
import { snapshotDigest } from '#work/verification/snapshot'
import { allStages } from '#workers/all-stages'
import type { VerificationData } from '#schemas/work/facts'
import type { WorkRules } from '#schemas/work/settings'
import { another, bound, look, place, say, scene } from '../scene.ts'
import type { Scene, SceneSetup } from '../scene.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { Json } from '#record/canonical'
import { nameOf, token } from '#record/names'

export interface WorkScene extends Scene {
  /** The folder of the workspace. */
  readonly folder: string
}

/** A capability of each class that needs no knowledge. */
const write = { ...look, id: 'write', safetyClass: 'WRITE' as const }
const destroy = { ...look, id: 'destroy', safetyClass: 'DESTRUCTIVE' as const }

export async function workScene(
  work: WorkRules = {},
  setup: Omit<SceneSetup, 'catalog'> = {},
  more: NonNullable<NonNullable<SceneSetup['catalog']>['principals']> = [],
): Promise<WorkScene> {
  const folder = await temporaryFolder()
  const catalog = {
    rules: newestRules,
    // What else stands in the way of a call is not of these scenes.
    defaults: { justificationFor: [], rolesFor: { DESTRUCTIVE: [] } },
    capabilities: [look, write, destroy],
    principals: [{ id: 'grader' }, { id: 'twin', owner: 'olga' }, ...more],
    groups: [{ id: 'board', members: ['piet', 'quin'] }],
    confirmations: [{ id: 'two', tier: 'four_eyes' as const, group: 'board', sessionless: true }],
    work: { issuers: ['grader'], workspaces: [{ id: 'site', folder }], probation: 0, ...work },
  }
  const on = await scene({ stages: allStages, ...setup, catalog })
  return { ...on, folder }
}

/** Replaces what lies in the workspace, and gives its digest. */
export async function written(
  { folder }: Pick<WorkScene, 'folder'>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  await rm(folder, { recursive: true })
  await mkdir(folder)
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const snapshot = await copyFolder(folder, join(await temporaryFolder(), 'copy'))
  if (typeof snapshot === 'string') throw new Error(snapshot)
  return snapshotDigest(snapshot)
}

/** The name of its message. */
export async function contracted(
  on: WorkScene,
  contract: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const payload = {
    contract: {
      taskId: 'T-1',
      objective: 'write the page',
      workspace: 'site',
      requiredFiles: ['page.json'],
      ...contract,
    },
  }
  const address = await say(on.log, {
    as: 'grader',
    message: { type: 'query', receiver: 'bot', content: 'please', payload, ...more },
  })
  return nameOf(place, 'vlp', address)
}

export async function claims(
  on: WorkScene,
  contract: string,
  completion: Json,
  as = 'bot',
): Promise<string> {
  const message = {
    type: 'claim',
    content: 'done',
    refers_to: contract,
    payload: { completion },
  }
  return nameOf(place, 'vlp', await say(on.log, { as, message }))
}

export async function verificationOf(
  on: WorkScene,
  contract: string,
  attempt = 1,
): Promise<VerificationData> {
  const address = contract.split('.').slice(3)
  const fact = await bound(on.log, nameOf(place, 'verification', ...address, attempt))
  const reading = readEvent('verification', fact)
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

const page = { 'page.json': '{"title": "home"}' }

export function earned({ runtime }: WorkScene, agent = 'bot') {
  return runtime.follower.state.standings.get(token(agent))
}

/** The report of a worker that wrote these files. */
export async function done(on: WorkScene, files: Readonly<Record<string, string>> = page) {
  const digest = await written(on, files)
  return { status: 'success', work: { digest } }
}

export async function folded(on: WorkScene): Promise<void> {
  const { position } = await on.log.head()
  await on.runtime.follower.reached(position)
}

/** Why the last fact of the log counts for nothing; null where it counts. */
export async function whyVoid(on: WorkScene): Promise<string | null> {
  const { position } = await on.log.head()
  const reasons: (string | null)[] = []
  const other = await another(on, {
    stages: [],
    parts: { onFolded: (fact, came) => fact.position === position && reasons.push(came.void) },
  })
  await other.runtime.stop()
  return reasons[0] ?? null
}
