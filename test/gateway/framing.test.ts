// Frames made in a thread: the same as anywhere, in turns, and nothing where it ends or takes long.
import { afterAll, expect, test } from 'vitest'
import { threadFraming } from '#gateway/framing/thread'
import { readToolAnswer, type ToRead } from '#rules/drivers/answer-reading'
import { judgedExpansion, expansionPage } from '#firewall/expand'
import { framed, type ToFrame } from '#firewall/framed'
import type { Json } from '#record/canonical'
import { digestOfJson } from '#record/digest'
import { assert } from '#record/fault'
import { endWithTest } from '../support/vitest/endings.ts'

function given(value: Json): ToFrame {
  return { value, options: { mode: 'summary' }, evidence: null }
}

// Starting a thread costs more than all that it is asked here.
const framing = threadFraming()
afterAll(() => framing.close())

function opened(msMax?: number) {
  const framing = threadFraming(msMax)
  endWithTest(() => framing.close())
  return framing
}

test('a frame of a thread is the same as any other', async () => {
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

const wide = `[${'{},'.repeat(300)}{}]`

test.for<[string, Partial<ToRead> & { readonly text: string }]>([
  ['JSON', { text: '[{"a":"x"},-0.5,null]' }],
  ['rows', { text: '{"a":1}\n{"a":2}\n' }],
  ['parts', { text: '{"a":1}\nb\n', form: 'lines' }],
  ['a text', { text: 'a, b, c' }],
  ['a secret', { text: '{"my secret":["my secret"]}', secrets: 'my secret' }],
  ['digits that no double holds', { text: '{"id":9007199254740993}' }],
  ['what is not even text', { text: '\uD800', form: 'json' }],
  ['more values than there may be', { text: wide, valuesMax: 301 }],
  ['just as many', { text: wide, valuesMax: 302 }],
])('%s read in a thread is the same as read anywhere', async ([, { text, ...more }]) => {
  const bytes = Buffer.from(text)
  const given: ToRead = { bytes, form: 'rows', valuesMax: 1_000, secrets: null, ...more }
  const here = readToolAnswer(given)
  const apart = await framing.read('bot', given)
  if (!here.ok) {
    expect(apart).toEqual(here)
    return
  }
  const { value } = here
  const json = new Uint8Array(Buffer.from(JSON.stringify(value)))
  const rows = Array.isArray(value) ? value.length : 1
  expect(apart).toEqual({ ok: true, value: { json, digest: digestOfJson(value), rows } })
  const frame = { options: { mode: 'summary' as const }, evidence: null }
  assert(apart?.ok === true, 'it was read')
  expect(await framing.framed('bot', { ...frame, value: apart.value })).toEqual(
    framed({ ...frame, value }),
  )
})

test('a page of a kept result is the same as any other', async () => {
  const rows: Json = [{ id: 1, mail: 'ann@example.com' }, { id: 2 }, 'x\u{1F600}']
  for (const redaction of ['all', 'none'] as const) {
    const rules = { permitted: true, allowedFields: null, maxRows: 2, redaction }
    for (const query of [{}, { offset: 1 }, { filter: { id: 1 } }, { fields: ['mail'] }]) {
      const { page } = judgedExpansion({ owner: 'bot', expiresAt: 2 }, rules, {
        caller: 'bot',
        now: 1,
        query,
      })
      assert(page !== undefined, 'it may be shown')
      const json = Buffer.from(JSON.stringify(rows))
      expect(await framing.page('bot', { ...page, json })).toEqual(expansionPage(rows, page))
    }
  }
})

test('agents take turns, and each has its own in order', async () => {
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
