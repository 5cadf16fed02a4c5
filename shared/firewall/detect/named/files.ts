// What files of credentials hold: hashes of passwords, lines of fields, and blocks of a private key
// that have no header of their own. Linear.
import { bytesOfBase64, textOfUtf8 } from '#platform/bytes'
import { spansOf } from '../digits.ts'
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'

const sign = '[./A-Za-z0-9]'
const salt = `[^\\s$:"'\`]{1,32}`
/** As `crypt` and its successors write them, and as directories do. */
const hashes = new RegExp(
  [
    `\\$2[abxy]?\\$[0-9]{2}\\$${sign}{53}`,
    `\\$(?:1|apr1|md5|sha1)\\$${salt}\\$${sign}{16,64}`,
    `\\$[56]\\$(?:rounds=[0-9]{1,9}\\$)?${salt}\\$${sign}{8,86}`,
    `\\$(?:y|gy|7)\\$${sign}{1,16}\\$${sign}{1,86}\\$${sign}{8,86}`,
    `\\$[PH]\\$${sign}{31}`,
    `\\$(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-[a-z0-9]{1,8})?)\\$[A-Za-z0-9=,$./+-]{20,256}`,
    [
      `\\{(?:SSHA|SHA|SMD5|MD5|CRYPT|PBKDF2)(?:[0-9]{0,3})?(?:[-.][A-Z0-9]{1,12})?\\}[A`,
      `-Za-z0-9+/$.]{12,256}={0,2}`,
    ].join(''),
    `pbkdf2_sha(?:1|256|512)\\$[0-9]{1,9}\\$[A-Za-z0-9]{1,64}\\$[A-Za-z0-9+/]{20,128}={0,2}`,
  ].join('|'),
  'g',
)

const privateLines = /(?<=Private-Lines: [0-9]{1,4}\r?\n)(?:[A-Za-z0-9+/=]{1,76}\r?\n?){1,400}/g

/** Each line's secret is its group. */
const lines: readonly RegExp[] = [
  // PostgreSQL: host, port, database, user, password.
  new RegExp(
    [
      String.raw`^[+-]?(?:[A-Za-z0-9][\w.-]{0,252}|\*):(?:[1-9][0-9]{3,4}|\*):`,
      String.raw`(?:[A-Za-z_][\w-]{0,62}|\*):(?:[A-Za-z_][\w.-]{0,62}|\*):`,
      String.raw`(?<value>[^\s:][^\s]{0,255})$`,
    ].join(''),
    'dgm',
  ),
  // The hashes of a system's users, whatever made them.
  new RegExp(
    [
      String.raw`^[+-]?[a-z_][\w.-]{0,31}\$?:(?<value>!?[^\s:!*][^\s:]{7,512})`,
      String.raw`(?=:[0-9]{0,6}(?::[0-9]{0,6}){4,6}$)`,
    ].join(''),
    'dgm',
  ),
  // netrc, on one line or several.
  /\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?<value>\S{1,256})/dg,
  /\bmachine\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?<value>\S{1,256})/dg,
  // Settings that have no sign between name and value.
  new RegExp(
    [
      String.raw`^[ \t]{0,8}(?:set[ \t]{1,4})?(?:password|passwd|pass|passphrase)[ \t]{1,8}`,
      String.raw`(?<quote>["'])(?<value>(?:(?!\k<quote>)[^\n]){1,256})\k<quote>[ \t]*;?$`,
    ].join(''),
    'dgm',
  ),
  new RegExp(
    [
      String.raw`^[ \t]{0,8}(?:enable[ \t]{1,4}|username \S{1,64} )?(?:password|secret)[ \t]{1,4}`,
      String.raw`[0-9][ \t]{1,4}(?<value>\S{4,256})[ \t]*$`,
    ].join(''),
    'dgm',
  ),
  // SQL.
  new RegExp(
    [
      String.raw`\bidentified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?by\s{1,4}(?:password\s{1,4})?`,
      String.raw`(?<quote>['"])(?<value>[^'"\n]{1,256})\k<quote>`,
    ].join(''),
    'dgi',
  ),
  /\b(?:with|encrypted|login)\s{1,4}password\s{1,4}'(?<value>[^'\n]{1,256})'/dgi,
  /\bpassword\('(?<value>[^'\n]{1,256})'\)/dgi,
  // Settings of servers and networks: a name, and what it is given behind a blank or `=`.
  new RegExp(
    [
      String.raw`^[ \t]{0,8}(?:SetEnv|ENV|setx)[ \t]{1,8}\w{0,40}(?:PASS|PASSWORD|SECRET|TOKEN)`,
      String.raw`[ \t]{1,8}["']?(?<value>[^\s"'$<{%][^\s"']{3,255})`,
    ].join(''),
    'dgm',
  ),
  /^[ \t]{0,8}(?:requirepass|masterauth)[ \t]{1,8}["']?(?<value>[^\s"'$<{%][^\s"']{3,255})/dgm,
  /(?<![\w-])(?:wpa_)?psk=["']?(?<value>[^\s"'$<{%][^\s"']{7,255})/dg,
  /\bjdbc:oracle:\w{1,8}:[^\s/@"']{1,64}\/(?<value>[^\s@"'$<{%][^\s@"']{0,127})@/dgi,
  /\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'](?<value>[^"'$\n]{1,256})["']/dgi,
  // What is piped into a program that asks for it.
  new RegExp(
    [
      String.raw`\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?`,
      String.raw`(?<value>[^\s"'$<|][^"'\n|]{2,127}?)["']?[ \t]{0,4}\|[ \t]{0,4}`,
      String.raw`(?:sudo[ \t][^\n|]{0,40}?-S\b|[^\n|]{0,120}?--password-stdin`,
      String.raw`|[^\n|]{0,40}?\bchpasswd\b)`,
    ].join(''),
    'dg',
  ),
  // What is given to a login with an address.
  new RegExp(
    [
      String.raw`\blogin\(\s{0,4}["'][^"'\n]{1,128}@[^"'\n]{1,128}["'],\s{0,4}["'](?<value>[^"'\n`,
      String.raw`]{4,256})["']`,
    ].join(''),
    'dgi',
  ),
]

/** A name and password together in base64, as registries keep them. */
const pairInBase64 =
  /["']?_?auths?["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[A-Za-z0-9+/]{8,4096}={0,2})/dgi

export function credentialsIn(text: string): readonly Finding[] {
  const hasHash = text.includes('$') || text.includes('}')
  return [
    ...(hasHash ? spansOf(text, hashes, 'secret') : []),
    ...(text.includes('Private-Lines') ? spansOf(text, privateLines, 'secret') : []),
    ...lines.flatMap((line) => valuesIn(text, line)),
    ...(/auth/i.test(text) ? valuesIn(text, pairInBase64).filter((one) => isPair(text, one)) : []),
  ]
}

function valuesIn(text: string, form: RegExp): readonly Finding[] {
  return matchesIn(text, form).map(({ indices }) => {
    const [start, end] = indices?.groups?.['value'] ?? [0, 0]
    return { start, end, kind: 'secret' }
  })
}

function isPair(text: string, { start, end }: Finding): boolean {
  return /^[ -~]{0,256}:[ -~]*$/.test(textOfUtf8(bytesOfBase64(text.slice(start, end))))
}
