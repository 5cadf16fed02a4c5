// What is known around a template, for those who fill it in: the primitives that it is about and
// those they relate to. It shows what is there, and judges nothing.
import type { Around } from '#schemas/operations/proposals'
import type { Template } from '#schemas/learning'
import { mixesAlphabets } from '#record/quote'
import { primitiveToFile } from '#knowledge/graph/graph'
import { nearNames } from '#knowledge/graph/near-names'
import { find, findId, primitivesOf, recordAt, type Graph } from '#knowledge/graph/revision'

const nearMax = 12

export function aroundOf(graph: Graph, template: Template, concepts: readonly string[]): Around {
  const names = [...new Set([...namesIn(template), ...concepts])]
  const known = names.flatMap((name) => {
    const id = findId(graph, name)
    return id === undefined ? [] : [id]
  })
  const ids = new Set(known)
  const near = neighboursOf(graph, ids)
  const unknown = names.filter((name) => find(graph, name) === undefined)
  const like = unknown.map((name) => ({ name, near: [...nearNames(graph, name)] }))
  return {
    about: [...ids].map((id) => primitiveToFile(graph, recordAt(graph, id))),
    unknown,
    like: like.filter((one) => one.near.length > 0),
    odd: unknown.filter(isOdd),
    near: near.slice(0, nearMax).map((id) => primitiveToFile(graph, recordAt(graph, id))),
    more: near.length > nearMax,
  }
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]|^\s|\s$/u

/** Whether people could take it for another name, or not be able to type it. */
function isOdd(name: string): boolean {
  return hidden.test(name) || mixesAlphabets(name)
}

function namesIn(template: Template): readonly string[] {
  switch (template.kind) {
    case 'EXISTENCE':
      return [template.primitive, ...(template.candidates ?? [])]
    case 'DEPTH':
      return [template.primitive]
    case 'RELATIONAL':
      return [template.primitive, template.source]
    case 'REACHABILITY':
      return [template.primitive, ...template.others]
    case 'CONSTRAINT':
      return template.primitives
  }
}

function neighboursOf(graph: Graph, ids: ReadonlySet<number>): readonly number[] {
  const near = new Set<number>()
  for (const [id, { edges }] of primitivesOf(graph)) {
    for (const { target } of edges) {
      if (ids.has(id) && !ids.has(target)) near.add(target)
      if (ids.has(target) && !ids.has(id)) near.add(id)
    }
  }
  return [...near]
}
