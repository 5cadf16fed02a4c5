import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CatalogFile } from '#schemas/catalog'
import { parseCatalogFile } from '#rules/catalog/catalog-file'
import { fileOfSeed, slicedCatalog, wholeCatalogOf } from '#authoring/changes/sliced-catalog'
import { readJson } from '#record/json'

const limits = { bytesMax: 100_000, depthMax: 64 }
const text = fc.constantFrom('a', 'b\u00e9', 'with "quotes\\', 'principals', '[{,}]', 'bot')
const principal = fc.record(
  { id: text, owner: text, roles: fc.array(text), attributes: fc.dictionary(text, text) },
  { requiredKeys: ['id'] },
)
const file = fc.record(
  {
    knownConstraints: fc.array(text),
    principals: fc.uniqueArray(principal, { selector: ({ id }) => id }),
    learning: fc.boolean(),
    groups: fc.constant([{ id: 'principals', members: ['principals'] }]),
  },
  { requiredKeys: ['principals'] },
)
/** As it is, or with one character gone or put in: mostly no catalog then. */
const broken = fc.tuple(fc.nat(), fc.constantFrom('', ',', '{', ']', '"', ' '), fc.boolean())

function whole(bytes: Uint8Array) {
  const reading = readJson(bytes, limits)
  const parsed = reading.ok ? parseCatalogFile(reading.value) : null
  if (parsed?.file === undefined || !reading.ok) return null
  return { ...wholeCatalogOf(parsed.file, Object(reading.value)), plain: parsed.file }
}

test('in slices it reads what the whole text gives, or nothing', () => {
  fc.assert(
    fc.property(file, fc.nat(60), fc.nat(2), broken, (catalog, slice, spaces, [at, put, isCut]) => {
      const sound = JSON.stringify(catalog, null, spaces)
      const place = at % sound.length
      const cut = `${sound.slice(0, place)}${put}${sound.slice(place + 1)}`
      for (const said of isCut ? [sound, cut] : [sound]) {
        const bytes = Buffer.from(said)
        const [read, all] = [slicedCatalog(bytes, limits, slice), whole(bytes)]
        if (said === sound)
          expect(read === null).toBe(all === null || catalog.principals.length === 0)
        if (read === null) continue
        const { plain, ...same } = all ?? expect.fail('the whole text gives none')
        expect(read).toEqual(same)
        expect(fileOfSeed(read.file)).toEqual(plain)
        expect(CatalogFile.safeParse(fileOfSeed(read.file)).success).toBe(true)
      }
    }),
  )
})
