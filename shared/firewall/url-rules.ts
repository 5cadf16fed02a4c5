// Whether a request may go to a URL: strict rules on its text, then on the addresses of its host.
// It must never allow what two readers of URLs could take for two hosts.
import { ipAddressOf, isOwnAddress, isPublicAddress, type IpAddress } from './ip-address.ts'

export type UrlReason =
  | 'scheme'
  | 'syntax'
  | 'userinfo'
  | 'port'
  | 'host'
  | 'special_name'
  | 'address'
  | 'no_address'
  | 'public'
  | 'unresolved'

/** `resolve`: the text passes, and the addresses of the host are to be judged. */
export interface UrlVerdict {
  readonly verdict: 'allow' | 'block' | 'resolve'
  readonly reason: UrlReason
}

const urlLengthMax = 2048
const hostLengthMax = 253
/** Controls, spaces of all kinds, and what readers take for a slash or for the end. */
const unfit = /[\p{Cc}\p{Cs}\p{Z}\p{Cf}\\]/u
const parts = /^(?<scheme>[a-z][a-z0-9+.-]*):(?:\/\/(?<authority>[^/?#]*))?/i
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ascii = /^[\x21-\x7e]*$/
const splits = /^(?<host>\[[^\]]*\]|[^:[\]]*)(?::(?<port>.*))?$/
/** What readers of URLs take for a number, and so for an IPv4 address. */
const numeric = /^(?:[0-9]+|0x[0-9a-f]*)$/
const ports: ReadonlySet<string> = new Set(['80', '443'])

/** Names that no public server has. */
const specialSuffixes: readonly string[] = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'localdomain',
  'home.arpa',
  'onion',
  'invalid',
  'alt',
  'svc',
  'arpa',
]

const blocked = (reason: UrlReason): UrlVerdict => ({ verdict: 'block', reason })

/**
 * Judges the text and, where given, all addresses of its host. `privateHosts` are the operator's
 * own hosts, as `host` for all its ports or as `host:port`: they may have any name, and private
 * addresses. An address that is neither public nor private in this sense, such as a link-local one
 * or that of a cloud's metadata, must be listed itself.
 */
export function judgeUrl(
  text: string,
  addresses?: readonly string[],
  privateHosts: readonly string[] = [],
): UrlVerdict {
  const groups = parts.exec(text)?.groups
  if (groups === undefined) return blocked(unfit.test(text) ? 'syntax' : 'scheme')
  if (!/^https?$/i.test(groups['scheme'] ?? '')) return blocked('scheme')
  if (text.length > urlLengthMax || unfit.test(text)) return blocked('syntax')
  const { authority } = groups
  if (authority === undefined) return blocked('syntax')
  if (authority.includes('@')) return blocked('userinfo')
  // Some letters beyond ASCII become others of ASCII in lower case.
  if (!ascii.test(authority)) return blocked('host')
  const own = hostEntries(privateHosts)
  const defaultPort = groups['scheme']?.length === 4 ? '80' : '443'
  return judgeAuthority(authority.toLowerCase(), { addresses, own, defaultPort })
}

/** The operator's hosts in one spelling: IPv6 addresses stand in brackets, as they do in a URL. */
export function hostEntries(privateHosts: readonly string[]): readonly string[] {
  return privateHosts.map((each) => {
    return ipAddressOf(each)?.family === 6 ? `[${each.toLowerCase()}]` : each.toLowerCase()
  })
}

interface Judging {
  readonly addresses: readonly string[] | undefined
  readonly own: readonly string[]
  readonly defaultPort: string
}

function judgeAuthority(authority: string, judging: Judging): UrlVerdict {
  const { addresses, own } = judging
  const groups = splits.exec(authority)?.groups
  const host = groups?.['host'] ?? ''
  const port = groups?.['port'] ?? null
  const isListed = listed(host, port, judging)
  if (groups === undefined) return blocked('host')
  if (port !== null && !(isListed ? isPort(port) : ports.has(port))) return blocked('port')
  const flaw = flawOfHost(host, isListed)
  if (flaw !== null) return blocked(flaw)
  const literal = host.startsWith('[') ? host.slice(1, -1) : host
  const isLiteral = ipAddressOf(literal) !== null
  if (isLiteral && !isReachable(literal, isListed, own)) return blocked('address')
  if (addresses === undefined && !isLiteral) return { verdict: 'resolve', reason: 'unresolved' }
  if (addresses?.length === 0) return blocked('no_address')
  const passes = (addresses ?? []).every((each) => isReachable(each, isListed, own))
  return passes ? { verdict: 'allow', reason: 'public' } : blocked('address')
}

function listed(host: string, port: string | null, { own, defaultPort }: Judging): boolean {
  return own.includes(host) || own.includes(`${host}:${port ?? defaultPort}`)
}

function isPort(digits: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(digits) && Number(digits) <= 65_535
}

function flawOfHost(host: string, isListed: boolean): UrlReason | null {
  if (host.startsWith('[')) {
    const inside = host.endsWith(']') ? ipAddressOf(host.slice(1, -1)) : null
    return inside?.family === 6 ? null : 'host'
  }
  if (ipAddressOf(host)?.family === 4) return null
  const labels = host.split('.')
  if (host.length > hostLengthMax || !labels.every((each) => label.test(each))) return 'host'
  if (numeric.test(labels.at(-1) ?? '')) return 'host'
  if (isListed) return null
  if (specialSuffixes.some((each) => host === each || host.endsWith(`.${each}`))) {
    return 'special_name'
  }
  return labels.length === 1 ? 'host' : null
}

function isReachable(text: string, isListed: boolean, own: readonly string[]): boolean {
  const address = ipAddressOf(text)
  if (address === null) return false
  if (isPublicAddress(address)) return true
  if (!isListed) return false
  return isOwnAddress(address) || own.some((each) => isSame(each, address))
}

/** Whether an entry is that address itself, with a port or without. */
function isSame(entry: string, { family, value }: IpAddress): boolean {
  const bare = family === 6 ? /^\[(.*)\](?::[0-9]+)?$/.exec(entry)?.[1] : entry.split(':', 1)[0]
  const own = ipAddressOf(bare ?? '') ?? ipAddressOf(entry)
  return own?.family === family && own.value === value
}
