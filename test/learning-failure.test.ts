// A call that was allowed and failed may teach what constrains it.
import { describe, expect, test } from 'vitest'
import { find } from '#core/graph/revision'
import { nameOf } from '#core/names'
import { learnable, proposals, proposed, ruled } from './learning-scene.ts'
import { edge, seedFile, taught } from './learning-graphs.ts'
import { bind, expectReplay, place, say, scene, verdict, type Scene } from './scene.ts'

const gaps = { ...learnable, graph: seedFile }

describe('a call that was allowed and failed', () => {
  async function failed(on: Scene, detail: string): Promise<void> {
    const asked = { tool: 'look', concepts: ['list', 'directory'] }
    const address = await say(on.log, { intent: asked })
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    const intent = { address, agent: 'bot', session: null }
    const content = { intent, outcome: 'failed', detail, ownWord: true }
    await bind(on.log, 'outcome', nameOf(place, 'outcome', address), content)
  }

  test('may teach what constrains it', async () => {
    const on = await scene(gaps)
    await failed(on, 'permission denied')
    const { id, data } = await proposed(on)
    expect(data.template).toEqual({
      kind: 'CONSTRAINT',
      primitives: ['list', 'directory'],
      detail: 'permission denied',
    })
    await ruled(on, id, {
      ruling: 'modified',
      candidate: {
        levels: [taught('list', 3)],
        edge: edge('list', 3, 'CONSTRAINED_BY', 'permission', 1),
      },
    })
    await on.watch.settled(on.log)
    const { graph } = on.runtime.follower.world
    expect(find(graph, 'list')?.edges.map(({ type }) => type)).toContain('CONSTRAINED_BY')
    await expectReplay(on)
  })

  test('teaches once for the same words, and not at all without words', async () => {
    const on = await scene(gaps)
    await failed(on, 'permission denied')
    await failed(on, 'permission denied')
    await failed(on, '   ')
    await failed(on, 'disc full')
    expect(await proposals(on, 2)).toHaveLength(2)
    await expectReplay(on)
  })
})
