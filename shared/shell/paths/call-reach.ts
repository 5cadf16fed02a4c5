// How far a command reaches from the paths that it is given: what a search or a listing chooses
// among all that is below them.
import { PathRole, type ShellEntry } from '#schemas/shell/table'
import { chosenBelow, filtersOf, findsAll, isFilterRole, type PathChoice } from './chosen.ts'
import type { Acting, ShellCall } from './shell-call.ts'
import type { GivenOption, ReadArguments } from '../given-options.ts'
import { onPath } from './on-path.ts'

export interface CallReach {
  /** Null where the paths themselves are meant. */
  readonly choice: PathChoice | null
  /** Whether a search shows whole files. */
  readonly showsAll: boolean
  /** What is found below the paths, as texts with marks. */
  readonly chosen: readonly string[]
}

interface Calling {
  readonly read: ReadArguments
  readonly entry: ShellEntry
  readonly act: Acting
  readonly given: ReadonlySet<string>
}

export interface PlacedRole {
  readonly role: string
  /** Whether it stands for all that are left. */
  readonly isRest: boolean
}

export const text: PlacedRole = { role: 'text', isRest: false }

/** The role of each argument by its place. */
export function rolesOf(count: number, { args = 'text...' }: Acting): readonly PlacedRole[] {
  const roles = args.split(' ')
  const many = roles.findIndex((one) => one.endsWith('...'))
  const after = many === -1 ? 0 : roles.length - many - 1
  return Array.from({ length: count }, (_, at) => {
    const fromEnd = count - at
    const index =
      many === -1 || at < many
        ? Math.min(at, roles.length - 1)
        : fromEnd <= after
          ? roles.length - fromEnd
          : many
    const role = roles[index] ?? 'text'
    return { role: role.replace('...', ''), isRest: role.endsWith('...') }
  })
}

export function reachOf({ read, entry, act, given }: Calling): CallReach {
  const { words, options } = read
  const roles = rolesOf(words.length, act).map(({ role }) => role)
  const withRole = (role: (one: string) => boolean) =>
    words.filter((_, at) => role(roles[at] ?? ''))
  const isAny = (names: string | undefined) => names?.split(' ').some((one) => given.has(one))
  const isDeep = entry.walks === true || isAny(entry.walks) === true
  const fromWords = words.flatMap((one, at) => filtersOf(roles[at] ?? '', one))
  const fromOptions =
    entry.expression === true
      ? expressionFilters(options)
      : options.flatMap(({ role, value }) => filtersOf(role, value ?? ''))
  const filters = fromOptions === null ? fromWords : [...fromWords, ...fromOptions]
  const patterns = [
    ...withRole((one) => one === 'pattern'),
    ...options.filter(({ role }) => role === 'pattern').map(({ value }) => value ?? ''),
  ]
  const choice = { filters, isDeep }
  const isFiltered = filters.length > 0 || (isDeep && act.lists !== true)
  const paths = withRole((one) => PathRole.safeParse(one).success)
  return {
    choice: isFiltered ? choice : null,
    showsAll: patterns.some(findsAll) || isAny(entry.whole) === true,
    chosen: (paths.length === 0 ? ['.'] : paths).flatMap((one) => chosenBelow(one, choice)),
  }
}

/** Null where something is found that no filter chose. */
function expressionFilters(options: readonly GivenOption[]): readonly string[] | null {
  const sides: GivenOption[][] = [[]]
  for (const one of options) {
    if (/^-o(?:r)?$/u.test(one.name)) sides.push([])
    else sides.at(-1)?.push(one)
  }
  const all = sides.map((side) => {
    const filters = side
      .filter(({ role, isNegated }) => isFilterRole(role) && !isNegated)
      .flatMap(({ role, value }) => filtersOf(role, value ?? ''))
    const isPruned = side.some(({ name }) => name === '-prune')
    const acts = side.some(({ role, name }) => role === 'exec' || name === '-delete')
    return { filters, counts: !isPruned || acts }
  })
  const counted = all.filter(({ counts }) => counts)
  if (counted.some(({ filters }) => filters.length === 0)) return null
  return counted.flatMap(({ filters }) => filters)
}

/** Does something to a path, or to what is chosen below it. */
export function onReached(role: PathRole, word: string, reach: CallReach, call: ShellCall): void {
  const { choice, showsAll } = reach
  const done = role === 'search' && showsAll ? 'read' : role
  if (choice === null) {
    onPath(done, word, call)
    return
  }
  if (choice.filters.length === 0 || role === 'look') onPath(done, word, call)
  if (role === 'look') return
  for (const path of chosenBelow(word, choice)) onPath(done, path, call)
}
