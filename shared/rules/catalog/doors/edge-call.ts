// Which capability a request at a proxy calls. What can be read in two ways is a call of none: a
// server behind the proxy could read it the other way.
import type { Capability } from '#schemas/catalog'
import type { EdgeRequest } from '#schemas/rules/edge-request'
import type { Catalog } from '../catalog.ts'

export interface EdgeCall {
  readonly tool: string
  /** The parts of the path that the template leaves open, decoded. */
  readonly params: Readonly<Record<string, string>>
}

export interface AtEdge {
  readonly method: string
  readonly host: string
  /** As it came, without a query. */
  readonly path: string
}

interface Entry {
  readonly tool: string
  readonly of: EdgeRequest
  readonly parts: readonly string[]
}

const known = new WeakMap<ReadonlyMap<string, Capability>, readonly Entry[]>()

/** Null where it is a call of none, or could be one of several. */
export function edgeCall(
  { capabilities }: Pick<Catalog, 'capabilities'>,
  { method, host, path }: AtEdge,
): EdgeCall | null {
  const parts = partsOf(path)
  if (parts === null) return null
  const fitting = entriesIn(capabilities).filter(({ of, parts: template }) => {
    if (of.method !== method || (of.host !== undefined && of.host !== host)) return false
    return template.length === parts.length && template.every((one, at) => fits(one, parts[at]))
  })
  // One that names a host, and more of the path by its own words, is meant before another.
  const ranked = fitting.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))
  const [first, second] = ranked
  if (first === undefined) return null
  const isSure = second === undefined || rankOf(first) !== rankOf(second)
  if (!isSure && first.tool !== second.tool) return null
  const params = first.parts.flatMap((one, at) => {
    return isOpen(one) ? [[one.slice(1, -1), parts[at] ?? ''] as const] : []
  })
  return { tool: first.tool, params: Object.fromEntries(params) }
}

function entriesIn(capabilities: Catalog['capabilities']): readonly Entry[] {
  const before = known.get(capabilities)
  if (before !== undefined) return before
  const entries = [...capabilities.values()].flatMap(({ id: tool, requests = [] }) => {
    return requests.map((of) => ({ tool, of, parts: of.path.slice(1).split('/') }))
  })
  known.set(capabilities, entries)
  return entries
}

function isOpen(template: string): boolean {
  return template.startsWith('{')
}

function fits(template: string, part: string | undefined): boolean {
  return isOpen(template) ? part !== undefined && part !== '' : template === part
}

function rankOf({ of, parts }: Entry): string {
  return [of.host === undefined ? '1' : '0', ...parts.map((one) => (isOpen(one) ? '1' : '0'))].join(
    '',
  )
}

/** Its parts, decoded; null where servers may read it otherwise. */
function partsOf(path: string): readonly string[] | null {
  if (!path.startsWith('/')) return null
  const parts: string[] = []
  for (const raw of path.slice(1).split('/')) {
    const part = decoded(raw)
    const isOdd = part === null || part === '.' || part === '..' || /[/\\;?#%\p{Cc}]/u.test(part)
    if (isOdd || (part === '' && path !== '/')) return null
    parts.push(part)
  }
  return parts
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
