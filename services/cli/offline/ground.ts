// One line of `ground`, judged alone. Total: a line that cannot be read is answered with an error,
// and nothing is looked up but what the line says and the graph that it comes with.
import type { FaultCode } from '#schemas/faults/registry'
import { z } from 'zod'
import { Level } from '#schemas/graph'
import { firstProblem, unreadable } from '#core/kernel/problem'
import { Fault } from '#core/kernel/fault'
import { graphFromFile } from '#core/graph/graph'
import type { Graph } from '#core/graph/revision'
import { parseGraphFile } from '#core/authoring/seed-file'
import { ground, type GroundingAnswer } from '#core/grounding/ground'
import type { Profile } from '#core/grounding/survey'

export type GroundLineAnswer = Pick<GroundingAnswer, 'grounded' | 'resolved' | 'gaps' | 'pathway'>

export interface GroundLineError {
  readonly error: { readonly code: FaultCode; readonly message: string }
}

const GroundLine = z.strictObject({
  concepts: z.array(z.string()),
  // A null is what many programs write for none.
  minDepth: Level.nullish(),
  graph: z.unknown().optional(),
})

export type GroundLine = z.infer<typeof GroundLine>

/** The answer to one line. A graph in the line stands before the one that was given for all. */
export function groundLine(
  value: unknown,
  graph: Graph | null,
  profile: Profile,
): GroundLineAnswer | GroundLineError {
  const line = readGroundLine(value)
  return 'error' in line ? line : answerGroundLine(line, graph, profile)
}

/** What the line asks. */
export function readGroundLine(value: unknown): GroundLine | GroundLineError {
  const problem = unreadable(value)
  if (problem !== null) return lineError('line_invalid', problem.message)
  const parsed = GroundLine.safeParse(value)
  if (!parsed.success) {
    const { at, message } = firstProblem(parsed.error.issues)
    return lineError('line_invalid', at === '' ? message : `${at}: ${message}`)
  }
  return parsed.data
}

export function answerGroundLine(
  line: GroundLine,
  graph: Graph | null,
  profile: Profile,
): GroundLineAnswer | GroundLineError {
  const asked = line.graph === undefined || line.graph === null ? graph : graphIn(line.graph)
  if (asked === null) {
    return lineError('graph_missing', 'no graph to ask: give one in the line or for all lines')
  }
  if ('error' in asked) return asked
  const query = { concepts: line.concepts, minDepth: line.minDepth ?? undefined, profile }
  const { grounded, resolved, gaps, pathway } = ground(asked, query)
  return { grounded, resolved, gaps, pathway }
}

function graphIn(file: unknown): Graph | GroundLineError {
  try {
    return graphFromFile(parseGraphFile(file))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return lineError(error.code, error.message)
  }
}

function lineError(code: FaultCode, message: string): GroundLineError {
  return { error: { code, message } }
}
