// What the catalog says of people’s attention: how many answers of a person count one by one, under
// older rules to whom drills may be shown, and what must hold of both.
import type { Attention } from '#schemas/attention/attention'
import type { Catalog, CatalogRefusal } from '../catalog.ts'
import { hasRules } from '../rules-version.ts'

type Whom = NonNullable<Attention['drills']>[number]
type Known = Pick<Catalog, 'attention' | 'groups'>

/** How many answers a day of that person count one by one; null where no one has set that. */
export function answersPerDay(catalog: Known, id: string): number | null {
  const { answers = [] } = catalog.attention
  const own = answers.filter((entry) => isAbout(catalog, entry, id))
  return own.length === 0 ? null : Math.min(...own.map(({ perDay }) => perDay))
}

/** Whether that person may be shown a drill. */
export function mayBeDrilled(catalog: Known, id: string): boolean {
  return (catalog.attention.drills ?? []).some((entry) => isAbout(catalog, entry, id))
}

function isAbout({ groups }: Known, whom: Whom, id: string): boolean {
  if ('person' in whom) return whom.person === id
  return groups.get(whom.group)?.members.includes(id) === true
}

/** What is wrong with what it says; null where nothing is. */
export function attentionFault(catalog: Catalog): CatalogRefusal | null {
  const { answers = [], drills = [] } = catalog.attention
  if (catalog.attention.drills !== undefined && hasRules(catalog, 'withoutDrills')) {
    const fix = 'leave `drills` out, and take out what the log has of it with `apply --prune`'
    const message = `there are no drills under rules ${catalog.rules}: ${fix}`
    return { code: 'catalog_invalid', message, at: 'attention/drills' }
  }
  for (const [list, entries] of [
    ['answers', answers],
    ['drills', drills],
  ] as const) {
    for (const [index, entry] of entries.entries()) {
      const fault = missing(catalog, entry, `attention/${list}/${index}`)
      if (fault !== null) return fault
    }
  }
  return spans(catalog)
}

function missing(catalog: Catalog, whom: Whom, at: string): CatalogRefusal | null {
  if ('person' in whom) {
    if (catalog.principals.has(whom.person)) return null
    const message = `no principal \`${whom.person}\`: add it, or fix the name`
    return { code: 'unknown_member', message, at: `${at}/person` }
  }
  if (catalog.groups.has(whom.group)) return null
  const message = `no group \`${whom.group}\`: add it, or fix the name`
  return { code: 'unknown_group', message, at: `${at}/group` }
}

// People answer in every cell, and each counts only what it has itself.
function spans({ attention, cells }: Catalog): CatalogRefusal | null {
  if (cells === null) return null
  const index = (attention.answers ?? []).findIndex(({ perCell }) => perCell !== true)
  if (index < 0) return null
  const message = 'people answer in each cell, and each cell counts its own questions alone'
  const fix = 'let each cell have the whole of it with `"perCell": true`'
  return {
    code: 'budget_spans_cells',
    message: `${message}: ${fix}`,
    at: `attention/answers/${index}`,
  }
}
