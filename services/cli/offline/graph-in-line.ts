// A graph that stands in a line: it takes the place of the one that was given for all of them.
import { parseGraphFile } from '#authoring/changes/seed-file'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { Fault } from '#record/fault'
import type { LineRefusal } from '#cli/terminal/lines'

/** Null where the line has none. */
export function graphInLine(file: unknown): Graph | LineRefusal | null {
  if (file === undefined || file === null) return null
  try {
    return graphFromFile(parseGraphFile(file))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}
