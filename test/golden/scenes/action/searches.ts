// What one searches for: who, what and which actions, page after page, what is found of no one, what
// several evaluations in a message come to, and that resources hold in the next era.
import { newestRules } from '#rules/catalog/rules-version'
import { jsonOf } from '#record/canonical'
import { rotate } from '#replay/eras/rotate'
import type { IntentFields } from '#client/connect'
import { changeCatalog, keys, type TestSetup } from '../../../support/runtime.ts'
import { played, quiet, reason, type Play } from '../../play.ts'

const open = { type: 'object' }
const own = {
  name: 'own',
  effect: 'require' as const,
  when: 'args.resource.properties.owner == principal.id',
}
const people = [{ type: 'user', who: { attributes: { tenant: 'eu' } } }]

export const searchesSetup = {
  catalog: {
    capabilities: [
      { id: 'file.read', safetyClass: 'READ' as const, argsSchema: open },
      { id: 'file.write', safetyClass: 'WRITE' as const, argsSchema: open },
      { id: 'file.open', safetyClass: 'READ' as const, argsSchema: open, conditions: [own] },
    ],
    principals: [
      { id: 'reader', evaluates: { subjects: people } },
      { id: 'ann', roles: ['writer'], attributes: { tenant: 'eu' }, owner: 'piet' },
      { id: 'ben@x.org', attributes: { tenant: 'eu' }, owner: 'piet' },
      { id: 'cal', roles: ['admin'], attributes: { tenant: 'us' } },
    ],
    resources: [
      { id: 'file:2', properties: { size: [2, 'kB'], owner: 'ann' } },
      { id: 'file:1', properties: { owner: 'ben@x.org' } },
      { id: 'file:10', properties: { owner: 'ann' } },
    ],
    limits: [{ capability: 'file.read', uses: 2, windowMs: 60_000 }],
    rules: newestRules,
  },
} satisfies TestSetup

interface Sought extends Partial<IntentFields> {
  readonly as?: string
}

const ann = { type: 'user', id: 'ann' }
const files = { for: 'resources', type: 'file' } as const
const args = { resource: { type: 'file', id: '2' } }

function searches(play: Play, sought: Sought): Promise<string> {
  const { as = 'reader', tool = 'file.open', ...more } = sought
  return played(play, { as, intent: jsonOf({ tool, justification: reason, ...more }) })
}

export async function searchesScene(play: Play): Promise<void> {
  const users = { for: 'subjects', type: 'user' } as const
  for (const tool of ['file.read', 'file.write', 'file.open', 'file.fly']) {
    await searches(play, { tool, args, search: users })
  }
  for (const search of [files, { ...files, limit: 1 }, { ...files, from: 1, limit: 1 }]) {
    await searches(play, { subject: ann, search })
  }
  const actions = { for: 'actions', type: 'file' } as const
  for (const id of ['ann', 'ben@x.org', 'cal']) {
    await searches(play, { tool: 'file.*', args, subject: { type: 'user', id }, search: actions })
  }
  await searches(play, { as: 'cal', tool: 'file.*', args, search: actions })
  await searches(play, { as: 'nemo', search: users })
  const several = ['file.read', 'file.write', 'file.open', 'file.fly'].flatMap((tool) =>
    ['ann', 'ben@x.org', 'cal'].map((id) => ({ tool, args, subject: { type: 'user', id } })),
  )
  await searches(play, { tool: 'file.read', evaluations: several })
  await searches(play, { as: 'cal', tool: 'file.read', evaluations: several })
  await changeCatalog(play.runtime, { op: 'suspend', id: 'ann' })
  await searches(play, { tool: 'file.read', args, search: users })
  await changeCatalog(
    play.runtime,
    { op: 'unsuspend', id: 'ann' },
    { op: 'remove', collection: 'resources', id: 'file:10' },
  )
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await searches(play, { subject: ann, search: files })
}
