// Frames made in a thread: the same as anywhere, in turns, and nothing where it ends or takes long.
import { expect, test } from 'vitest'
import { threadFraming } from '#adapters/framing/thread'
import { framed, type ToFrame } from '#core/firewall/framed'
import type { Json } from '#core/kernel/canonical'
import { endWithTest } from '../../support/vitest/endings.ts'

function given(value: Json): ToFrame {
  return { value, options: { mode: 'summary' }, evidence: null }
}

function opened(msMax?: number) {
  const framing = threadFraming(msMax)
  endWithTest(() => framing.close())
  return framing
}

test('a frame of a thread is the same as any other', async () => {
  const framing = opened()
  const odd: Json = JSON.parse('{"__proto__":{"password":"x"},"mail":"ann@example.com","n":-0.5}')
  const evidence = {
    tool: 'read',
    args: { id: 1 },
    kinds: ['email' as const],
    distrust: { parts: [], also: [], own: [] },
    salt: 'AAAAAAAAAAAAAAAAAAAAAA',
  }
  for (const mode of ['summary', 'table', 'handle_only', 'raw'] as const) {
    const options = { mode, roles: ['admin'], constraints: { maxRows: 1 } }
    const all: ToFrame = { value: [odd, odd, 'x\u{1F600}'], options, evidence }
    expect(await framing.framed('bot', all)).toEqual(framed(all))
  }
})

test('agents take turns, and each has its own in order', async () => {
  const framing = opened()
  const ended: string[] = []
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2'].map(async (name) => {
    await framing.framed(name.slice(0, 1), given(name))
    ended.push(name)
  })
  await Promise.all(asked)
  expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
})

test('what takes too long comes to nothing, and so does what is asked for after the end', async () => {
  const impatient = opened(0)
  expect(await impatient.framed('bot', given('x'))).toBeNull()
  const framing = opened()
  const waiting = framing.framed('bot', given('x'))
  await framing.close()
  expect(await waiting).toBeNull()
  expect(await framing.framed('bot', given('x'))).toBeNull()
})
