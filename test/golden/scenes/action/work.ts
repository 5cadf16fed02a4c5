// Verified work: contracts that end in each way, standing that asks and refuses, a suspension and
// how it ends, and all of it across the beginning of an era.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyFolder } from '#gates/run/copied-folder'
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { snapshotDigest } from '#work/verification/snapshot'
import { rotate } from '#replay/eras/rotate'
import type { Json } from '#record/canonical'
import { reinstate } from '#client/people/reinstate'
import { allStages } from '#workers/all-stages'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { answer, later, played, quiet, reason, type Play } from '../../play.ts'
import { setup } from '../cast.ts'

const minute = 60_000
const folder = await mkdtemp(join(tmpdir(), 'warrant-golden-'))

const call = (id: string, safetyClass: 'READ' | 'WRITE' | 'DESTRUCTIVE') => ({
  id,
  safetyClass,
  argsSchema: { type: 'object' },
})

const work = {
  issuers: ['grader'],
  workspaces: [{ id: 'site', folder }],
  start: 0.5,
  probation: 1,
  reinstateAfterMs: 60 * minute,
}

export const workSetup = {
  ...setup,
  stages: allStages,
  catalog: {
    ...setup.catalog,
    principals: [...setup.catalog.principals, { id: 'grader' }],
    capabilities: [
      ...setup.catalog.capabilities,
      call('work.read', 'READ'),
      call('work.write', 'WRITE'),
      call('work.drop', 'DESTRUCTIVE'),
    ],
    defaults: { justificationFor: [], rolesFor: { DESTRUCTIVE: [] } },
    rules: newestRules,
    work,
  },
} satisfies TestSetup

const good = '{"title":"home"}'

export async function workScene(play: Play): Promise<void> {
  const asks = (tool: string, args: Json = {}) => played(play, { intent: { tool, args } })

  await answer(play, await asks('work.write'))
  const first = await contract(play)
  await claim(play, first, await done(good), await evidence(play))
  const again = await contract(play)
  await claim(play, again, await done('{"title":'))
  await claim(play, again, { status: 'thanks' })
  await claim(play, again, await done(good))

  await claim(play, await contract(play), { status: 'blocked', whatINeed: 'the title' })
  await claim(play, await contract(play), { status: 'failed' })
  await claim(play, await contract(play), { status: 'success' })
  await contract(play, { claimWithinSeconds: 60 })
  await later(play, 2 * minute)
  await asks('work.drop')

  // One is open when the era ends, and its worker falls in the next.
  const open = await contract(play, { maxRetries: 1 })
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  const other = await done(good)
  await written('[]')
  await claim(play, open, other)
  for (let time = 0; time < 3; time += 1) {
    await claim(play, await contract(play, { maxRetries: 1 }), await done('{"a"'))
  }
  await asks('work.read')
  await contract(play)
  const by = { by: 'root', privateKey: keys.root }
  await reinstate(play.runtime, { agent: 'bot', reason: 'it was looked at', ...by })
  await quiet(play)
  await asks('work.read')
  await asks('work.drop')
  await claim(play, await contract(play, { maxRetries: 1 }), await done('{"a"'))
  await later(play, 61 * minute)
  await asks('work.read', { again: true })

  // What an issuer that is listed no more opened ends, and moves nothing.
  const last = await contract(play)
  await changeCatalog(play.runtime, { op: 'set', key: 'work', value: { ...work, issuers: [] } })
  await claim(play, last, await done(good))
  await changeCatalog(play.runtime, { op: 'set', key: 'work', value: {} })
  await asks('work.drop', { after: true })
  await rm(folder, { recursive: true })
}

async function contract(play: Play, more: Readonly<Record<string, Json>> = {}): Promise<string> {
  const terms = { taskId: 'T', objective: 'write the page', workspace: 'site', ...more }
  const payload = { contract: { requiredFiles: ['page.json'], ...terms } }
  const message = { receiver: 'bot', content: 'please', payload }
  return named(play, await played(play, { as: 'grader', message }))
}

async function evidence(play: Play): Promise<string> {
  const provenance = ['https://example.org/home']
  const message = { type: 'evidence', content: 'the old page', refers_to: 'T', provenance }
  return named(play, await played(play, { message }))
}

async function claim(
  play: Play,
  of: string,
  completion: Json,
  ...sources: readonly string[]
): Promise<void> {
  const refs = [of, ...sources]
  const message = { type: 'claim', content: reason, refers_to: refs, payload: { completion } }
  await played(play, { message })
}

function named({ runtime }: Play, address: string): string {
  return nameOf(runtime.follower.state.place, 'vlp', address)
}

/** The report of a worker that wrote this. */
async function done(text: string): Promise<Json> {
  await written(text)
  const at = await mkdtemp(join(tmpdir(), 'warrant-golden-'))
  const snapshot = await copyFolder(folder, join(at, 'copy'))
  await rm(at, { recursive: true })
  if (typeof snapshot === 'string') throw new Error(snapshot)
  return { status: 'success', work: { digest: snapshotDigest(snapshot) } }
}

async function written(text: string): Promise<void> {
  await writeFile(join(folder, 'page.json'), text)
}
