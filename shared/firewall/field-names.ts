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
  'passphrase',
  'passwd',
  'password',
  'phone',
  'phonenumber',
  'privatekey',
  'proxyauthorization',
  'pwd',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'secretkey',
  'sessiontoken',
  'setcookie',
  'signingkey',
  'socialsecuritynumber',
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
