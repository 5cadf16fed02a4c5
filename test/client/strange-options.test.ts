// An option that is not there would be without effect, unseen: each way in refuses it by name.
import { expect, test } from 'vitest'
import { connect } from '#client/connect'
import { connectHttp } from '#client/over-http/connect-http'
import { callOptionNames } from '#client/guard/call-options'
import { look, names, scene } from '../support/scene.ts'

/** Those that are options of a guard, too. */
const ofGuards = ['onReview', 'onLearn', 'concepts', 'cardinality', 'minDepth']

test('an unknown option of a client is refused before anything is opened', async () => {
  const stranger = { as: 'bot', waitMs: 1_000 }
  await expect(connect(stranger)).rejects.toMatchObject({
    code: 'options_invalid',
    message: expect.stringMatching(/^there is no option `waitMs`: there are log, as, /),
  })
  const at = { url: 'http://127.0.0.1:1', token: 'wrt_x', waitMs: 1_000 }
  await expect(connectHttp(at)).rejects.toMatchObject({ code: 'options_invalid' })
})

test('one of a call that is given to the guard is refused with where it belongs', async () => {
  const on = await scene({ catalog: { capabilities: [look] } })
  const ofCalls = [...callOptionNames].filter((name) => !ofGuards.includes(name))
  expect(ofCalls).toEqual(expect.arrayContaining(['waitMs', 'justification', 'session']))
  for (const name of ofCalls) {
    const guarded = () => on.bot.guard('look', () => null, { [name]: 1 })
    expect(guarded).toThrow(`\`${name}\` is given with each call`)
  }
})

test('so is one of a request, of which nothing is published then', async () => {
  const on = await scene({ catalog: { capabilities: [look] } })
  const strange = { key: 'one', waitMS: 1_000 }
  await expect(on.bot.ask({ tool: 'look' }, strange)).rejects.toMatchObject({
    code: 'options_invalid',
    message: expect.stringContaining('`waitMS`'),
  })
  expect(await names(on.log, 'main.1.vlp.>')).toEqual([])
})
