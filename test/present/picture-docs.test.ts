// The pictures in the documents are those that would be drawn today.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { graphFromFile } from '#knowledge/graph/graph'
import type { Graph } from '#knowledge/graph/revision'
import { mermaidOf } from '#present/picture/mermaid'
import { neighbourhoodOf, pictureOf } from '#present/picture/of-graph'
import { pictureOfGround } from '#present/picture/of-ground'
import { findId } from '#knowledge/graph/revision'
import { parseGraphFile } from '#authoring/changes/seed-file'
import { ground } from '#knowledge/grounding/ground'

function fileOf(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}

async function seed(name: string): Promise<Graph> {
  return graphFromFile(parseGraphFile(JSON.parse(await fileOf(`seeds/${name}/graph.json`))))
}

test('the page on authoring shows a neighbourhood and a grounding as they are drawn', async () => {
  const page = await fileOf('docs/rules/authoring.md')
  const shown = [...page.matchAll(/^```mermaid\n([^]*?)\n```$/gm)].map(([, text]) => text)
  const core = await seed('core')
  const around = neighbourhoodOf(core, findId(core, 'delete') ?? -1, 1)
  const concepts = ['create', 'file']
  const answer = ground(await seed('gaps'), { concepts, profile: 'strict' })
  expect(shown).toEqual([
    mermaidOf(pictureOf(core, around)),
    mermaidOf(pictureOfGround({ concepts, ...answer })),
  ])
})
