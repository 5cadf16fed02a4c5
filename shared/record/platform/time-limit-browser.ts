// A page cannot stop what it runs, so there nothing is begun that may never end. Its twin, which
// says what it promises, is `time-limit-node.ts`.

export function endedWithin<T>(_msMax: number, _run: () => T): { readonly value: T } | null {
  return null
}
