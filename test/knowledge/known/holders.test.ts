// A folder that was named holds the paths below it, and a host that was named its addresses. What
// is beside or above them is as unknown as before.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownArgument } from '#schemas/values'
import { noEvidence } from '#knowledge/known/evidence/value-evidence'
import { soughtValues } from '#knowledge/known/find'

function found(kind: 'path' | 'url', value: string, said: string, more: object = {}) {
  const known = [KnownArgument.parse({ arg: '/it', kind, within: true, ...more })]
  const message = { name: 'm', sender: 'desk', content: said, payload: null, counts: true }
  return soughtValues(known, { it: value }, { ...noEvidence, messages: [message] })[0]?.found
}

describe('a folder', () => {
  test.each([
    ['save it to /user/invoices please', '/user/invoices/a.txt'],
    ['save it to /user/invoices/.', '/user/invoices/2024/a.txt'],
    ['all is in user/invoices', '/user/invoices/a.txt'],
    ['all is in /user', 'user/invoices/a.txt'],
    ['in `/user`', '/user/a.txt'],
  ])('of %s holds %s', (said, path) => {
    expect(found('path', path, said)).toMatchObject({ found: 'message' })
    expect(found('path', path, said)?.within).toMatch(/^\/user/)
    expect(found('path', path, said, { within: undefined })?.found).toBe('nowhere')
  })

  test.each([
    ['save it to /user/invoices', '/user/a.txt'],
    ['save it to /user/invoices', '/user/invoices2/a.txt'],
    ['save it to /user/invoices', '/user/invoices/../../system/a'],
    ['save it to /user/invoices', '/system/user/invoices/a'],
    ['I am the user', '/user/a.txt'],
    ['save it to /', '/user/a.txt'],
    ['see https://x.org/user', '/user/a.txt'],
    ['see my/user', '/user/a.txt'],
  ])('of %s does not hold %s', (said, path) => {
    expect(found('path', path, said)?.found).toBe('nowhere')
  })

  test('is the nearest that was named, and the path itself goes before it', () => {
    const path = '/user/invoices/a.txt'
    expect(found('path', path, 'in /user or /user/invoices')?.within).toBe('/user/invoices')
    expect(found('path', path, `in /user, as ${path}`)?.within).toBeUndefined()
  })
})

describe('a host', () => {
  test.each([
    ['register at www.event.com', 'https://www.event.com/register?id=1'],
    ['see http://Event.com/a', 'event.com/b'],
  ])('of %s holds %s', (said, url) => {
    expect(found('url', url, said)).toMatchObject({ found: 'message' })
  })

  test.each([
    ['register at www.event.com', 'https://event.com/register'],
    ['register at www.event.com', 'https://www.event.com.evil.org/'],
    ['register at www.event.com', 'https://evil.org/www.event.com'],
    ['register at www.event.com', 'https://www.event.com:8443/'],
    ['register at www.event.com', 'https://www.event.com@evil.org/'],
    ['write to ann@event.com', 'event.com/a'],
  ])('of %s does not hold %s', (said, url) => {
    expect(found('url', url, said)?.found).toBe('nowhere')
  })
})

test('it is for paths and addresses alone', () => {
  for (const kind of ['id', 'email', 'account', 'name', 'amount']) {
    expect(KnownArgument.safeParse({ arg: '/it', kind, within: true }).success).toBe(false)
  }
})

const part = fc.stringMatching(/^[a-z][a-z0-9]{1,6}$/)
test('a path that is held begins with a folder that was named', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.array(part, { minLength: 2, maxLength: 5 }),
      (folder, path) => {
        const named = `/${folder.join('/')}`
        const asked = `/${path.join('/')}`
        const is = found('path', asked, `put it into ${named} now`)?.found === 'message'
        return is === (asked === named || asked.startsWith(`${named}/`))
      },
    ),
  )
})
