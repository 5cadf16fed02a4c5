// A search as the evaluations that it stands for, and several evaluations as they are: of each,
// what would be asked about it alone.
import { searchedMax, type Intent, type Search } from '#schemas/intent'
import { candidatesOf } from '#rules/catalog/doors/searching'
import type { Catalog } from '#rules/catalog/catalog'
import type { Opening } from '#messages/opening'
import { isJsonMap } from './listed-resource.ts'

export interface SearchCandidate {
  /** Its own id; of an action its name. */
  readonly id: string
  /** The message as if it asked about this one. */
  readonly opening: Opening
}

/** Those that one search or message of evaluations looks at, in order; none of any other. */
export function searchCandidates(catalog: Catalog, opening: Opening): readonly SearchCandidate[] {
  const { request, ref } = opening
  const search = request?.search
  if (request === null || search === undefined) return evaluatedIn(opening)
  const { from = 0 } = search
  const ids = candidatesOf(catalog, ref.agent, search).slice(from, from + searchedMax)
  return ids.map((id) => {
    return { id, opening: { ...opening, request: evaluationOf(request, search, { id, ref }) } }
  })
}

// Several evaluations have no ids: each has its place.
function evaluatedIn(opening: Opening): readonly SearchCandidate[] {
  if (opening.request?.evaluations === undefined) return []
  const { evaluations, ...rest } = opening.request
  return evaluations.map((one, index) => {
    return { id: String(index), opening: { ...opening, request: { ...rest, ...one } } }
  })
}

/** How many there are, whatever is looked at. */
export function candidatesCount(catalog: Catalog, { request, ref }: Opening): number {
  const search = request?.search
  return search === undefined ? 0 : candidatesOf(catalog, ref.agent, search).length
}

function evaluationOf(
  request: Intent,
  { for: of, type }: Search,
  { id, ref }: { readonly id: string; readonly ref: Opening['ref'] },
): Intent {
  const { search: _, args, ...rest } = request
  const subject = of === 'subjects' ? { type, id } : (rest.subject ?? { id: ref.agent })
  const entity = (name: string, more: Intent['args']): Intent['args'] => {
    const said = args[name]
    return { ...args, [name]: { ...(isJsonMap(said) ? said : {}), ...more } }
  }
  switch (of) {
    case 'subjects':
      return { ...rest, subject, args: entity('subject', { type, id }) }
    case 'resources':
      return { ...rest, subject, args: entity('resource', { type, id }) }
    case 'actions':
      return { ...rest, subject, tool: `${type}.${id}`, args: entity('action', { name: id }) }
  }
}
