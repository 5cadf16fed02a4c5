// Where a name may be found. One index is shared by all revisions of a graph and only ever grows,
// so what it says is a hint: the caller must see in its own revision that the primitive there
// bears the name.

interface NameHint {
  readonly folded: string
  readonly id: number
}

export interface NameIndex {
  readonly ids: Map<string, number[]>
  /** Every hint in the order it was given, for indexes that are built later from this one. */
  readonly hints: NameHint[]
}

export function newNameIndex(): NameIndex {
  return { ids: new Map(), hints: [] }
}

export function addHint(index: NameIndex, folded: string, id: number): void {
  const ids = index.ids.get(folded)
  if (ids === undefined) index.ids.set(folded, [id])
  else if (ids.includes(id)) return
  else ids.push(id)
  index.hints.push({ folded, id })
}
