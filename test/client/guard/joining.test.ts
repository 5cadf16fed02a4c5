// Which equal calls are one call, by hand: who is joined to what is asked, and what shares a run.
import { expect, test } from 'vitest'
import { joining, type JoiningCall } from '#client/guard/joining'

interface Decided {
  readonly intent: string
  readonly isAllowed: boolean
}

type Call = JoiningCall<Decided, string>

function byHand() {
  const join = joining<Decided, string>(({ intent, isAllowed }) => (isAllowed ? intent : null))
  const asked: ((decided: Decided) => void)[] = []
  let acts = 0
  const call = (more: Partial<Pick<Call, 'brings' | 'key' | 'signal'>> = {}) =>
    join({
      key: 'same',
      brings: 'nothing',
      signal: undefined,
      ask: () => new Promise((resolve) => asked.push(resolve)),
      act: async ({ intent }) => `${intent} ${(acts += 1)}`,
      ...more,
    })
  return { call, asked }
}

const allowed = (intent: string): Decided => ({ intent, isAllowed: true })

test('a call is not joined to what was asked for a caller that has left', async () => {
  const { call, asked } = byHand()
  const leaving = new AbortController()
  const first = call()
  const reasoned = call({ brings: 'reason', signal: leaving.signal })
  leaving.abort(new Error('left'))
  await expect(reasoned).rejects.toThrow('left')
  const next = call()
  expect(asked).toHaveLength(3)
  for (const decide of asked) decide(allowed('a'))
  expect(await Promise.all([first, next])).toEqual(['a 1', 'a 1'])
})

test('only what runs on one warrant is shared: what waits for people is asked again', async () => {
  const { call, asked } = byHand()
  const task = call({ brings: 'intent' })
  const waiting = call({ brings: 'intent' })
  asked[1]?.({ intent: 'a', isAllowed: false })
  expect(await waiting).toBe('a 1')
  asked[0]?.(allowed('a'))
  expect(await task).toBe('a 2')
})

test('calls with warrants of their own run each by itself', async () => {
  const { call, asked } = byHand()
  const all = [call({ key: null }), call({ key: null }), call(), call({ brings: 'intent' }), call()]
  for (const [at, decide] of asked.entries()) decide(allowed(`${at}`))
  expect(await Promise.all(all)).toEqual(['0 1', '1 2', '2 3', '3 4', '3 4'])
})
