// Change sets once more, as slowly as they read: every check looks at the whole graph. What the
// draft is held against; it shares no code with it and knows names by their lower case only.
import type { GraphFile, GraphOperation, Relatum } from '#schemas/graph'

interface PlainPrimitive {
  name: string
  present: boolean
  /** Whether the next of its name comes to its place, while it is gone. */
  returns?: boolean
  levels: PlainLevel[]
}

interface PlainLevel {
  level: number
  properties: PlainProperties
  edges: PlainEdge[]
}

interface PlainEdge {
  readonly relatum: Relatum
  /** Absent while no one bears the name. */
  target?: PlainPrimitive
}

type PlainProperties = GraphFile['primitives'][0]['depths'][0]['properties']

/** The file after the change set, or the code that it is refused with. */
export function plainChange(
  file: GraphFile,
  operations: readonly GraphOperation[],
): GraphFile | string {
  const primitives = primitivesOf(file)
  for (const operation of operations) {
    const refused = applyPlainly(primitives, operation)
    if (refused !== null) return refused
  }
  return finished(primitives)
}

function primitivesOf(file: GraphFile): PlainPrimitive[] {
  const primitives = file.primitives.map(({ name, depths }): PlainPrimitive => ({
    name,
    present: true,
    levels: depths.map(({ level, properties, relata }) => {
      return { level, properties, edges: relata.map((relatum) => ({ relatum })) }
    }),
  }))
  settle(primitives)
  return primitives
}

function settle(primitives: readonly PlainPrimitive[]): void {
  for (const edge of edgesOf(primitives)) {
    const target = edge.target ?? bearer(primitives, edge.relatum.target)
    if (target !== undefined) edge.target = target
  }
}

function edgesOf(primitives: readonly PlainPrimitive[]): PlainEdge[] {
  const present = primitives.filter((each) => each.present)
  return present.flatMap(({ levels }) => levels.flatMap(({ edges }) => edges))
}

function bearer(primitives: readonly PlainPrimitive[], name: string): PlainPrimitive | undefined {
  return primitives.find((each) => each.present && key(each.name) === key(name))
}

function key(name: string): string {
  return name.toLowerCase()
}

function applyPlainly(primitives: PlainPrimitive[], operation: GraphOperation): string | null {
  const { op, name } = operation
  const primitive = bearer(primitives, name)
  if (op === 'add') return primitive === undefined ? addPlainly(primitives, name) : 'name_taken'
  if (primitive === undefined) return 'name_unknown'
  if (op === 'rename') {
    const other = bearer(primitives, operation.to)
    if (other !== undefined && other !== primitive) return 'name_taken'
    primitive.name = operation.to
    return null
  }
  if (op === 'remove') {
    primitive.present = false
    // Of several that had the name it is the last one.
    for (const each of primitives) if (key(each.name) === key(name)) each.returns = false
    primitive.returns = true
    primitive.levels = []
    return null
  }
  const level = primitive.levels.find((each) => each.level === operation.level)
  if (op === 'describe') {
    if (level !== undefined) level.properties = operation.properties
    else
      primitive.levels.push({ level: operation.level, properties: operation.properties, edges: [] })
    return null
  }
  if (level === undefined) return 'level_unknown'
  if (op === 'erase') {
    primitive.levels = primitive.levels.filter((each) => each !== level)
    return null
  }
  if (op === 'relate') {
    const { relatum } = operation
    const inert = relatum.policies.some(
      (each) => !each.requiresConfirmation && each.callback === null,
    )
    if (inert) return 'policy_without_effect'
    const target = bearer(primitives, relatum.target)
    level.edges.push({ relatum, ...(target !== undefined && { target }) })
    return null
  }
  const kept = level.edges.filter(({ relatum, target }) => {
    const leads = key(target?.name ?? relatum.target) === key(operation.target)
    return relatum.type !== operation.type || !leads
  })
  if (kept.length === level.edges.length) return 'edge_unknown'
  level.edges = kept
  return null
}

/** A name that was removed by the same set comes back to its place, and its edges with it. */
function addPlainly(primitives: PlainPrimitive[], name: string): null {
  const earlier = primitives.find((each) => {
    return !each.present && each.returns === true && key(each.name) === key(name)
  })
  if (earlier === undefined) {
    primitives.push({ name, present: true, levels: [] })
  } else {
    earlier.present = true
    earlier.name = name
  }
  return null
}

function finished(primitives: readonly PlainPrimitive[]): GraphFile | string {
  settle(primitives)
  if (edgesOf(primitives).some(({ target }) => target?.present !== true)) return 'target_dangling'
  const present = primitives.filter((each) => each.present)
  if (present.some((start) => pullsItself(start))) return 'cycle_transitive'
  return {
    primitives: present.map(({ name, levels }) => ({
      name,
      depths: levels
        .toSorted((one, other) => one.level - other.level)
        .map(({ level, properties, edges }) => ({
          level,
          properties,
          relata: edges.map(({ relatum, target }) => ({ ...relatum, target: target?.name ?? '' })),
        })),
    })),
  }
}

function pullsItself(start: PlainPrimitive): boolean {
  const found = new Set<PlainPrimitive>()
  const open = [start]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { relatum, target } of next.levels.flatMap((level) => level.edges)) {
      if (relatum.type === 'APPLIES_TO' || relatum.type === 'INCLUDES') continue
      if (target === start) return true
      if (target === undefined || found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  return false
}
