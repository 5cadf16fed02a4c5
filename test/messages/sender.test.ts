import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { digestOf } from '#record/digest'
import { publicKeyOf } from '#record/crypto/private-key'
import { isFrom, verifyAhead } from '#messages/sender'
import { signMessage } from '#messages/signed-message'
import { VlpMessage } from '#schemas/vlp'
import { newKey } from '../support/runtime.ts'
import { sample } from '../support/samples/vlp-sample.ts'

const [own, foreign] = [newKey(), newKey()]
const log = digestOf('the first catalog')
const name = 'main.1.vlp.desk.-.01K0000000000000000000000A'
const said = VlpMessage.parse(sample({ sender: 'desk' }))

function knowing(key: string) {
  const desk = { id: 'desk', keys: [publicKeyOf(key)] }
  const { catalog = emptyCatalog } = catalogFromFile({ principals: [desk] })
  return { catalog, log }
}

const signed = signMessage({ log, name }, said, own)

test.each([
  ['its sender signed', signed, true],
  ['someone else signed', signMessage({ log, name }, said, foreign), false],
  ['no one signed', said, false],
  ['was signed for another name', signMessage({ log, name: `${name}B` }, said, own), false],
  ['was changed since', { ...signed, content: 'another' }, false],
])('of a message that %s the same is found ahead', async (_, message, is) => {
  const known = knowing(own)
  const copies = [structuredClone(message), structuredClone(message)] as const
  const [ahead, late] = copies
  // Asked twice at once, as two intents of a session do.
  const asked = [{ name, check: { message: ahead } }]
  await Promise.all([verifyAhead(asked, known), verifyAhead(asked, known)])
  expect(isFrom(name, ahead, known)).toBe(is)
  expect(isFrom(name, late, known)).toBe(is)
})

test('what was found ahead counts for no other key, name or log', async () => {
  const message = structuredClone(signed)
  const known = knowing(own)
  await verifyAhead([{ name, check: { message } }], known)
  expect(isFrom(name, message, known)).toBe(true)
  expect(isFrom(name, message, knowing(foreign))).toBe(false)
  expect(isFrom(`${name}B`, message, known)).toBe(false)
  expect(isFrom(name, message, { ...known, log: digestOf('another') })).toBe(false)
})
