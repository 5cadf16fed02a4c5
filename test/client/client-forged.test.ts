// An allow that no stage has drawn up, written into the log by someone who can: a client in the
// process of the log gives it to no one as an answer, and no story of it says that it was allowed.
import { expect, test } from 'vitest'
import { nameOf, partsInRealm } from '#record/names'
import { madeUp } from '../support/forger.ts'
import { look, names, place, say, scene, type Scene } from '../support/scene.ts'

const setup = { catalog: { capabilities: [look] } }

/** Binds an allow to each message, before any stage has answered it. */
function forging({ runtime, log, time }: Scene, observed = false): void {
  runtime.follower.listen((fact, { parts }) => {
    if (parts?.kind !== 'vlp' || parts.address === null) return
    const of = { basis: fact.position, time: new Date(time.now).toISOString(), observed }
    void log.append(madeUp(parts.address, of))
  })
}

async function lastForged({ log }: Scene): Promise<string> {
  const bound = await names(log, 'main.1.verdict.>')
  return partsInRealm(bound.at(-1) ?? '', 'main')?.address ?? ''
}

const notDerived = { code: 'verdict_not_derived', retry: 'never' }

test.each([false, true])(
  'an allow that was made up is no answer (observed: %s)',
  async (observe) => {
    const on = await scene({ ...setup, stages: [] })
    forging(on, observe)
    await expect(on.bot.ask({ tool: 'look', observe })).rejects.toMatchObject(notDerived)
    const intent = await lastForged(on)
    await expect(on.bot.verdict(intent)).rejects.toMatchObject({ ...notDerived, intent })
    // One that opens the log later has to derive it out of the log.
    const later = await scene({ ...setup, stages: [] }, on)
    await expect(later.bot.verdict(intent)).rejects.toMatchObject(notDerived)
  },
)

test('what other processes have rightly allowed is an answer, and so is a denial', async () => {
  const deciding = await scene(setup)
  const on = await scene({ ...setup, stages: [] }, deciding)
  const { intent, outcome } = await on.bot.ask({ tool: 'look' })
  expect(outcome).toBe('allow')
  const later = await scene({ ...setup, stages: [] }, deciding)
  expect(await later.bot.verdict(intent)).toMatchObject({ outcome: 'allow' })
  expect(await later.bot.ask({ tool: 'unknown' })).toMatchObject({ outcome: 'deny' })
  expect(await later.bot.read('trace', { intent })).toMatchObject({ outcome: 'allow' })
})

test('its story shows it as void, and never as allowed', async () => {
  const on = await scene({ ...setup, stages: [] })
  forging(on)
  await expect(on.bot.ask({ tool: 'look' })).rejects.toMatchObject(notDerived)
  const intent = await lastForged(on)
  const { outcome, summary, steps } = await on.bot.read('trace', { intent })
  expect(outcome).toBe('deny')
  expect(summary).toContain('no stage would have bound it')
  expect(summary).not.toContain('allowed')
  const forged = steps.find(({ name }) => name === nameOf(place, 'verdict', intent))
  expect(forged?.void).toBe('no stage would have bound it where it stands')
})

test('the time that a forger chose does not make it an answer', async () => {
  const on = await scene({ ...setup, stages: [] })
  const address = await say(on.log, { intent: { tool: 'look' } })
  const { position: basis } = await on.log.head()
  const time = new Date(on.time.now + 3_600_000).toISOString()
  await on.log.append(madeUp(address, { basis, time }))
  await expect(on.bot.verdict(address)).rejects.toMatchObject({ code: /^verdict_/ })
  expect((await on.bot.read('trace', { intent: address })).outcome).toBe('deny')
})
