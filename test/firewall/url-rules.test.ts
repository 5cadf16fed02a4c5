// The rules on URLs and addresses, and each hole of the reference that they close.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ipAddressOf, isOwnAddress, isPublicAddress } from '#firewall/ip-address'
import { judgeUrl } from '#firewall/url-rules'

const listed = (text: string): readonly string[] => text.trim().split(/\s+/)

const reasonOf = (text: string, addresses?: readonly string[], own?: readonly string[]) => {
  return judgeUrl(text, addresses, own).reason
}

describe('the text of a URL', () => {
  test.each([
    ['ftp://files.example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['gopher://a.example.com/', 'scheme'],
    ['//a.example.com/', 'scheme'],
    ['a.example.com', 'scheme'],
    ['', 'scheme'],
    ['http:a.example.com', 'syntax'],
    ['http:/a.example.com', 'syntax'],
    [' http://a.example.com/', 'syntax'],
    ['http://a.example.com/a b', 'syntax'],
    ['http://a.example.com/\r\nX: 1', 'syntax'],
    ['http://a.example.com/\u00a0', 'syntax'],
    ['http://a.example.com/\u200b', 'syntax'],
    ['http://a.example.com\\@10.0.0.1/', 'syntax'],
    ['http:\\\\10.0.0.1/', 'syntax'],
    ['http://a.example.com/\ud800', 'syntax'],
    [`http://a.example.com/${'x'.repeat(2048)}`, 'syntax'],
    ['http://user@a.example.com/', 'userinfo'],
    ['http://a.example.com:80@10.0.0.1/', 'userinfo'],
    ['http://a.example.com:8080/', 'port'],
    ['http://a.example.com:22/', 'port'],
    ['http://a.example.com:/', 'port'],
    ['http://a.example.com:080/', 'port'],
    ['http://a.example.com:80:80/', 'port'],
    ['http://::1/', 'port'],
    ['http:///etc', 'host'],
    ['http://', 'host'],
    ['http://[::1', 'host'],
    ['http://[::1]x/', 'host'],
    ['http://[v1.x]/', 'host'],
    ['http://[fe80::1%25eth0]/', 'host'],
    ['http://[fe80::1%eth0]/', 'host'],
    ['http://[1.2.3.4]/', 'host'],
    ['http://127.0.0.1%2f.example.com/', 'host'],
    ['http://loc%61lhost/', 'host'],
    ['https://a..b/', 'host'],
    ['https://.example.com/', 'host'],
    ['https://example.com./', 'host'],
    [`https://${'a'.repeat(64)}.example.com/`, 'host'],
    [`https://${'a.'.repeat(130)}com/`, 'host'],
    ['https://-a.example.com/', 'host'],
    ['https://a_b.example.com/', 'host'],
    ['http://\uff11\uff12\uff17.0.0.1/', 'host'],
    ['http://a.example.com\uff0f@10.0.0.1/', 'userinfo'],
    ['http://a.example.com\uff0f.example.com/', 'host'],
    ['http://\u2460\u2461\u2466.0.0.1/', 'host'],
    ['http://m\u00fcnchen.example.com/', 'host'],
    ['http://\u212a.example.com/', 'host'],
    ['http://intranet/', 'special_name'],
    ['http://printer/', 'host'],
    ['http://localhost/', 'special_name'],
    ['http://LOCALHOST/', 'special_name'],
    ['http://a.localhost/', 'special_name'],
    ['http://db.internal/', 'special_name'],
    ['http://metadata.google.internal/', 'special_name'],
    ['http://printer.local/', 'special_name'],
    ['http://api.default.svc/', 'special_name'],
    ['http://1.0.0.127.in-addr.arpa/', 'special_name'],
    ['http://router.home.arpa/', 'special_name'],
    ['http://x.onion/', 'special_name'],
  ])('%j is blocked as %s', (text, reason) => {
    expect(judgeUrl(text, ['93.184.215.14'])).toEqual({ verdict: 'block', reason })
    expect(judgeUrl(text)).toEqual({ verdict: 'block', reason })
  })

  test.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://127.0.0.01/',
    'http://127.0.0.1.1/',
    'http://256.1.1.1/',
    'http://a.example.0x1/',
  ])('%s is one address to some readers and another to others, and is blocked', (text) => {
    expect(judgeUrl(text)).toEqual({ verdict: 'block', reason: 'host' })
  })

  test.each(['https://a.example.com', 'http://a.example.com:80/x?y=1#z', 'HTTPS://A.Example.com/'])(
    '%s passes, and its addresses are to be judged',
    (text) => {
      expect(judgeUrl(text)).toEqual({ verdict: 'resolve', reason: 'unresolved' })
      expect(judgeUrl(text, [])).toEqual({ verdict: 'block', reason: 'no_address' })
      expect(judgeUrl(text, ['93.184.215.14'])).toEqual({ verdict: 'allow', reason: 'public' })
    },
  )

  test('a public address as a host is judged at once', () => {
    expect(judgeUrl('https://93.184.215.14/').verdict).toBe('allow')
    expect(judgeUrl('https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/').verdict).toBe('allow')
  })

  test('one bad address among good ones blocks', () => {
    const url = 'https://a.example.com/'
    expect(reasonOf(url, ['93.184.215.14', '127.0.0.1'])).toBe('address')
    expect(reasonOf(url, ['93.184.215.14', 'nonsense'])).toBe('address')
    expect(reasonOf('https://93.184.215.14/', ['127.0.0.1'])).toBe('address')
  })

  test('what it allows, the URL parser of the platform takes for the same host', () => {
    const piece = fc.constantFrom(
      'http://',
      'https://',
      'a.co',
      'localhost',
      '127.0.0.1',
      '[::1]',
      '@',
      ':80',
      '/',
      '\\',
      '.',
      '%2e',
      '0x7f',
      '#',
      '?',
      '\uff0e',
      '\u3002',
      ' ',
      '\t',
      '1',
      'x-',
      '::',
      '443',
    )
    const property = fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join('')
      if (judgeUrl(text, ['93.184.215.14']).verdict !== 'allow') return
      const url = new URL(text)
      const written = /^https?:\/\/(\[[^\]]*\]|[^:/?#]*)/.exec(text)?.[1]
      expect(url.hostname).toBe(written)
      expect(judgeUrl(url.href, ['93.184.215.14']).verdict).toBe('allow')
    })
    fc.assert(property, { numRuns: 2000 })
  })
})

