// When each stage last bound something, as the console has seen it: by its stamp, never by what
// an agent wrote.
import { expect, test } from 'vitest'
import { stageActivityOn } from '#console/operating/stage-activity'
import { anyArgs, judged, look, scene } from '../../support/scene.ts'

test('a stage is named by its own stamp alone', async () => {
  const { runtime, log, time } = await scene({
    catalog: { capabilities: [{ ...look, argsSchema: anyArgs }] },
  })
  const activity = stageActivityOn(runtime)
  expect(activity.lastAt('policy')).toBeNull()
  time.pass(5_000)
  const args = { source: 'warrant/learning/1', text: '"source":"warrant/learning/1"' }
  const { name } = await judged({ log }, { intent: { tool: 'look', args } })
  const fact = await log.get(name)
  await runtime.follower.reached(fact?.position ?? 0)
  expect(activity.lastAt('policy')).toBe(fact?.appendedAt)
  expect(activity.lastAt('grounding')).not.toBeNull()
  expect(activity.lastAt('learning')).toBeNull()
  activity.stop()
  await judged({ log }, { intent: { tool: 'look', args } })
  expect(activity.lastAt('policy')).toBe(fact?.appendedAt)
})
