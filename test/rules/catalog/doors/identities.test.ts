// Whose identity at an issuer it is: one principal's, as the catalog has it now, and by nothing but
// issuer and subject together.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { catalogFromFile } from '#rules/catalog/catalog-file'
import { identified } from '#rules/catalog/doors/identities'
import type { Principal } from '#schemas/catalog'
import type { z } from 'zod'

type Given = z.input<typeof Principal>

const issuer = 'https://idp.example'
const ann: Given = { id: 'ann', identities: [{ issuer, subject: 'u-1' }] }

function fileOf(...principals: readonly Given[]) {
  return catalogFromFile({ principals: [...principals] })
}

const cases: readonly (readonly [string, Given, object])[] = [
  ['it has it', ann, { principal: 'ann' }],
  ['it has none', { id: 'ann' }, { refused: 'identity_unknown' }],
  ['it is suspended', { ...ann, suspended: true }, { refused: 'identity_suspended' }],
  [
    'another issuer says the same subject',
    { id: 'ann', identities: [{ issuer: `${issuer}/`, subject: 'u-1' }] },
    { refused: 'identity_unknown' },
  ],
  [
    'its subject differs in one letter’s case',
    { id: 'ann', identities: [{ issuer, subject: 'U-1' }] },
    { refused: 'identity_unknown' },
  ],
  ['its id alone is the subject', { id: 'u-1' }, { refused: 'identity_unknown' }],
]

test.each(cases)('an identity where %s', (_, principal, found) => {
  const { catalog = emptyCatalog } = fileOf(principal)
  expect(identified(catalog, { issuer, subject: 'u-1' })).toEqual(found)
})

test('two principals cannot have one identity, and one may have several', () => {
  const both = fileOf(ann, { id: 'bea', identities: [{ issuer, subject: 'u-1' }] })
  expect(both.refused).toMatchObject({
    code: 'identity_shared',
    at: 'principals/bea/identities',
  })
  const more: Given = {
    ...ann,
    identities: [...(ann.identities ?? []), { issuer, subject: 'u-2' }],
  }
  const { catalog = emptyCatalog } = fileOf(more, {
    id: 'bea',
    identities: [{ issuer, subject: 'u-3' }],
  })
  expect(identified(catalog, { issuer, subject: 'u-2' })).toEqual({ principal: 'ann' })
})
