// A log with a workspace in a temporary folder, an issuer of contracts, and a verifier; and what
// tests do with them: write work, publish contracts and claims, and wait for what is found.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newestRules } from '#core/catalog/rules-version'
import { readEvent } from '#core/kernel/event'
import { copyFolder } from '#adapters/work/copied-folder'
import { snapshotDigest } from '#core/work/verification/snapshot'
import { allStages } from '#services/stages'
import type { VerificationData } from '#schemas/work/facts'
import type { Work } from '#schemas/work/settings'
import { bound, look, place, say, scene, type Scene, type SceneSetup } from './scene.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { nameOf } from '#core/kernel/names'

export interface WorkScene extends Scene {
  /** The folder of the workspace. */
  readonly folder: string
}

/** A capability of each class that needs no knowledge. */
export const write = { ...look, id: 'write', safetyClass: 'WRITE' as const }
export const destroy = { ...look, id: 'destroy', safetyClass: 'DESTRUCTIVE' as const }

export async function workScene(
  work: Work = {},
  setup: Omit<SceneSetup, 'catalog'> = {},
): Promise<WorkScene> {
  const folder = await temporaryFolder()
  const catalog = {
    rules: newestRules,
    capabilities: [look, write, destroy],
    principals: [{ id: 'grader' }],
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
  completion: Readonly<Record<string, unknown>>,
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
