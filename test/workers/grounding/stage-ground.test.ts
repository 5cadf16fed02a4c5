// What a grounding keeps of the answer of the graph: all of it while it is short, and else its
// beginning, with the number of gaps and edges that were left out.
import { expect, test } from 'vitest'
import { ground } from '#knowledge/grounding/ground'
import { groundingOf, look, say, scene } from '../../support/scene.ts'

const gapsMax = 256
const listedMax = 512

const known = { level: 0, properties: {} }

/** A hub that leads to so many leaves; a gate leads nowhere, since its middle is not known. */
function graphOf(root: 'hub' | 'gate', count: number) {
  const leaves = Array.from({ length: count }, (_, index) => `n${index}`)
  const relata = leaves.map((target) => ({ type: 'REQUIRES' as const, target, targetDepth: 0 }))
  const depths = root === 'hub' ? [{ ...known, relata }] : [known, { ...known, level: 2, relata }]
  return {
    primitives: [...leaves.map((name) => ({ name, depths: [known] })), { name: root, depths }],
  }
}

/** What the grounding keeps, and the whole answer. */
async function grounded(root: 'hub' | 'gate', { leaves = 3, gaps = 3 }) {
  const concepts = [root, ...Array.from({ length: gaps }, (_, index) => `g${index}`)]
  const catalog = { capabilities: [{ ...look, concepts }] }
  const on = await scene({ catalog, graph: graphOf(root, leaves) })
  const address = await say(on.log, { intent: { tool: 'look' } })
  const { ground: kept } = await groundingOf(on.log, address)
  const answer = ground(on.runtime.follower.state.graph, { concepts, profile: 'strict' })
  return { kept, answer }
}

test.each(['hub', 'gate'] as const)('a short answer is kept whole: of a %s', async (root) => {
  const { kept, answer } = await grounded(root, {})
  const { gated, pathway, visible, gaps, resolved } = answer
  expect([gated.length, pathway.length]).toEqual(root === 'hub' ? [0, 3] : [3, 0])
  expect(kept).toMatchObject({ gated, pathway, visible, gaps, resolved })
  expect(kept).not.toHaveProperty('pathwayOmitted')
  expect(kept).not.toHaveProperty('gapsOmitted')
})

test.each(['hub', 'gate'] as const)('of a long answer the beginning is: of a %s', async (root) => {
  const { kept, answer } = await grounded(root, { leaves: listedMax + 1 })
  const { gated, pathway, visible } = answer
  expect([gated.length, pathway.length]).toEqual(
    root === 'hub' ? [0, listedMax + 1] : [listedMax + 1, 0],
  )
  expect(kept).toMatchObject({
    gated: gated.slice(0, listedMax),
    pathway: pathway.slice(0, listedMax),
    visible: visible.slice(0, listedMax),
  })
  if (root === 'hub') expect(kept?.pathwayOmitted).toBe(1)
})

test.each([
  { more: 0, omitted: undefined },
  { more: 1, omitted: 1 },
])('of $more gaps too many $omitted are left out, and counted', async ({ more, omitted }) => {
  const { kept, answer } = await grounded('hub', { gaps: gapsMax + more })
  expect(answer.gaps).toHaveLength(gapsMax + more)
  expect(kept?.gaps).toEqual(answer.gaps.slice(0, gapsMax))
  expect(kept?.gapsOmitted).toBe(omitted)
})
