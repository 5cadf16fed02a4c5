// What each operation of a change set finds and what it leaves behind, in their order: so that
// people see what is changed, and not only what is written. What is not there is null.
import { caseFold } from '#record/case-fold'
import { jsonOf, type Json } from '#record/canonical'
import type { CatalogFile, CatalogOperation } from '#schemas/catalog'
import type { Depth, GraphOperation, Primitive, Relatum } from '#schemas/graph'

export interface ChangeStep {
  readonly before: Json
  readonly now: Json
}

type CatalogRead = Partial<CatalogFile>

export function catalogSteps(
  catalog: CatalogRead,
  operations: readonly CatalogOperation[],
): readonly ChangeStep[] {
  let left = catalog
  return operations.map((operation) => {
    const before = standing(left, operation)
    left = catalogLeft(operation, left)
    const isAccepted = operation.op === 'accept_rollback'
    return { before, now: isAccepted ? jsonOf(operation.position) : standing(left, operation) }
  })
}

/** The catalog as it is with that operation. */
export function catalogLeft<Of extends CatalogRead>(operation: CatalogOperation, before: Of): Of {
  switch (operation.op) {
    case 'put': {
      const { collection, entry } = operation
      const all: readonly Entry[] = before[collection] ?? []
      const at = all.findIndex(({ id }) => id === entry.id)
      const put = collection === 'principals' ? putOver(entry, all[at] ?? {}) : entry
      return { ...before, [collection]: at === -1 ? [...all, put] : all.with(at, put) }
    }
    case 'remove': {
      const { collection, id } = operation
      const all: readonly Entry[] = before[collection] ?? []
      return { ...before, [collection]: all.filter((one) => one.id !== id) }
    }
    case 'set':
      return { ...before, [operation.key]: operation.value ?? undefined }
    case 'suspend':
    case 'unsuspend':
      return marked(before, operation.id, { suspended: operation.op === 'suspend' })
    case 'leave':
      return marked(before, operation.id, { moving: true })
    case 'stay':
    case 'arrive':
      return marked(before, operation.id, { moving: undefined })
    case 'accept_rollback':
      return before
  }
}

interface Entry {
  readonly id: string
  readonly suspended?: boolean | undefined
  readonly moving?: true | undefined
}

function standing(catalog: CatalogRead, operation: CatalogOperation): Json {
  if (operation.op === 'accept_rollback') return null
  if (operation.op === 'set') return jsonOf(catalog[operation.key] ?? null)
  const [collection, id] =
    operation.op === 'put'
      ? [operation.collection, operation.entry.id]
      : [operation.op === 'remove' ? operation.collection : 'principals', operation.id]
  const entries: readonly Entry[] = catalog[collection] ?? []
  return jsonOf(entries.find((one) => one.id === id) ?? null)
}

/** A put never lifts a suspension, and a move goes on. */
function putOver(entry: Entry, { suspended, moving }: Partial<Entry>): Entry {
  return {
    ...entry,
    ...(suspended === true && { suspended }),
    ...(moving === true && { moving }),
  }
}

function marked<Of extends CatalogRead>(catalog: Of, id: string, mark: Omit<Entry, 'id'>): Of {
  const all = catalog.principals ?? []
  return { ...catalog, principals: all.map((one) => (one.id === id ? { ...one, ...mark } : one)) }
}

export function graphSteps(
  primitives: readonly Primitive[],
  operations: readonly GraphOperation[],
): readonly ChangeStep[] {
  const known = new Map(primitives.map((one) => [caseFold(one.name), one]))
  return operations.map((operation) => {
    const key = caseFold(operation.name)
    const before = known.get(key) ?? null
    const now = primitiveLeft(operation, before)
    known.delete(key)
    if (now !== null) known.set(caseFold(now.name), now)
    return { before: jsonOf(before), now: jsonOf(now) }
  })
}

/** `before`: null where there is no such concept. */
export function primitiveLeft(
  operation: GraphOperation,
  before: Primitive | null,
): Primitive | null {
  if (operation.op === 'add') return before ?? { name: operation.name, depths: [] }
  if (before === null || operation.op === 'remove') return null
  switch (operation.op) {
    case 'rename':
      return { ...before, name: operation.to }
    case 'describe': {
      const { level, properties } = operation
      return withLevel(before, level, ({ relata }) => ({ level, properties, relata }))
    }
    case 'erase':
      return { ...before, depths: before.depths.filter(({ level }) => level !== operation.level) }
    case 'relate':
      return withLevel(before, operation.level, (depth) => {
        return { ...depth, relata: [...depth.relata, operation.relatum] }
      })
    case 'unrelate': {
      const { level, type, target } = operation
      return withLevel(before, level, (depth) => {
        return { ...depth, relata: depth.relata.filter((one) => !isTo(one, { type, target })) }
      })
    }
  }
}

function isTo(one: Relatum, { type, target }: Pick<Relatum, 'type' | 'target'>): boolean {
  return one.type === type && caseFold(one.target) === caseFold(target)
}

function withLevel(primitive: Primitive, level: number, next: (depth: Depth) => Depth): Primitive {
  const { depths } = primitive
  const before = depths.find((one) => one.level === level) ?? { level, properties: {}, relata: [] }
  const others = depths.filter((one) => one.level !== level)
  const all = [...others, next(before)].toSorted((one, other) => one.level - other.level)
  return { ...primitive, depths: all }
}

/** The concepts that operations of the graph say something of. */
export function conceptsNamedBy(operations: readonly GraphOperation[]): readonly string[] {
  return [...new Set(operations.map(({ name }) => name))]
}
