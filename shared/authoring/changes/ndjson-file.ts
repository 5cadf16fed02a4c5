// A graph as lines, one primitive each, for graphs too large for one text. A line is a primitive of
// a seed file that may also say who wrote each part; nothing of that ever gets into a seed file.
import { z } from 'zod'
import {
  Depth,
  Primitive,
  Provenance,
  Relatum,
  type GraphFile,
  type GraphOperation,
} from '#schemas/graph'
import { Fault } from '#record/fault'
import { firstProblem } from '#record/problem'
import { primitiveToFile } from '#knowledge/graph/graph'
import { addMistake, mistakesText, noMistakes, type Mistakes } from './mistakes.ts'
import { withProvenance } from './provenance.ts'
import type { PrimitiveRecord } from '#knowledge/graph/record'
import { primitivesOf, type Graph } from '#knowledge/graph/revision'

const said = { provenance: Provenance.optional() }
const LineRelatum = Relatum.extend(said)
const LineDepth = Depth.extend({ ...said, relata: z.array(LineRelatum).default([]) })
const LinePrimitive = Primitive.extend({ ...said, depths: z.array(LineDepth).default([]) })
type LinePrimitive = z.infer<typeof LinePrimitive>

/** A graph file that was read from somewhere. */
export interface ReadGraph {
  readonly file: GraphFile
  /** By the name of a primitive, the properties of a level, and a relatum: as they are in there. */
  readonly provenances: ReadonlyMap<unknown, Provenance>
  /** The line of each primitive; null where the file is one text. */
  readonly lines: readonly number[] | null
}

const primitivesMax = 10_000_000

/**
 * The graph of these lines. Throws a Fault that names each line that is wrong, what is wrong and
 * where in it.
 */
export async function graphOfLines(
  lines: AsyncIterable<{ readonly line: number; readonly value: unknown }>,
): Promise<ReadGraph> {
  const primitives: Primitive[] = []
  const places: number[] = []
  const provenances = new Map<unknown, Provenance>()
  const mistakes = noMistakes()
  for await (const { line, value } of readable(lines, mistakes)) {
    if (places.length === primitivesMax) {
      throw new Fault('graph_invalid', `line ${line}: more primitives than a graph may have`)
    }
    places.push(line)
    const parsed = LinePrimitive.safeParse(value)
    if (parsed.success) primitives.push(partedFrom(parsed.data, provenances))
    else {
      const { at, message } = firstProblem(parsed.error.issues)
      const where = at === '' ? `line ${line}` : `line ${line} at ${at}`
      addMistake(mistakes, `${where}: ${message}`)
    }
  }
  if (mistakes.count === 0) return { file: { primitives }, provenances, lines: places }
  throw new Fault('graph_invalid', mistakesText(mistakes))
}

/** Up to the first line that cannot be read, after what is wrong with those before it. */
async function* readable<T>(lines: AsyncIterable<T>, mistakes: Mistakes): AsyncGenerator<T> {
  try {
    yield* lines
  } catch (error) {
    if (mistakes.count === 0 || !(error instanceof Fault)) throw error
    addMistake(mistakes, error.message)
  }
}

/** A place in a file of lines is a line. */
export function placeInLines(message: string, lines: readonly number[]): string {
  return message.replaceAll(
    /primitives\[([0-9]+)\](\.?)/g,
    (_, index: string, dot: string) =>
      `line ${lines[Number(index)] ?? '?'}${dot === '' ? '' : ' at '}`,
  )
}

/** The primitive as a seed file has it; its provenance goes into the map. */
function partedFrom(read: LinePrimitive, provenances: Map<unknown, Provenance>): Primitive {
  const keep = (part: unknown, provenance: Provenance | undefined): void => {
    if (provenance !== undefined) provenances.set(part, provenance)
  }
  keep(read.name, read.provenance)
  const depths = read.depths.map(({ level, properties, relata, provenance }): Depth => {
    keep(properties, provenance)
    return {
      level,
      properties,
      relata: relata.map(({ provenance: author, ...relatum }) => {
        keep(relatum, author)
        return relatum
      }),
    }
  })
  return { name: read.name, depths }
}

/** The operation with what its file says of its author, if it says anything. */
export function asRead(
  operation: GraphOperation,
  provenances: ReadonlyMap<unknown, Provenance>,
): GraphOperation {
  if (provenances.size === 0) return operation
  const provenance = provenances.get(partOf(operation))
  return provenance === undefined ? operation : withProvenance(operation, provenance)
}

function partOf(operation: GraphOperation): unknown {
  if (operation.op === 'add') return operation.name
  if (operation.op === 'describe') return operation.properties
  return operation.op === 'relate' ? operation.relatum : undefined
}

/** Each primitive in stored order, with who wrote what of it. */
export function* graphToLines(graph: Graph): Generator<LinePrimitive> {
  for (const [, record] of primitivesOf(graph)) yield lineOf(graph, record)
}

function lineOf(graph: Graph, record: PrimitiveRecord): LinePrimitive {
  const { name, depths } = primitiveToFile(graph, record)
  return {
    name,
    ...wrote(record.provenance),
    depths: depths.map(({ relata, ...depth }, at) => {
      const stored = record.levels[at]
      return {
        ...depth,
        ...wrote(stored?.provenance),
        relata: relata.map((relatum, nth) => {
          return { ...relatum, ...wrote(stored?.relata[nth]?.provenance) }
        }),
      }
    }),
  }
}

function wrote(provenance: Provenance | null | undefined): { readonly provenance?: Provenance } {
  return provenance === null || provenance === undefined ? {} : { provenance }
}
