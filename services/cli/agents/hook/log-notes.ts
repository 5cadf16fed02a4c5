// What a hook that was just installed needs of its log, and what it cannot do without one.
import { join, resolve } from 'node:path'
import type { Catalog } from '#rules/catalog/catalog'
import { declaredArguments, lacksMembers } from '#shell/hooks/declared'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { logFileDefault } from '#runtime/logs/log-url'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { seedHere } from '#cli/terminal/opening/seed-here'
import { logFor, type WayOptions } from './settings-place.ts'

/** The agent that asks by hooks, as the shipped rules call it. */
export const hookedAgent = 'coding-agent'

const seeds = ['shell', 'hooks'] as const
/** A capability of each seed that every agent uses. */
const needed = { shell: 'shell.run', hooks: 'file.write' } as const

export async function logNotes(options: GlobalOptions & WayOptions): Promise<readonly string[]> {
  const { for: host, url } = options
  if (url !== undefined) return []
  const log = logFor(options)
  if (log === null) {
    return [
      'there is NO LOG here: the shipped rules decide alone, and what they would ask about is ' +
        'BLOCKED: each edit, test run, commit and use of the network. To be asked instead: ' +
        `\`warrant init --for ${host.name}\``,
    ]
  }
  const catalog = await withRuntime({ ...options, log }, { reads: true }, (runtime) => {
    return Promise.resolve(runtime.follower.state.catalog)
  })
  const missing = missingIn(catalog, options.as)
  if (missing.length === 0)
    return [`it asks the log \`${log}\`: people answer with \`warrant reviews\``]
  const isHere = log === resolve(logFileDefault) && (options.as ?? hookedAgent) === hookedAgent
  return [
    `the log \`${log}\` BLOCKS ALL CALLS until a person has done this:`,
    ...(isHere ? [`  warrant init --for ${host.name}`] : missing),
  ]
}

/** What brings what is not there. */
function missingIn({ capabilities, principals, dev }: Catalog, as?: string): readonly string[] {
  const served = [...principals.values()].filter(({ via }) => via?.includes('hook') === true)
  const own = as === undefined ? served : served.filter(({ id }) => id === as)
  const owner = [...principals.values()].find(({ owner: one }) => one !== undefined)?.owner ?? 'you'
  // The key of a log of `dev` is taken at a terminal alone, and has no name that is known here.
  const signed = dev ? '' : ` --key ${owner} --yes`
  const folder = seedHere()
  const entry = entryToWrite(principals, { id: as ?? hookedAgent, owner })
  return [
    ...oldHookSeeds({ capabilities }).map((seed) => `  warrant apply ${seed}${signed}`),
    ...(own.length > 1 ? ['  (several may ask here: install it again with --as)'] : []),
    ...(own.length > 0
      ? []
      : [
          `  let \`principals\` of ${folder}/catalog.json have \`${JSON.stringify(entry)}\`, then`,
          `  warrant apply ${folder}${signed}`,
        ]),
  ]
}

/** What lets it come through hooks. Of one that the log has, another folder says the rest. */
function entryToWrite(
  principals: Catalog['principals'],
  { id, owner }: { readonly id: string; readonly owner: string },
): object {
  const there = principals.get(id)
  const via = [...new Set([...(there?.via ?? []), 'hook', 'http'])]
  return there === undefined ? { id, roles: ['writer'], owner, via } : { id, via }
}

/** The folders of this package without which a log does not bind all of a hook's call. */
export function oldHookSeeds({ capabilities }: Pick<Catalog, 'capabilities'>): readonly string[] {
  const old = seeds.filter((seed) => {
    return lacksMembers(new Set(declaredArguments(capabilities, needed[seed])))
  })
  return old.map((seed) => join(packageRoot(), 'seeds', seed))
}
