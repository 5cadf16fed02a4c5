// A call that was allowed and failed may teach what constrains it.
import { describe, expect, test } from 'vitest'
import { find } from '#knowledge/graph/revision'
import { nameOf } from '#record/names'
import { folded, learnable, proposals, proposed, ruled } from '../../support/learning-scene.ts'
import { edge, seedFile, added } from '../../support/learning-graphs.ts'
import {
  another,
  bind,
  expectReplay,
  names,
  place,
  say,
  scene,
  verdict,
} from '../../support/scene.ts'
import type { Scene } from '../../support/scene.ts'

const gaps = { ...learnable, graph: seedFile }

describe('a call that was allowed and failed', () => {
  async function failed(on: Scene, detail: string, code?: string): Promise<void> {
    const asked = { tool: 'look', concepts: ['list', 'directory'] }
    const address = await say(on.log, { intent: asked })
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    const intent = { address, agent: 'bot', session: null }
    const content = { intent, outcome: 'failed', detail, ...(code !== undefined && { code }) }
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
        levels: [added('list', 3)],
        edge: edge('list', 3, 'CONSTRAINED_BY', 'permission', 1),
      },
    })
    await on.watch.settled(on.log)
    const { graph } = on.runtime.follower.state
    expect(find(graph, 'list')?.edges.map(({ type }) => type)).toContain('CONSTRAINED_BY')
    await expectReplay(on)
  })

  test('proposes once for the same words, and not at all without words', async () => {
    const on = await scene(gaps)
    await failed(on, 'permission denied')
    await failed(on, 'permission denied')
    await failed(on, '   ')
    await failed(on, 'disc full')
    expect(await proposals(on, 2)).toHaveLength(2)
    await expectReplay(on)
  })

  test('is asked about by its code, where it has one', async () => {
    const on = await scene(gaps)
    await failed(on, 'Error', 'ENOSPC')
    await failed(on, 'SystemError', 'ENOSPC')
    await failed(on, 'Error', 'EACCES')
    const open = await proposals(on, 2)
    expect(open.map(({ data }) => 'detail' in data.template && data.template.detail)).toEqual([
      'ENOSPC',
      'EACCES',
    ])
    await expectReplay(on)
  })

  test('is asked about once, no matter who folds the log again after it was added', async () => {
    const on = await scene(gaps)
    await failed(on, 'disk full')
    await addedBy(on, 'disk')
    for (let restart = 0; restart < 3; restart += 1) {
      const next = await another(on)
      await next.watch.settled(next.log)
      await turned()
    }
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(1)
    await expectReplay(on)
  })

  test('is asked about again when it fails again though it was added, and not without end', async () => {
    const on = await scene(gaps)
    for (let round = 1; round <= 8; round += 1) {
      await failed(on, 'disk full')
      await folded(on, () => on.runtime.follower.state.learning.open.size === 1)
      await addedBy(on, `disk ${round}`)
    }
    await failed(on, 'disk full')
    await on.watch.settled(on.log)
    await turned()
    expect(await names(on.log, 'main.1.proposal.>')).toHaveLength(8)
    await expectReplay(on)
  })
})

/** What the memory of the fold held has been taken up. */
function turned(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

async function addedBy(on: Scene, what: string): Promise<void> {
  const { id } = await proposed(on)
  await ruled(on, id, {
    ruling: 'modified',
    candidate: {
      levels: [
        ...(what === 'disk' || what === 'disk 1' ? [added('list', 3)] : []),
        added(what, 0, 1),
      ],
      edge: edge('list', 3, 'CONSTRAINED_BY', what, 1),
    },
  })
  await folded(on, () => !on.runtime.follower.state.learning.open.has(id))
}
