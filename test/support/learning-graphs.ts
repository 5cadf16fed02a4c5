// The graph with gaps that tests of learning ask: holes, dormant and shallow levels, and an action
// that is tied to nothing.
import { readFileSync } from 'node:fs'
import { parseGraphFile } from '#authoring/changes/seed-file'
import type { Candidate, CandidateEdge, PrimitiveLevels } from '#schemas/learning'

const url = new URL('../../seeds/gaps/graph.json', import.meta.url)

export const seedFile = parseGraphFile(JSON.parse(readFileSync(url, 'utf8')))

export function added(name: string, ...levels: readonly number[]): PrimitiveLevels {
  return {
    name,
    levels: levels.map((level) => ({ level, properties: { what: `level ${level} of ${name}` } })),
  }
}

export function levelsOnly(...levels: readonly PrimitiveLevels[]): Candidate {
  return { levels: [...levels], edge: null }
}

export function edge(
  source: string,
  sourceLevel: number,
  type: CandidateEdge['type'],
  target: string,
  targetLevel: number,
): CandidateEdge {
  return { source, sourceLevel, type, target, targetLevel }
}
