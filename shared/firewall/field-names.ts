// The names of fields whose values are sensitive whatever they are.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'

/** Compared without case, `_`, `-` and spaces. */
const sensitiveNames: ReadonlySet<string> = new Set([
  'accesskey',
  'accesskeyid',
  'accesstoken',
  'apikey',
  'apisecret',
  'apitoken',
  'authorization',
  'authtoken',
  'bearer',
  'bearertoken',
  'cardnumber',
  'clientsecret',
  'cookie',
  'creditcard',
  'creditcardnumber',
  'cvc',
  'cvv',
  'email',
  'emailaddress',
  'encryptionkey',
  'idtoken',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'phone',
  'phonenumber',
  'privatekey',
  'proxyauthorization',
  'pw',
  'pwd',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'secretkey',
  'sessiontoken',
  'setcookie',
  'signingkey',
  'socialsecuritynumber',
  'sshkey',
  'ssn',
  'token',
  'xapikey',
])

/** No credentials: they stay where secrets alone are taken out. */
const ofPersons: ReadonlySet<string> = new Set([
  'cardnumber',
  'creditcard',
  'creditcardnumber',
  'cvc',
  'cvv',
  'email',
  'emailaddress',
  'phone',
  'phonenumber',
  'socialsecuritynumber',
  'ssn',
])

const revealedBy: ReadonlyMap<string, ValueKind> = new Map([
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['phone', 'account'],
  ['phonenumber', 'account'],
])

/**
 * Whether the value of such a field is replaced whole, whatever it is: unless its kind is revealed.
 */
export function isSensitiveField(
  name: string,
  reveal: readonly ValueKind[],
  redaction: Redaction = 'all',
): boolean {
  if (name.length > 64 || redaction === 'none') return false
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase()
  if (!sensitiveNames.has(plain)) return false
  if (redaction === 'secrets' && ofPersons.has(plain)) return false
  const kind = revealedBy.get(plain)
  return kind === undefined || !reveal.includes(kind)
}

const numbered = new RegExp(
  [
    'phone|mobile|cell|fax|tel|whatsapp|hotline|landline|contact|card|visa|amex|ccn?\\b|pan\\b',
    'cv[vc]2?|csc|security|code|pin\\b|otp|ssn|social',
  ].join('|'),
)

/** As a text writes the name before its digits; null of names that say nothing of digits. */
export function labelOf(name: string): string | null {
  if (name.length > 64) return null
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[_-]+/g, ' ').toLowerCase()
  return numbered.test(words) ? words : null
}
