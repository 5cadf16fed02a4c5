// What looks like a number or a token but is not: identifiers, digests, dates, addresses of
// machines and public keys. Detectors of numbers and of entropy do not look there; what stands
// behind a key word is found all the same.
import { spansOf } from './digits.ts'
import { eachMatch } from './matches.ts'
import { united, type TextRange } from './span.ts'

const date = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const time = '[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?'

const keptForms: readonly RegExp[] = [
  // UUID.
  /(?<![0-9A-Za-z])[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}(?![0-9A-Za-z])/gi,
  // ULID.
  /(?<![0-9A-Za-z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])/gi,
  // Digests, as digits of hexadecimal or named and in base64.
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}){4,16}(?![0-9A-Za-z])/gi,
  /(?<![0-9A-Za-z])(?:sha(?:1|224|256|384|512)|md5)[-:=][A-Za-z0-9+/_-]{20,90}={0,2}/gi,
  /(?<![0-9A-Za-z])h1:[A-Za-z0-9+/]{43}=/g,
  // Contents by their address, advisories, and what a service has encrypted for itself.
  /(?<![0-9A-Za-z])(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56})(?![0-9A-Za-z])/g,
  /(?<![0-9A-Za-z])(?:GHSA(?:-[0-9a-z]{4}){3}|CVE-[0-9]{4}-[0-9]{4,7})(?![0-9A-Za-z])/g,
  /(?<![0-9A-Za-z])secure:\s{0,4}["']?[A-Za-z0-9+/]{40,4096}={0,2}/g,
  // What a server calls the state of an answer.
  /(?<=")[0-9a-f]{1,8}-[A-Za-z0-9+/]{27}(?=")/g,
  // Book numbers.
  /(?<![0-9A-Za-z-])(?:97[89][- ]?)(?:[0-9][- ]?){9}[0-9](?![0-9A-Za-z-])/g,
  // Dates and times.
  new RegExp(`(?<![0-9])${date}(?:[T ]${time}(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?(?![0-9])`, 'g'),
  // IPv4.
  /(?<![0-9.])[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?![0-9])(?!\.[0-9])/g,
  // Names of machines that a client knows, hashed.
  /\|1\|[A-Za-z0-9+/]{27}=\|[A-Za-z0-9+/]{27}=/g,
  // Identifiers of things of Stripe, OpenAI and Anthropic, which are no credentials.
  new RegExp(
    [
      '(?<![0-9A-Za-z])(?:cus|ch|pi|pm|in|ii|sub|si|prod|price|acct|evt|card|ba|re|po|txn|cs_test',
      '|cs_live|ft|ftjob|ftevent|ftckpt|cp|asst|thread|run|msg|file|chatcmpl|cmpl|resp|call|step',
      '|vs|batch|org|proj|user|toolu|req)[-_][A-Za-z0-9]{14,64}(?![0-9A-Za-z_-])',
    ].join(''),
    'g',
  ),
  // Names of resources, and of functions as compilers write them.
  /(?<![0-9A-Za-z])arn:[a-z-]{3,16}:[^\s"'`<>\\]{1,512}/g,
  /(?<![0-9A-Za-z])_{1,3}Z[A-Za-z]{0,4}[0-9][0-9A-Za-z_]{1,512}/g,
  // Public keys.
  /(?<![0-9A-Za-z])[ACNOUX][A-Z2-7]{55}(?![0-9A-Za-z])/g,
  /MII(?:BIjANBgkqhkiG9w0BAQ|CIjANBgkqhkiG9w0BAQ)[A-Za-z0-9+/]{80,2000}={0,2}/g,
  /M(?:FkwEwYHKoZIzj0CAQ|HYwEAYHKoZIzj0CAQ|CowBQYDK2V)[A-Za-z0-9+/]{40,200}={0,2}/g,
  /(?<![0-9A-Za-z])ed25519:[A-Za-z0-9_-]{43}/g,
  /(?<![0-9A-Za-z])(?:ssh-[a-z0-9]{3,8}|ecdsa-[a-z0-9-]{4,20}) [A-Za-z0-9+/]{20,2000}={0,2}/g,
]

/** Detectors of entropy alone do not look there: bytes of files, and where something is found. */
const opaqueForms: readonly RegExp[] = [
  /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,16}:\/\/[^\s"'`<>()\\]+/gi,
  /data:[a-z0-9.+/-]{0,64}(?:;[a-z0-9=-]{1,32}){0,4};base64,[A-Za-z0-9+/=%\s]+/gi,
  // A file in base64, over lines.
  new RegExp(
    [
      String.raw`(?<![A-Za-z0-9+/=])(?:[ \t]{0,16}["'\x60]?[ ]?[A-Za-z0-9+/]{56,76}["'\x60]?`,
      String.raw`[ \t]?[+,;\\]{0,2}\r?\n){2,100000}`,
      String.raw`[ \t]{0,16}["'\x60]?[ ]?[A-Za-z0-9+/]{1,76}={0,2}`,
    ].join(''),
    'g',
  ),
  /(?<![A-Za-z0-9+/])AAAA(?:[BC]3NzaC1|E2VjZHNh)[A-Za-z0-9+/]{20,2000}={0,2}/g,
  // A certificate: the version of its form stands near its beginning.
  new RegExp(
    [
      String.raw`(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{5,13}(?:gAwIBAgI|AwIBAgI|oAMCAQIC|KADAgECAg)[`,
      String.raw`A-Za-z0-9+/]*={0,2}`,
    ].join(''),
    'g',
  ),
]

/** Where a run of letters and digits is no token, whatever its entropy. In order and apart. */
export function opaqueKeptIn(text: string): readonly TextRange[] {
  return united(opaqueForms.flatMap((form) => spansOf(text, form, 'opaque')))
}

const publicBlock = new RegExp(
  [
    '-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}(?:PUBLIC KEY(?: BLOCK)?|CERTIFICATE|REQUEST|SIGNATURE',
    '|MESSAGE|PARAMETERS|CRL|CMS|PKCS7)-----',
  ].join(''),
  'g',
)

/** In order and apart. */
export function keptRanges(text: string): readonly TextRange[] {
  const found: TextRange[] = []
  for (const form of keptForms) {
    eachMatch(text, form, ({ 0: match, index }) => {
      found.push({ start: index, end: index + match.length })
    })
  }
  const blocks = text.includes('-----BEGIN') ? publicBlocks(text) : []
  return united([found, blocks].flat())
}

function publicBlocks(text: string): readonly TextRange[] {
  const found: TextRange[] = []
  let end = 0
  eachMatch(text, publicBlock, ({ index }) => {
    if (index < end) return
    const footer = text.indexOf('-----END', index)
    if (footer !== -1) found.push({ start: index, end: footer })
    // None that begins later has an end either.
    end = footer === -1 ? text.length : footer
  })
  return found
}
