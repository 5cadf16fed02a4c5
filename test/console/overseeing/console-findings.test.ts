// What doctor finds at the console: for who keeps it running, looked at once for all who ask.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { ok, warning } from '#health/doctor/finding'
import { FindingsAnswer } from '#schemas/console/operating'
import { consoleScene, signedInByLink } from '../console-scene.ts'

const findings = [
  ok('log', '7 facts folded in 3 ms'),
  warning('keys', 'any program can sign', { about: '/keys/root', fix: 'protect it' }),
]

test('it is looked at once for all who ask at a time, and again after a moment', async () => {
  let looks = 0
  const scene = await consoleScene(
    {},
    {
      look: async () => {
        looks += 1
        if (looks === 1) throw new Fault('log_unavailable', 'the log is out of reach')
        return findings
      },
    },
  )
  const root = await signedInByLink(scene, 'root')
  expect(await root.refused('findings')).toMatch(/log_unavailable$/)
  const [one, other] = await Promise.all([root.get('findings'), root.get('findings')])
  expect(FindingsAnswer.parse(one).findings).toEqual(findings)
  expect(other).toEqual(one)
  expect(looks).toBe(2)
  scene.on.time.pass(9_999)
  await root.get('findings')
  expect(looks).toBe(2)
  scene.on.time.pass(1)
  await root.get('findings')
  expect(looks).toBe(3)
})

test('of a server that cannot look there are no findings', async () => {
  const root = await signedInByLink(await consoleScene(), 'root')
  expect(await root.get('findings')).toEqual({ at: null, findings: [] })
})
