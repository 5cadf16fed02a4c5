// Replay derives facts while the fold goes on: what one of them waits for the others do not, and
// whatever order they end in, the report is the same.
import { expect, test } from 'vitest'
import type { CallbackOutcome, CallbackRunner } from '#ports/callbacks'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { deletion, erase, place, say, scene, verdict, type Scene } from '../support/scene.ts'

const module = `export const check = () => ({ passed: true })`
const graph = deletion({ name: 'rule', requiresConfirmation: false, callback: 'check' })
const passed: CallbackOutcome = { answer: { passed: true }, recorded: false }

/** Intents that were all said before any of them got its verdict. */
async function together(count: number): Promise<Scene> {
  const on = await scene({ catalog: { capabilities: [erase] }, graph, module })
  const intent = { tool: 'erase' }
  const said = Array.from({ length: count }, () => say(on.log, { intent }))
  for (const address of await Promise.all(said)) await verdict(on.log, address)
  return on
}

function replayed(on: Scene, run: CallbackRunner['run']) {
  const callbacks = { run }
  return replay({ log: on.log, place, rootKey: null, stages, callbacks })
}

test('facts that ask callbacks are derived at the same time', async () => {
  const on = await together(8)
  let waiting: (() => void)[] = []
  let most = 0
  const report = await replayed(on, async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      most = Math.max(most, waiting.length)
      setImmediate(() => {
        for (const wake of waiting.splice(0)) wake()
      })
    })
    return passed
  })
  waiting = []
  expect(report).toMatchObject({ derived: 24, differences: 0 })
  expect(most).toBeGreaterThan(3)
})

test('the first difference is that of the lowest position, whatever ends first', async () => {
  const on = await together(8)
  let calls = 0
  const slowFirst: CallbackRunner['run'] = async () => {
    calls += 1
    for (let turns = 100 - calls * 5; turns > 0; turns -= 1) await new Promise(setImmediate)
    return { answer: { passed: false }, recorded: false }
  }
  const report = await replayed(on, slowFirst)
  const names: string[] = []
  for await (const { name } of on.log.read({}, ['main.1.rate.>', 'main.1.verdict.>'])) {
    names.push(name)
  }
  expect(report.differences).toBe(16)
  expect(report.first?.name).toBe(names[0])
})

test('what goes wrong in one of them ends the replay', async () => {
  const on = await together(4)
  const failing = replayed(on, () => Promise.reject(new Error('the thread is gone')))
  await expect(failing).rejects.toThrow('the thread is gone')
})
