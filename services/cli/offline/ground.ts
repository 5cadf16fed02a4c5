// One line of `ground`, judged alone. Total: a line that cannot be read is answered with an error,
// and nothing is looked up but what the line says and the graph that it comes with.
import { z } from 'zod'
import { Level } from '#schemas/graph'
import { firstProblem, unreadable } from '#record/problem'
import type { Graph } from '#knowledge/graph/revision'
import { ground, type GroundingAnswer } from '#knowledge/grounding/ground'
import type { Profile } from '#knowledge/grounding/survey'
import { graphInLine } from './graph-in-line.ts'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'

export type GroundLineAnswer = Pick<GroundingAnswer, 'grounded' | 'resolved' | 'gaps' | 'pathway'>

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
): GroundLineAnswer | LineRefusal {
  const line = readGroundLine(value)
  return 'error' in line ? line : answerGroundLine(line, graph, profile)
}

/** What the line asks. */
export function readGroundLine(value: unknown): GroundLine | LineRefusal {
  const problem = unreadable(value)
  if (problem !== null) return lineRefusal(problem)
  const parsed = GroundLine.safeParse(value)
  return parsed.success ? parsed.data : lineRefusal(firstProblem(parsed.error.issues))
}

export function answerGroundLine(
  line: GroundLine,
  graph: Graph | null,
  profile: Profile,
): GroundLineAnswer | LineRefusal {
  const asked = graphInLine(line.graph) ?? graph
  if (asked === null) {
    const message = 'no graph to ask: give one in the line or for all lines'
    return { error: { code: 'graph_missing', message } }
  }
  if ('error' in asked) return asked
  const query = { concepts: line.concepts, minDepth: line.minDepth ?? undefined, profile }
  const { grounded, resolved, gaps, pathway } = ground(asked, query)
  return { grounded, resolved, gaps, pathway }
}
