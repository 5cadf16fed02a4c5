// The browsing tree: capabilities by the namespaces of their ids, with no more children anywhere
// than a person or a model reads at once. The same ids always give the same tree.
import { idParts } from './namespaces.ts'

export interface BrowsingNode {
  readonly label: string
  /** Of a capability: its id. */
  readonly id?: string
  /** How many capabilities are here. */
  readonly count: number
  /** Empty for a capability. */
  readonly children: readonly BrowsingNode[]
}

export const childrenMax = 20
/** Parts of an id beyond these stand together. */
const depthMax = 8

export function browsingTree(ids: Iterable<string>): BrowsingNode {
  const placed = [...ids].map((id) => ({ id, parts: idParts(id) }))
  return nodeOf('', placed, 0)
}

/** The node at the end of these labels; null where there is none. */
export function nodeAt(root: BrowsingNode, labels: readonly string[]): BrowsingNode | null {
  let here: BrowsingNode | undefined = root
  for (const label of labels) here = here?.children.find((child) => child.label === label)
  return here ?? null
}

interface PlacedId {
  readonly id: string
  readonly parts: readonly string[]
}

function nodeOf(label: string, placed: readonly PlacedId[], depth: number): BrowsingNode {
  const below = new Map<string, PlacedId[]>()
  const here: BrowsingNode[] = []
  for (const one of placed) {
    const part = one.parts[depth]
    const isLeaf = part === undefined || depth >= depthMax || one.parts.length === depth + 1
    if (isLeaf) {
      here.push({ label: one.parts.slice(depth).join('.'), id: one.id, count: 1, children: [] })
      continue
    }
    const there = below.get(part)
    if (there === undefined) below.set(part, [one])
    else there.push(one)
  }
  const namespaces = [...below].map(([part, those]) => nodeOf(part, those, depth + 1))
  const children = bounded([...namespaces, ...here].toSorted(byLabel))
  return { label, count: placed.length, children }
}

/** Where there are too many, neighbours stand together under the first and the last of them. */
function bounded(children: readonly BrowsingNode[]): readonly BrowsingNode[] {
  if (children.length <= childrenMax) return children
  const size = Math.max(childrenMax, Math.ceil(children.length / childrenMax))
  const groups: BrowsingNode[] = []
  for (let from = 0; from < children.length; from += size) {
    const those = children.slice(from, from + size)
    const label = `${those[0]?.label ?? ''}…${those.at(-1)?.label ?? ''}`
    const count = those.reduce((sum, each) => sum + each.count, 0)
    groups.push({ label, count, children: bounded(those) })
  }
  return bounded(groups)
}

function byLabel(one: BrowsingNode, other: BrowsingNode): number {
  if (one.label !== other.label) return one.label < other.label ? -1 : 1
  return (one.id ?? '') < (other.id ?? '') ? -1 : 1
}
