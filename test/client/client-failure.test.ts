// What a guard records of a failure: a code that distinguishes it from others, and nothing of its
// words.
import { describe, expect, test } from 'vitest'
import { readEvent } from '#record/event'
import type { OutcomeData } from '#schemas/facts'
import { bound, deletion, look, names, scene, type Scene } from '../support/scene.ts'

const setup = { catalog: { capabilities: [look] }, graph: deletion() }

async function outcomeOf(on: Scene): Promise<OutcomeData> {
  const [name = ''] = await names(on.log, 'main.1.ownoutcome.>')
  const reading = readEvent('ownoutcome', await bound(on.log, name))
  if (!reading.ok) throw new Error(reading.why)
  return reading.event.data
}

describe('a failure is recorded by a code that distinguishes it from others', () => {
  const failing = (error: unknown, options = {}) => {
    const run = () => {
      throw error
    }
    return async () => {
      const on = await scene(setup)
      await expect(on.bot.guard('look', run, options)({})).rejects.toBe(error)
      return outcomeOf(on)
    }
  }
  const full = Object.assign(new Error('no space left for ann'), { code: 'ENOSPC' })

  test.each([
    ['its own', full, { code: 'ENOSPC', detail: 'Error' }],
    ['a status', Object.assign(new Error('x'), { status: 404 }), { code: '404', detail: 'Error' }],
    [
      'that of its cause',
      new TypeError('x', { cause: full }),
      { code: 'ENOSPC', detail: 'TypeError' },
    ],
    ['none that is no token', Object.assign(new Error('x'), { code: 'a b' }), { detail: 'Error' }],
    ['none where it is no error', 'ENOSPC', { detail: 'it threw a value that is not an Error' }],
  ])('%s', async (_, error, expected) => {
    const outcome = await failing(error)()
    expect(outcome).toMatchObject({ outcome: 'failed', ...expected })
    expect(JSON.stringify(outcome)).not.toContain('for ann')
    if (!('code' in expected)) expect(outcome).not.toHaveProperty('code')
  })

  test('that of the hook, and its own again where the hook has none', async () => {
    const describe = () => ({ code: 'quota', detail: 'the disk of the tenant is full' })
    expect(await failing(full, { describe })()).toMatchObject(describe())
    const unsound = { describe: () => ({ code: 'not a token' }) }
    expect(await failing(full, unsound)()).toMatchObject({ code: 'ENOSPC' })
    const broken = () => {
      throw new Error('the hook is broken')
    }
    expect(await failing(full, { describe: broken })()).toMatchObject({ code: 'ENOSPC' })
  })
})
