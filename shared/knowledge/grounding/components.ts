// Which primitives hang together: a union-find over ids. Its arrays outlive a call so that none
// has to be made for each; `separate` puts every id in question back on its own first.

let parents = new Int32Array(0)
let sizes = new Int32Array(0)

/** Each of these ids is a component of its own. Ids must be below `length`. */
export function separate(ids: Iterable<number>, length: number): void {
  if (parents.length < length) {
    parents = new Int32Array(Math.max(length, parents.length * 2))
    sizes = new Int32Array(parents.length)
  }
  for (const id of ids) {
    parents[id] = id
    sizes[id] = 1
  }
}

export function join(one: number, other: number): void {
  const a = componentOf(one)
  const b = componentOf(other)
  if (a === b) return
  const [large, small] = componentSize(a) < componentSize(b) ? [b, a] : [a, b]
  parents[small] = large
  sizes[large] = componentSize(a) + componentSize(b)
}

/** The id that stands for the component of this one. */
export function componentOf(id: number): number {
  let here = id
  for (let up = parents[here] ?? here; up !== here; up = parents[here] ?? here) {
    parents[here] = parents[up] ?? up
    here = up
  }
  return here
}

/** How many ids are in the component that this id stands for. */
export function componentSize(component: number): number {
  return sizes[component] ?? 0
}
