// The filters of a search as an address has them, and which of them a value means when it is
// clicked: its own filter where there is one, else an expression that holds for that value.
import { canonical, type Json } from '#record/canonical'
import { tokenName } from '#record/pointer-token'

/** Those of the operation `facts`. */
export const filterNames = [
  'agent',
  'tool',
  'outcome',
  'reason',
  'rule',
  'person',
  'kind',
  'decisions',
  'name',
  'issue',
  'since',
  'until',
  'where',
] as const
export type FilterName = (typeof filterNames)[number]

export type Filters = Readonly<Partial<Record<FilterName, string>>>

export interface Filter {
  readonly name: FilterName
  readonly value: string
}

const labels = {
  agent: 'Agent',
  tool: 'Tool',
  outcome: 'Outcome',
  reason: 'Reason',
  rule: 'Rule',
  person: 'Person',
  kind: 'Kind',
  decisions: 'Decisions alone',
  name: 'Name',
  issue: 'VLP issue',
  since: 'Since',
  until: 'Until',
  where: 'Expression',
} as const satisfies Readonly<Record<FilterName, string>>

export function filterLabel(name: FilterName): string {
  return labels[name]
}

/** Those that the address of a search has. */
export function filtersIn(query: ReadonlyMap<string, string>): Filters {
  const found: Partial<Record<FilterName, string>> = {}
  for (const name of filterNames) {
    const value = query.get(name)
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}

/** As a search has them for its address. */
export function queryOfFilters(filters: Filters): Readonly<Record<string, string>> {
  return { ...filters }
}

/** With one more: two expressions must both hold, and any other filter takes its new value. */
export function filtersWith(filters: Filters, { name, value }: Filter): Filters {
  const before = filters[name]
  if (name !== 'where' || before === undefined) return { ...filters, [name]: value }
  const isThere = before.split(' && ').includes(value)
  if (isThere) return filters
  // What someone wrote by hand holds as a whole.
  const whole = /\|\||\?/.test(before) ? `(${before})` : before
  return { ...filters, where: `${whole} && ${value}` }
}

export function filtersWithout(filters: Filters, gone: FilterName): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => name !== gone))
}

interface Rule {
  readonly at: RegExp
  readonly means: FilterName
}

/** By where in a fact a value stands. */
const ownFilters: readonly Rule[] = [
  { at: /^\/data\/(intent\/)?agent$|^\/sender$/, means: 'agent' },
  { at: /\/(capability|tool)$/, means: 'tool' },
  { at: /^\/data\/outcome$/, means: 'outcome' },
  { at: /^\/data\/reasons\/\d+\/code$/, means: 'reason' },
  { at: /\/(params|questions\/\d+)\/(rule|policy)$/, means: 'rule' },
  { at: /^\/data\/(confirmer|by)$|\/confirmedBy\/\d+$/, means: 'person' },
]

/** Only what stands in `data` can be asked for; a message is all of it. */
function memberPath(pointer: string, isEvent: boolean): readonly string[] | null {
  const tokens = pointer.slice(1).split('/').map(tokenName)
  if (!isEvent) return tokens
  return tokens[0] === 'data' ? tokens.slice(1) : null
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/
const place = /^(0|[1-9][0-9]*)$/
// What CEL keeps for itself is no name of a member.
const kept = new Set(['in', 'true', 'false', 'null', 'as', 'break', 'const', 'for', 'if', 'let'])
const longestValue = 400

function celPath(tokens: readonly string[]): string {
  return tokens.reduce((path, token) => {
    if (place.test(token)) return `${path}[${token}]`
    const isPlain = plainName.test(token) && !kept.has(token)
    return isPlain ? `${path}.${token}` : `${path}[${canonical(token)}]`
  }, 'data')
}

/** What a click on this value filters by; null where nothing can ask for it. */
export function filterFor(value: Json, pointer: string, isEvent: boolean): Filter | null {
  const own = ownFilters.find(({ at }) => at.test(pointer))
  if (own !== undefined && typeof value === 'string' && isListable(value)) {
    return { name: own.means, value }
  }
  const path = memberPath(pointer, isEvent)
  if (path === null || path.length === 0 || (typeof value === 'object' && value !== null))
    return null
  const text = canonical(value)
  if (text.length > longestValue || (typeof value === 'number' && !Number.isFinite(value)))
    return null
  return { name: 'where', value: `${celPath(path)} == ${text}` }
}

// Several ids stand in one filter with commas between.
function isListable(text: string): boolean {
  return text !== '' && !text.includes(',')
}
