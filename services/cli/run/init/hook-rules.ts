// The shipped rules for hooks of coding agents, as `init` and `dev` bring them into a log: without
// the people of those seeds, in whose place are those of the log.
import { join } from 'node:path'
import { bindSeed } from '#authoring/seed'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { readSeed } from '#authoring/seed-files'
import { assert } from '#record/fault'
import type { Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { hookedAgent, oldHookSeeds } from '#cli/agents/hook/log-notes'
import { packageRoot } from '#cli/terminal/opening/package-root'
import type { Principal } from '#schemas/catalog'
import type { StarterAgent } from './starter.ts'

/** The agent as the shipped rules have it, coming by hooks. */
export async function hookedStarter(): Promise<StarterAgent> {
  const { catalog } = await readSeed(join(packageRoot(), 'seeds', 'shell'))
  const seeded = catalog.principals.get(hookedAgent)
  assert(seeded !== undefined, 'the shipped rules have such an agent')
  const { roles, attributes } = seeded
  return { id: hookedAgent, roles, attributes, via: ['hook', 'http'] }
}

/** What of them the log lacks: the folders, and the tools that they bring. */
export async function lackingRules({ follower }: Pick<Runtime, 'follower'>) {
  const folders = oldHookSeeds(follower.state.catalog)
  const seeds = await Promise.all(folders.map((folder) => readSeed(folder)))
  return seeds.map((files) => {
    const catalog = { ...files.catalog, principals: new Map<string, Principal>() }
    const settings = files.written.catalog?.settings ?? {}
    const written = { ...files.written, catalog: { settings, principals: new Map() } }
    return { ...files, catalog, written }
  })
}

export async function bindHookRules(runtime: Runtime, author: Signer): Promise<void> {
  for (const files of await lackingRules(runtime)) {
    const planned = plannedSeed(runtime.follower.state, files, { author, prune: false })
    await bindSeed(runtime, planned.sets, { source: null, folder: files.digest, author })
  }
}
