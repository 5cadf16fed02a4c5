// How far a database is, and where it does not hold what the log says, for people.
import { counted } from '#present/wording'
import type { ProjectionCheck, ProjectionDifference } from '#runtime/projector/check'
import { differing } from './difference.ts'
import { toned, type Line } from './line.ts'

export function projectedLines(realm: string, position: number | null): readonly Line[] {
  return [toned('good', `Neo4j has the realm ${realm} up to position ${position ?? 0}`)]
}

export function checkLines(check: ProjectionCheck): readonly Line[] {
  const { position, primitives, digest, differences, first } = check
  const held = counted(primitives, 'primitive')
  if (differences === 0) {
    const same = `Neo4j holds what the log says at position ${position}`
    return [toned('good', same), `  ${held}, ${digest.here}`]
  }
  const left = differences - first.length
  return [
    toned('bad', `${counted(differences, 'difference')} from the log at position ${position}`),
    `  the log: ${digest.here}`,
    `  Neo4j:   ${digest.there}`,
    ...first.flatMap(differenceLines),
    ...(left > 0 ? [`  and ${left} more`] : []),
    "  'warrant project neo4j --rebuild' writes it anew",
  ]
}

function differenceLines({ name, what, here, there }: ProjectionDifference): readonly Line[] {
  switch (what) {
    case 'missing':
      return [toned('bad', `  ${name} is missing`)]
    case 'extra':
      return [toned('bad', `  ${name} is there, and the log does not know it`)]
    case 'out_of_order':
      return [toned('bad', `  ${name} is not where it belongs in the stored order`)]
    case 'count':
      return [toned('bad', `  ${name}: ${here ?? ''} by the log, ${there ?? ''} in Neo4j`)]
    case 'differs':
      return [
        toned('bad', `  ${name}`),
        ...differing(here ?? '', there ?? '').flatMap(({ path, recorded, derived }) => [
          `    ${path}`,
          toned('good', `      the log: ${recorded ?? 'nothing'}`),
          toned('bad', `      Neo4j:   ${derived ?? 'nothing'}`),
        ]),
      ]
  }
}
