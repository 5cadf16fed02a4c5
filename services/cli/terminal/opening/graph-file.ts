// A graph file that is read from somewhere: a seed file, or the lines that an export writes.
import { graphOfLines, type ReadGraph } from '#authoring/changes/ndjson-file'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { readInput } from './input.ts'

export async function readGraphFile(file: string): Promise<ReadGraph> {
  const input = await readInput(file, isPrimitive)
  if (input.as === 'lines') return graphOfLines(input.lines)
  return { file: parseGraphFile(input.value), provenances: new Map(), lines: null }
}

/** A seed file has its primitives in a list; a line is one of them. */
function isPrimitive(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'name')
}
