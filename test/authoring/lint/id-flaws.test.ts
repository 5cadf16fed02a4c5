// The ids of new capabilities have one spelling; others work, and are reported.
import { expect, test } from 'vitest'
import { Capability } from '#schemas/catalog'
import { idFlaws } from '#authoring/lint/catalog-flaws'

const found = (id: string): number => {
  const capability = Capability.parse({ id, safetyClass: 'READ' })
  return idFlaws({ capabilities: new Map([[id, capability]]) }).length
}

test.each([
  'send_email',
  'mail.send',
  'aws/ec2/RunInstances',
  'server:read-file',
  'a',
  'x'.repeat(128),
])('%s is written as ids are', (id) => {
  expect(found(id)).toBe(0)
})

test.each(['send email', 'mail..send', '.send', 'send.', '_send', 'größe', 'a@1', 'x'.repeat(129)])(
  '%s is reported, and works',
  (id) => {
    expect(found(id)).toBe(1)
  },
)
