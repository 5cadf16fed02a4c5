// A seed file as the operations that make it, each with the place in the file that it came from, so
// that a refusal can point at what someone wrote.
import type { GraphFile, GraphOperation, Primitive } from '#schemas/graph'
import { Fault } from '#record/fault'

export interface SeedStep {
  readonly operation: GraphOperation
  /** Such as `primitives[2].depths[0].relata[1]`. */
  readonly where: string
}

/**
 * Every primitive first, then every level, then every edge: nothing is mentioned before it is
 * there.
 */
export function seedSteps(file: GraphFile): readonly SeedStep[] {
  const adds: SeedStep[] = []
  const describes: SeedStep[] = []
  const relates: SeedStep[] = []
  for (const [index, primitive] of file.primitives.entries()) {
    const { name } = primitive
    const where = `primitives[${index}]`
    refuseRepeatedLevels(primitive, where)
    adds.push({ operation: { op: 'add', name }, where })
    for (const [at, { level, properties, relata }] of primitive.depths.entries()) {
      const place = `${where}.depths[${at}]`
      describes.push({ operation: { op: 'describe', name, level, properties }, where: place })
      for (const [nth, relatum] of relata.entries()) {
        const operation: GraphOperation = { op: 'relate', name, level, relatum }
        relates.push({ operation, where: `${place}.relata[${nth}]` })
      }
    }
  }
  return [...adds, ...describes, ...relates]
}

/**
 * As operations the second would replace the first, and what the first said would be lost unseen.
 */
function refuseRepeatedLevels(primitive: Primitive, where: string): void {
  const first = new Map<number, number>()
  for (const [at, { level }] of primitive.depths.entries()) {
    const earlier = first.get(level)
    if (earlier !== undefined) {
      const places = `depths[${earlier}] and depths[${at}]`
      const twice = `\`${primitive.name}\` has level ${level} at ${places}`
      throw new Fault('level_repeated', `${where}: ${twice}: make them one`)
    }
    first.set(level, at)
  }
}