describe('addresses', () => {
  test.each(
    listed(`
      0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
      127.255.255.254 168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8
      192.0.0.170 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1
      192.175.48.1 198.18.0.1 198.19.9.9 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
      240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:93.184.215.14 ::ffff:7f00:1
      ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b:1::1 100::1 100:0:0:1::1
      2001::1 2001:1ff::1 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe:: 3fff::1 2620:4f:8000::1
      4000::1 5f00::1 e000::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1
    `),
  )('%s is not public', (text) => {
    const address = ipAddressOf(text)
    expect(address).not.toBeNull()
    expect(address !== null && isPublicAddress(address)).toBe(false)
    const host = text.includes(':') ? `[${text}]` : text
    expect(reasonOf(`http://${host}/`)).toBe('address')
    expect(reasonOf('http://a.example.com/', [text])).toBe('address')
  })

  test.each(
    listed(`
      1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
      169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
      198.17.255.255 198.20.0.0 223.255.255.255 2000::1 2001:200::1 2003::1 2606:4700::1111
      3ffe::1 3fff:1000::1
    `),
  )('%s is', (text) => {
    const address = ipAddressOf(text)
    expect(address !== null && isPublicAddress(address)).toBe(true)
  })

  test.each(
    listed(`
      1.2.3 1.2.3.4.5 01.2.3.4 1.2.3.256 0x1.2.3.4 +1.2.3.4 1.2.3.-4 : ::: 1::2::3
      1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 12345:: 1:2:3:4:5:6:7::8 g:: ::1%eth0 ::1.2.3 1.2.3.4::
      ::1.2.3.4:5
    `),
  )('%j is not one', (text) => {
    expect(ipAddressOf(text)).toBeNull()
  })

  test.each(['', ' ', '1.2.3.4 ', ' ::1', '1.2.3.4\n'])('%j is not one either', (text) => {
    expect(ipAddressOf(text)).toBeNull()
  })

  test('all spellings of one are one', () => {
    const expected = ipAddressOf('2001:db8::1')
    for (const text of ['2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '2001:db8::0.0.0.1']) {
      expect(ipAddressOf(text)).toEqual(expected)
    }
  })
})

describe('hosts of the operator', () => {
  const own = [
    'db.internal',
    'backend:8080',
    'FD00::1',
    'cache:443',
    '127.0.0.1:9000',
    '[::1]:9000',
    '169.254.7.7',
  ]

  test.each([
    ['http://db.internal/', ['10.0.0.5']],
    ['http://db.internal:80/', ['10.0.0.5', 'fd00::5']],
    ['http://db.internal:5432/', ['10.0.0.5']],
    ['https://cache/', ['10.0.0.5']],
    ['http://backend:8080/x', ['172.16.3.4']],
    ['http://BACKEND:8080/x', ['93.184.215.14']],
    ['http://127.0.0.1:9000/', undefined],
    ['http://[::1]:9000/', undefined],
    ['http://169.254.7.7/', undefined],
    ['http://[fd00::1]:7000/', undefined],
  ])('%s at %j is allowed where it is listed', (text, addresses) => {
    expect(judgeUrl(text, addresses, own)).toEqual({ verdict: 'allow', reason: 'public' })
    expect(judgeUrl(text, addresses).verdict).toBe('block')
  })

  test.each([
    ['http://db.internal:0/', ['10.0.0.5'], 'port'],
    ['http://db.internal:65536/', ['10.0.0.5'], 'port'],
    ['http://cache/', ['10.0.0.5'], 'host'],
    ['https://backend/', ['10.0.0.5'], 'host'],
    ['http://backend:8081/', ['10.0.0.5'], 'port'],
    ['http://x.db.internal/', ['10.0.0.5'], 'special_name'],
    ['http://127.0.0.1/', undefined, 'address'],
    ['http://a.example.com/', ['127.0.0.1'], 'address'],
    ['http://a.example.com/', ['169.254.7.7'], 'address'],
    ['http://user@db.internal/', ['10.0.0.5'], 'userinfo'],
  ])('%s at %j is blocked as %s: another host or port is not listed', (text, addresses, reason) => {
    expect(judgeUrl(text, addresses, own)).toEqual({ verdict: 'block', reason })
  })

  test.each(
    listed(`
      169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 0.0.0.0 fe80::1 fd00:ec2::254
      224.0.0.1 ::ffff:127.0.0.1 198.51.100.1
    `),
  )('a listed name that leads to %s is blocked, unless that is listed too', (address) => {
    const url = 'http://db.internal/'
    expect(reasonOf(url, [address], own)).toBe('address')
    expect(judgeUrl(url, [address], [...own, address]).verdict).toBe('allow')
    const parsed = ipAddressOf(address)
    expect(parsed !== null && isOwnAddress(parsed)).toBe(false)
  })
})
