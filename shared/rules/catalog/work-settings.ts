// What the catalog says of verified work, and what must hold of it: whose contracts count, where
// work lies, and by which numbers standing moves.
import { ruledLevels, type WorkRules, type Workspace } from '#schemas/work/settings'
import { isListed, type Catalog, type CatalogRefusal } from './catalog.ts'
import { hasRules, newestRules } from './rules-version.ts'
import { topmostOwner } from './confirmers.ts'
import { standingAlpha, standingStart } from './earned-standing.ts'

const probationDefault = 5

export interface StandingSettings {
  readonly alpha: number
  readonly start: number
  readonly probation: number
}

export function standingSettings({ work }: Pick<Catalog, 'work'>): StandingSettings {
  const { alpha = standingAlpha, start = standingStart, probation = probationDefault } = work
  return { alpha, start, probation }
}

/** Whether contracts of that principal open, and move standing. */
export function isContractIssuer({ work, principals }: Catalog, id: string): boolean {
  const isListedThere = work.issuers?.includes(id) === true
  return isListedThere && principals.get(id)?.suspended === false
}

/** Whether the two have an owner in common, or one is the other's: neither judges the other. */
export function areOneSide(catalog: Catalog, one: string, other: string): boolean {
  return topmostOwner(catalog, one) === topmostOwner(catalog, other)
}

export function workspaceNamed({ work }: Pick<Catalog, 'work'>, id: string): Workspace | null {
  return work.workspaces?.find((one) => one.id === id) ?? null
}

/** Whether what that principal earned decides what it may do. */
export function hasStanding(catalog: Catalog, id: string): boolean {
  const { work, principals } = catalog
  if (Object.keys(work).length === 0) return false
  return work.agents === undefined || isListed(work.agents, principals.get(id))
}

/** What is wrong with what it says; null where nothing is. */
export function workFault(catalog: Catalog): CatalogRefusal | null {
  const { work, principals } = catalog
  const isUsed = Object.keys(work).length > 0
  if (isUsed && !hasRules(catalog, 'contracts')) {
    const message = `no contract opens under rules ${catalog.rules}`
    const fix = `set \`rules\` to ${newestRules}`
    return { code: 'work_unusable', message: `${message}: ${fix}`, at: 'work' }
  }
  const stranger = (work.issuers ?? []).findIndex((id) => !principals.has(id))
  if (stranger >= 0) {
    const message = `no principal \`${work.issuers?.[stranger] ?? ''}\`: add it, or fix the name`
    return { code: 'unknown_member', message, at: `work/issuers/${stranger}` }
  }
  const ids = (work.workspaces ?? []).map(({ id }) => id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice >= 0) {
    const message = `two workspaces are called \`${ids[twice] ?? ''}\`: keep one of them`
    return { code: 'work_unusable', message, at: `work/workspaces/${twice}/id` }
  }
  return levelsFault(catalog, work)
}

function levelsFault(catalog: Catalog, { levels = {} }: WorkRules): CatalogRefusal | null {
  for (const level of ruledLevels) {
    const { confirmation, quorum = 1, confirm = [], refuse = [] } = levels[level] ?? {}
    const at = `work/levels/${level}`
    for (const [list, calls] of Object.entries({ confirm, refuse })) {
      const wrong = calls.findIndex((call) => {
        return 'capability' in call && !catalog.capabilities.has(call.capability)
      })
      if (wrong < 0) continue
      const message = 'it names a tool that the catalog does not have: add it, or fix it'
      return { code: 'unknown_capability', message, at: `${at}/${list}/${wrong}` }
    }
    if (confirmation !== undefined && !catalog.confirmations.has(confirmation)) {
      const message = `no confirmation \`${confirmation}\`: add it, or fix the name`
      return { code: 'unknown_confirmation', message, at: `${at}/confirmation` }
    }
    const by = confirmation === undefined ? undefined : catalog.confirmations.get(confirmation)
    if (quorum > 1 && by?.tier !== 'four_eyes') {
      const message = 'an owner confirms alone: name a confirmation of the tier `four_eyes`'
      return { code: 'work_unusable', message, at: `${at}/quorum` }
    }
  }
  return null
}
