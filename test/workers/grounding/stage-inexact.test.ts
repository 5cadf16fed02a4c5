// A number that a double cannot hold, from a client that checks nothing of its own: no other number
// is judged or recorded in its place, and its sender learns where it stands.
import { expect, test } from 'vitest'
import { newestRules } from '#rules/catalog/rules-version'
import { codes, expectReplay, groundingOf, judged, look, say } from '../../support/scene.ts'
import { scene, verdict, type Scene } from '../../support/scene.ts'

const digits = '9007199254740993'

function published({ log }: Scene, args: string): Promise<string> {
  const ulid = `n${args.length}`
  const head = `"id":"MSG-${ulid}","protocol":"VLP/1.1","type":"query"`
  const rest = '"timestamp":"2026-01-01T00:00:00Z","sender":"bot","content":"may I"'
  const payload = `"confidence":0.5,"payload":{"intent":{"tool":"look","args":${args}}}`
  return say(log, { ulid, bytes: `{${head},${rest},${payload}}` })
}

const at = '/payload/intent/args'

test.each([
  [`{"id":${digits}}`, `${at}/id`],
  [`{"of":[{"a/b":1},{"a/b":-${digits}}]}`, `${at}/of/1/a~1b`],
  ['{"of":{"share":3.141592653589793238}}', `${at}/of/share`],
])('%s is denied as a malformed message, with its place', async (args, pointer) => {
  const on = await scene({ catalog: { capabilities: [look], rules: newestRules } })
  const address = await published(on, args)
  const denied = await verdict(on.log, address)
  expect(codes(denied)).toEqual(['malformed_message'])
  expect(JSON.stringify(denied.reasons)).toContain(pointer)
  const { message } = await groundingOf(on.log, address)
  expect(message.malformed).toBe(true)
  expect(message.issues).toMatchObject([
    { code: 'schema_invalid', path: pointer, params: { fault: 'number_inexact' } },
  ])
  await expectReplay(on)
})

test('the same digits as a text, and numbers that a double holds, are judged as they are', async () => {
  const on = await scene({ catalog: { capabilities: [look], rules: newestRules } })
  for (const args of [`{"id":"${digits}"}`, '{"id":9007199254740994,"of":[0.1,1.50,1e23]}']) {
    expect((await verdict(on.log, await published(on, args))).outcome).toBe('allow')
  }
  await expectReplay(on)
})

test('a log under older rules decides as it did', async () => {
  const on = await scene({ catalog: { capabilities: [look], rules: 6 } })
  expect((await judged(on, { intent: { tool: 'look' } })).outcome).toBe('allow')
  expect((await verdict(on.log, await published(on, `{"id":${digits}}`))).outcome).toBe('allow')
  await expectReplay(on)
})
