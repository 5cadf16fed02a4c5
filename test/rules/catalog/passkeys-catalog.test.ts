// Which passkeys and consoles a catalog takes, and that it gives back what it took.
import { expect, test } from 'vitest'
import { emptyCatalog } from '#rules/catalog/catalog'
import { applyCatalogChange } from '#rules/catalog/catalog-change'
import { catalogFromFile, catalogToFile } from '#rules/catalog/catalog-file'
import { emptyGraph } from '#knowledge/graph/revision'
import { checkCatalog } from '#authoring/lint/catalog-flaws'
import { Console, Passkey } from '#schemas/people/passkey'
import { otherConsole, softPasskey, testConsole } from '../../support/people/authenticator.ts'

const [one, two] = [softPasskey(-7).passkey, softPasskey(-8).passkey]

function fileOf(ann: readonly Passkey[], bea: readonly Passkey[] = [two]) {
  const principals = [
    { id: 'ann', passkeys: ann },
    { id: 'bea', passkeys: bea },
  ]
  return catalogFromFile({ principals, consoles: [testConsole, otherConsole] })
}

test('passkeys and consoles come back as they were given', () => {
  const { catalog = emptyCatalog } = fileOf([one])
  const file = catalogToFile(catalog)
  expect(file.consoles).toEqual([testConsole, otherConsole])
  expect(file.principals.map(({ passkeys }) => passkeys)).toEqual([[one], [two]])
  expect(catalogFromFile(file).catalog).toEqual(catalog)
})

test.each<readonly [string, readonly Passkey[], string]>([
  ['of another person', [two], 'passkey_shared'],
  ['with the id of another’s', [{ ...one, id: two.id }], 'passkey_shared'],
  ['with the key of another’s', [{ ...two, id: one.id }], 'passkey_shared'],
  ['twice', [one, one], 'passkey_shared'],
  ['of another algorithm than its key', [{ ...one, algorithm: -8 }], 'passkey_unusable'],
  ['whose key cannot be read', [{ ...one, key: 'AAAA' }], 'passkey_unusable'],
])('a passkey %s is refused', (_, passkeys, code) => {
  expect(fileOf(passkeys).refused?.code).toBe(code)
})

test('a passkey that another change set would share is refused, too', () => {
  const { catalog = emptyCatalog } = fileOf([one])
  const bea = catalog.principals.get('bea')
  if (bea === undefined) throw new Error('no bea')
  const entry = { ...bea, id: 'cas', passkeys: [one] }
  const changed = applyCatalogChange(catalog, [{ op: 'put', collection: 'principals', entry }])
  expect(changed.refused).toMatchObject({
    code: 'passkey_shared',
    at: 'principals/cas/passkeys',
  })
})

test.each<readonly [string, Console, string]>([
  ['with the id of another', { ...otherConsole, id: 'main' }, 'console_repeated'],
  ['at a page of another', { ...testConsole, id: 'x' }, 'console_repeated'],
  ['outside of its relying party', { ...otherConsole, rpId: 'example.org' }, 'console_unusable'],
  [
    'at a host that only ends so',
    { id: 'x', rpId: 'example.org', origins: ['https://evilexample.org'] },
    'console_unusable',
  ],
  [
    'at a page that browsers write otherwise',
    { id: 'x', rpId: 'x.org', origins: ['https://x.org:443'] },
    'console_unusable',
  ],
])('a console %s is refused', (_, console, code) => {
  expect(catalogFromFile({ consoles: [testConsole, console] }).refused?.code).toBe(code)
})

test('a page without TLS is one of this machine alone', () => {
  for (const origin of ['http://console.example.org', 'http://127.0.0.1:7719', 'file://x', '*']) {
    expect(Console.safeParse({ ...otherConsole, origins: [origin] }).success).toBe(false)
  }
})

test('a subdomain may sign for the domain above it', () => {
  const console = { id: 'x', rpId: 'example.org', origins: ['https://a.example.org:8443'] }
  expect(catalogFromFile({ consoles: [console] }).refused).toBeUndefined()
})

test('an id or a key has one spelling', () => {
  expect(Passkey.safeParse(one).success).toBe(true)
  for (const id of [`${one.id}=`, `${one.id.slice(0, -1)}B`, '', 'a b']) {
    expect(Passkey.safeParse({ ...one, id }).success).toBe(false)
  }
})

test('lint says who cannot answer for want of a passkey or of a console', () => {
  const key = `ed25519:${'A'.repeat(43)}`
  const people = { id: 'people', members: ['ann'] }
  const asks = { tier: 'four_eyes' as const, group: 'people', sessionless: true }
  const found = (ann: object, more: object = {}) => {
    const { catalog = emptyCatalog } = catalogFromFile({
      principals: [{ id: 'ann', ...ann }],
      groups: [people],
      confirmations: [{ ...asks, id: 'strict', signedWith: 'passkey' }],
      capabilities: [{ id: 'pay', safetyClass: 'READ', confirmation: 'strict' }],
      ...more,
    })
    return checkCatalog(catalog, emptyGraph).map(({ what }) => what)
  }
  const consoles = [testConsole]
  expect(found({ keys: [key] })).toContainEqual(expect.stringContaining('`ann` has no passkey'))
  const alone = found({ passkeys: [one] })
  expect(alone).toContainEqual(expect.stringContaining('the catalog no console'))
  expect(found({ passkeys: [one] }, { consoles })).toEqual([])
})
