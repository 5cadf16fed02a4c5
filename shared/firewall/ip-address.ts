// Which addresses a call may go to. Only what is surely public passes: of IPv6 what is allotted,
// of IPv4 all but what is set aside. Read strictly: what two readers could take for two addresses
// is not one.

export interface IpAddress {
  readonly family: 4 | 6
  readonly value: bigint
}

interface Range extends IpAddress {
  readonly bits: number
}

const wide = { 4: 32n, 6: 128n } as const
const octet = /^(?:0|[1-9][0-9]{0,2})$/
const group = /^[0-9a-f]{1,4}$/i

/** Null for everything but four decimal numbers, or what RFC 4291 writes without a zone. */
export function ipAddressOf(text: string): IpAddress | null {
  const value = text.includes(':') ? valueOf6(text) : valueOf4(text)
  return value === null ? null : { family: text.includes(':') ? 6 : 4, value }
}

function valueOf4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0n
  for (const part of parts) {
    if (!octet.test(part) || Number(part) > 255) return null
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function valueOf6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const before = groupsOf(head ?? [], tail === undefined)
  const after = groupsOf(tail ?? [], true)
  if (before === null || after === null) return null
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const zeros = Array.from({ length: missing }, () => 0)
  return [...before, ...zeros, ...after].reduce((value, each) => (value << 16n) | BigInt(each), 0n)
}

/** The last two may be written as an IPv4 address. */
function groupsOf(parts: readonly string[], endsAddress: boolean): readonly number[] | null {
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    const embedded = endsAddress && index === parts.length - 1 ? valueOf4(part) : null
    if (embedded !== null) groups.push(Number(embedded >> 16n), Number(embedded & 0xffffn))
    else if (group.test(part)) groups.push(Number.parseInt(part, 16))
    else return null
  }
  return groups
}

function rangesOf(texts: readonly string[]): readonly Range[] {
  return texts.flatMap((text) => {
    const [base = '', bits = ''] = text.split('/')
    const address = ipAddressOf(base)
    return address === null ? [] : [{ ...address, bits: Number(bits) }]
  })
}

function isIn({ family, value }: IpAddress, ranges: readonly Range[]): boolean {
  return ranges.some((range) => {
    const rest = wide[range.family] - BigInt(range.bits)
    return range.family === family && range.value >> rest === value >> rest
  })
}

/** IPv4 that is set aside, and the address at which Azure answers its machines. */
const denied4 = rangesOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
])

/** All of IPv6 that is allotted to the public Internet, and what is set aside in it. */
const allowed6 = rangesOf(['2000::/3'])
const denied6 = rangesOf([
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

/** What an operator may run backends on. */
const private46 = rangesOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
])

/** In those: where clouds answer their machines, with credentials. */
const metadata = rangesOf(['100.100.100.200/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'])

export function isPublicAddress(address: IpAddress): boolean {
  if (address.family === 4) return !isIn(address, denied4)
  return isIn(address, allowed6) && !isIn(address, denied6)
}

/** Private, and not where a cloud answers its machines. */
export function isOwnAddress(address: IpAddress): boolean {
  return isIn(address, private46) && !isIn(address, metadata)
}
