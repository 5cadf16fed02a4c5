// What doctor finds of doors: whose word is believed though any holder of a login can say it.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { publicKeyOf } from '#record/crypto/private-key'
import { doorFindings } from '#cli/run/doctor/catalog'
import { newKey } from '../../../support/runtime.ts'

test('evidence through a door is found where no signature is asked for', () => {
  const { catalog = emptyCatalog } = catalogFromFile({
    principals: [
      { id: 'bot', owner: 'olga', via: ['http'] },
      { id: 'hook', owner: 'olga', via: ['hooks', 'mcp'] },
      { id: 'desk', via: ['http'], keys: [publicKeyOf(newKey())] },
      { id: 'tool' },
      { id: 'olga', via: ['http'] },
      { id: 'rita', via: ['audit'] },
      { id: 'cleo', via: ['http'], keys: [publicKeyOf(newKey())] },
      { id: 'cleo-bot', owner: 'cleo' },
      { id: 'rita-bot', owner: 'rita' },
    ],
    trustedEvidence: ['hook', 'desk', 'tool'].map((sender) => ({ sender, for: ['*'] })),
  })
  expect(doorFindings({ catalog })).toEqual([
    expect.objectContaining({
      check: 'doors',
      about: 'hook',
      status: 'warning',
      found: 'what comes through `hooks` and `mcp` as this principal, an agent, counts as evidence',
    }),
    expect.objectContaining({
      about: 'olga',
      found: expect.stringContaining('decides for others'),
    }),
  ])
  expect(doorFindings({ catalog: emptyCatalog })).toEqual([])
})
