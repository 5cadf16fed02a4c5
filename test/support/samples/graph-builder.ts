// Small graphs for tests, written as they are thought of: `graphOf('read 0-2', 'read@2 APPLIES_TO
// file@1', 'file 0,1,3', 'hollow 0 1~')`: the levels of a primitive, `~` for one that says
// nothing; and edges. Edges are stored in the order written, after all levels.
import { relationTypes } from '#schemas/graph'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'

export function graphOf(...lines: readonly string[]): Graph {
  const isEdge = (line: string): boolean => relationTypes.some((type) => line.includes(` ${type} `))
  const primitives = lines.filter((line) => !isEdge(line)).map(primitiveOf)
  for (const line of lines.filter(isEdge)) {
    const [source = '', type, target = ''] = line.split(' ')
    const [name, level] = atLevel(source)
    const [targetName, targetDepth] = atLevel(target)
    const primitive = primitives.find((each) => each.name === name)
    const depth = primitive?.depths.find((each) => each.level === level)
    depth?.relata.push({ type, target: targetName, targetDepth })
  }
  return graphFromFile(parseGraphFile({ primitives }))
}

interface PrimitiveDraft {
  readonly name: string
  readonly depths: { level: number; properties: object; relata: object[] }[]
}

function primitiveOf(line: string): PrimitiveDraft {
  const [name = '', ...levels] = line.split(' ')
  const depths = levels.flatMap((each) => each.split(',')).flatMap(levelsIn)
  return {
    name,
    depths: depths.map(({ level, says }) => {
      return { level, properties: says ? { description: `${name} ${level}` } : {}, relata: [] }
    }),
  }
}

/** `2`, `2~` or `0-2`. */
function levelsIn(text: string): readonly { level: number; says: boolean }[] {
  const [from = '', to = from] = text.replace('~', '').split('-')
  const count = Number(to) - Number(from) + 1
  const levels = Array.from({ length: count }, (_, index) => Number(from) + index)
  return levels.map((level) => ({ level, says: level > 0 && !text.endsWith('~') }))
}

function atLevel(text: string): readonly [string, number] {
  const [name = '', level] = text.split('@')
  return [name, Number(level)]
}
