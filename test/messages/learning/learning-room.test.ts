// How many questions wait for people: what one agent asks never keeps the question of another from
// them, nor its own later one, and what no one answers goes in the end.
import { describe, expect, test } from 'vitest'
import { nameOf } from '#record/names'
import {
  folded,
  learnable,
  proposals,
  proposed,
  resumeOf,
  teach,
} from '../../support/learning-scene.ts'
import { expectReplay, judged, names, place, recoveries, say, scene } from '../../support/scene.ts'
import { verdict, type Scene } from '../../support/scene.ts'

const moon = { tool: 'look', concepts: ['moon'], onGap: 'learn' }

async function teachOf(on: Scene, what: string): Promise<void> {
  const open = await proposals(on, 1)
  const found = open.find(({ data: { template } }) => {
    return 'primitive' in template && template.primitive === what
  })
  if (found === undefined) throw new Error('it is asked')
  await teach(on, found)
}

describe('a question', () => {
  test('of one agent beyond sixteen takes the place of its own oldest, and of no one else’s', async () => {
    const on = await scene(learnable)
    const other = await say(on.log, { as: 'honest', intent: { ...moon, concepts: ['sun'] } })
    await proposals(on, 1)
    const junk = Array.from({ length: 20 }, (_, index) => `thing ${index}`)
    await judged(on, { intent: { tool: 'look', concepts: junk } })
    await judged(on, { intent: { tool: 'look', concepts: junk.toReversed() } })
    const { open } = on.runtime.follower.state.learning
    const asked = () => {
      const all = [...on.runtime.follower.state.learning.open.values()]
      return all.map(({ data }) => ('primitive' in data.template ? data.template.primitive : ''))
    }
    expect(open.size).toBeGreaterThan(0)
    await folded(on, () => asked().includes('thing 19'))
    const address = await say(on.log, { intent: moon })
    await folded(on, () => asked().includes('moon'))
    await on.watch.settled(on.log)
    // What is honest is asked though junk was first, and the junk went first.
    expect(asked()).toHaveLength(17)
    expect(asked()).toEqual(expect.arrayContaining(['sun', 'moon', 'thing 19', 'thing 5']))
    expect(asked()).not.toContain('thing 0')
    await teachOf(on, 'moon')
    expect((await verdict(on.log, address)).outcome).toBe('allow')
    await teachOf(on, 'sun')
    expect((await verdict(on.log, other)).outcome).toBe('allow')
    await expectReplay(on)
  })

  test('that gives way to another lets what waited for it go on, denied', async () => {
    const on = await scene(learnable)
    const address = await say(on.log, { intent: moon })
    await proposals(on, 1)
    const junk = Array.from({ length: 16 }, (_, index) => `thing ${index}`)
    await judged(on, { intent: { tool: 'look', concepts: junk } })
    expect(recoveries(await verdict(on.log, address))).toEqual(['ungrounded learn'])
    expect((await resumeOf(on, address)).reason).toMatchObject({ code: 'expired' })
    await expectReplay(on)
  })

  test('that no one answers expires after a week, and is asked again when it is met', async () => {
    const on = await scene(learnable)
    await judged(on, { intent: { tool: 'look', concepts: ['moon'] } })
    const { id } = await proposed(on)
    const isOpen = () => on.runtime.follower.state.learning.open.size > 0
    on.time.pass(7 * 86_400_000)
    await on.watch.settled(on.log)
    expect(isOpen()).toBe(true)
    on.time.pass(60_000)
    await folded(on, () => !isOpen())
    expect(await names(on.log, 'main.1.expiry.>')).toEqual([nameOf(place, 'expiry', id)])
    await judged(on, { intent: { tool: 'look', concepts: ['moon'] } })
    expect((await proposed(on)).data.round).toBe(2)
    await expectReplay(on)
  })
})
