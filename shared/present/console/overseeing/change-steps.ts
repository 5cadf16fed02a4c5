// What each operation of a change set finds and what it leaves behind, in their order: so that
// people see what is changed, and not only what is written. What is not there is null.
import { caseFold } from '#record/case-fold'
import { canonical, isList, jsonOf, type Json, type JsonMap } from '#record/canonical'
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
  const written = new Map<string, Json>()
  return operations.map((operation) => {
    const place = placeOf(operation)
    const before = written.has(place) ? (written.get(place) ?? null) : standing(catalog, operation)
    const now = left(operation, before)
    written.set(place, now)
    return { before, now }
  })
}

function placeOf(operation: CatalogOperation): string {
  switch (operation.op) {
    case 'put':
      return canonical([operation.collection, operation.entry.id])
    case 'remove':
      return canonical([operation.collection, operation.id])
    case 'set':
      return canonical([operation.key])
    case 'suspend':
    case 'unsuspend':
    case 'leave':
    case 'stay':
    case 'arrive':
      return canonical(['principals', operation.id])
    case 'accept_rollback':
      return canonical(['rollbacks', operation.id])
  }
}

function standing(catalog: CatalogRead, operation: CatalogOperation): Json {
  if (operation.op === 'accept_rollback') return null
  if (operation.op === 'set') return jsonOf(catalog[operation.key] ?? null)
  const [collection, id] =
    operation.op === 'put'
      ? [operation.collection, operation.entry.id]
      : [operation.op === 'remove' ? operation.collection : 'principals', operation.id]
  const entries: readonly { readonly id: string }[] = catalog[collection] ?? []
  return jsonOf(entries.find((one) => one.id === id) ?? null)
}

function left(operation: CatalogOperation, before: Json): Json {
  switch (operation.op) {
    case 'put':
      return operation.collection === 'principals'
        ? jsonOf(putOver(operation.entry, before))
        : jsonOf(operation.entry)
    case 'set':
      return jsonOf(operation.value)
    case 'remove':
      return null
    case 'suspend':
    case 'unsuspend':
      return marked(before, { suspended: operation.op === 'suspend' })
    case 'leave':
      return marked(before, { moving: true })
    case 'stay':
    case 'arrive':
      return marked(before, { moving: undefined })
    case 'accept_rollback':
      return jsonOf(operation.position)
  }
}

/** A put never lifts a suspension, and a move goes on. */
function putOver(entry: object, before: Json): object {
  const { suspended, moving } = mapOf(before)
  return {
    ...entry,
    ...(suspended === true && { suspended }),
    ...(moving === true && { moving }),
  }
}

function marked(before: Json, mark: JsonMap): Json {
  return before === null ? null : jsonOf({ ...mapOf(before), ...mark })
}

function mapOf(value: Json): JsonMap {
  return typeof value === 'object' && value !== null && !isList(value) ? value : {}
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
