// What Prometheus is given of people’s attention: by the rule that asks, and by no one’s name.
import { expect, test } from 'vitest'
import { newMetrics } from '#health/metrics'
import { answer, expectReplay, look, reviewed, scene, verdict } from '../support/scene.ts'
import type { Scene } from '../support/scene.ts'

const asks = { name: 'big', when: 'true', effect: 'confirm' as const, confirmation: 'desk' }
const desk = {
  id: 'desk',
  tier: 'four_eyes' as const,
  group: 'desk',
  sessionless: true,
  decideWithinMs: 60_000,
}

async function watched() {
  const metrics = newMetrics()
  const on = await scene({
    catalog: {
      capabilities: [{ ...look, conditions: [asks] }],
      groups: [{ id: 'desk', members: ['piet', 'quin'] }],
      confirmations: [desk],
    },
    parts: { observe: [metrics.observe] },
  })
  const numbers = async (): Promise<readonly string[]> => {
    await on.runtime.follower.reached((await on.log.head()).position)
    const lines = (await metrics.text()).split('\n')
    return lines.filter((line) => /^warrant_(quick|question|answer_seconds_count)/.test(line))
  }
  return { on, numbers, metrics }
}

async function answered(on: Scene, who: 'piet' | 'quin', yes: boolean, ms: number): Promise<void> {
  const intent = await reviewed(on, { intent: { tool: 'look' } })
  on.time.pass(ms)
  await answer(on, intent, { by: who, answers: yes })
  await verdict(on.log, intent)
}

test('it counts questions, answers and quick ones by the rule, and names no one', async () => {
  const { on, numbers, metrics } = await watched()
  expect(await numbers()).toEqual(['warrant_quick_answers_total 0'])
  await answered(on, 'piet', true, 2_000)
  await answered(on, 'quin', false, 9_000)
  const late = await reviewed(on, { intent: { tool: 'look' } })
  on.time.pass(60_001)
  await verdict(on.log, late)
  expect((await numbers()).toSorted()).toEqual([
    'warrant_answer_seconds_count 2',
    'warrant_question_answers_total{rule="condition big",answer="no"} 1',
    'warrant_question_answers_total{rule="condition big",answer="yes"} 1',
    'warrant_questions_expired_total{rule="condition big"} 1',
    'warrant_questions_total{rule="condition big"} 3',
    'warrant_quick_answers_total 1',
  ])
  expect(await metrics.text()).not.toMatch(/piet|quin/)
  await expectReplay(on)
})
