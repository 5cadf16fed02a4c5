// One edit of the graph each, as the operations of one change set.
import { Fault } from '#core/kernel/fault'
import { parseExactJson } from '#core/kernel/json'
import { GraphOperation, Policy, type Level, type RelationType } from '#schemas/graph'
import { firstProblem } from '#core/kernel/problem'
import { find, findId, primitivesOf } from '#core/graph/revision'
import type { Graph } from '#core/graph/revision'
import type { EditOptions, LevelWords } from '../editing/edit-options.ts'
import { usage } from '../terminal/failure.ts'
import { edit } from '../editing/edit.ts'

export interface DescribeOptions extends EditOptions {
  readonly jsonProperties?: Readonly<Record<string, unknown>>
  readonly keep?: boolean
}

export interface RelateOptions extends EditOptions {
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly policy?: readonly string[]
}

interface EdgeWords {
  readonly source: string
  readonly level: Level
  readonly type: RelationType
  readonly target: string
}

/** What is added exists, or none of its levels would ever count. */
export function addPrimitive(
  name: string,
  levels: readonly LevelWords[],
  options: EditOptions,
): Promise<number> {
  const repeated = levels.find(
    (one, at) => levels.findIndex(({ level }) => level === one.level) < at,
  )
  if (repeated !== undefined) throw usage(`level ${repeated.level} is given twice: merge the two`)
  const exists = levels.some(({ level }) => level === 0)
  const all = exists ? levels : [{ level: 0, properties: {} }, ...levels]
  const operations = [
    operationOf({ op: 'add', name }),
    ...all.map((each) => operationOf({ op: 'describe', name, ...each })),
  ]
  return edit(options, { kind: 'graph', operations })
}

export function describePrimitive(
  name: string,
  { level, properties }: LevelWords,
  options: DescribeOptions,
): Promise<number> {
  const said = { ...options.jsonProperties, ...properties }
  if (Object.keys(said).length === 0 && options.jsonProperties === undefined) {
    const empty = "`--json-properties '{}'` takes them away"
    throw usage(`say what level ${level} of \`${name}\` is, as key=value; ${empty}`)
  }
  if (options.keep !== true) {
    const operations = [operationOf({ op: 'describe', name, level, properties: said })]
    return edit(options, { kind: 'graph', operations })
  }
  const operations = (graph: Graph): readonly GraphOperation[] => {
    const before = find(graph, name)?.levels.find((each) => each.level === level)?.properties
    const kept = { ...before, ...said }
    return [operationOf({ op: 'describe', name, level, properties: kept })]
  }
  return edit(options, { kind: 'graph', operations })
}

export function eraseLevel(name: string, level: Level, options: EditOptions): Promise<number> {
  return edit(options, { kind: 'graph', operations: [operationOf({ op: 'erase', name, level })] })
}

export function relate(
  { source, level, type, target, targetDepth }: EdgeWords & { readonly targetDepth: Level },
  options: RelateOptions,
): Promise<number> {
  const { metadata = {}, policy = [] } = options
  const policies = policy.map(policyOf)
  const relatum = { type, target, targetDepth, metadata, policies }
  const operations = [operationOf({ op: 'relate', name: source, level, relatum })]
  return edit(options, { kind: 'graph', operations })
}

export function unrelate(
  { source, level, type, target }: EdgeWords,
  options: EditOptions,
): Promise<number> {
  const operations = [operationOf({ op: 'unrelate', name: source, level, type, target })]
  return edit(options, { kind: 'graph', operations })
}

export function rename(name: string, to: string, options: EditOptions): Promise<number> {
  return edit(options, { kind: 'graph', operations: [operationOf({ op: 'rename', name, to })] })
}

/** The edges are those that are there when it is bound, no matter who added them by then. */
export function remove(
  name: string,
  options: EditOptions & { readonly withEdges?: boolean },
): Promise<number> {
  const last = operationOf({ op: 'remove', name })
  const operations = (graph: Graph): readonly GraphOperation[] =>
    options.withEdges === true ? [...unrelating(graph, name), last] : [last]
  return edit(options, { kind: 'graph', operations })
}

/** Takes away what leads to the primitive from others: one operation an edge, or several alike. */
function unrelating(graph: Graph, name: string): readonly GraphOperation[] {
  const id = findId(graph, name)
  const operations = new Map<string, GraphOperation>()
  for (const [source, record] of primitivesOf(graph)) {
    if (source === id) continue
    for (const { target, type, sourceDepth: level } of record.edges) {
      if (target !== id) continue
      const operation = { op: 'unrelate' as const, name: record.name, level, type, target: name }
      operations.set(`${source} ${level} ${type}`, operation)
    }
  }
  return [...operations.values()]
}

/** What was typed as an operation; what the graph cannot hold is reported before it is opened. */
function operationOf(value: unknown): GraphOperation {
  const parsed = GraphOperation.safeParse(value)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  throw usage(`${at}: ${message}`)
}

function policyOf(text: string): Policy {
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw usage('--policy takes a JSON object')
  }
  const parsed = Policy.safeParse(value)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  throw usage(`--policy: ${at === '' ? message : `${at}: ${message}`}`)
}
