// Which names say that what is given to them is secret: by their last word, whatever stands before
// it, and in the languages that people name things in.

/** What is known from the name: how much a value must look like a secret to be taken for one. */
export type SecretName = 'cookie' | 'header' | 'key' | 'pass' | 'short'

const passWords = [
  'password|passwd|pass[ _-]?phrase|passcode|pwd|passwort|kennwort|contrase(?:ñ|n\u0303|n)a|senha',
  'wachtwoord|has[łl]o|heslo|l[öo]senord|passord|adgangskode|salasana|jelsz[óo]|parol[aă]?',
  '[sş]ifre|mot[ _-]?de[ _-]?passe|palavra[ _-]passe|пароль|密码|密碼|口令|パスワード|暗証番号',
  '비밀번호|암호|σύνθημα|סיסמה|पासवर्ड|mật[ _-]khẩu|kata[ _-]sandi|كلمة (?:المرور|السر)',
].join('|')

/** Of a text: where such a word ends, what is given to it may stand. Without regard to case. */
export const passWord = `(?:${passWords})`
/** A word of other meanings, too: what is given to it has to look like a secret. With case. */
export const shortPassWord = '(?:(?<![A-Za-z])[Pp]ass|(?<=[a-z0-9])Pass|(?<![A-Za-z])PASS)'

const keyOf = [
  'api|access|secret|private|auth|session|signing|encryption|client[ _-]?secret|master|app',
  'account|sas|service[ _-]?account|subscription|(?:open|azure[ _-]open)ai|anthropic|stripe',
].join('|')
const keyed = `(?:(?:${keyOf})[ _-]?(?:key|token|secret)(?:[ _-]?base)?|access[ _-]?key[ _-]?id)`
// A list that goes on over pages is no secret, nor is what keeps requests apart.
const pages = [
  '(?:next|page|prev|previous|continuation|pagination|sync|resume|skip|start|starting|marker',
  '|input|output|cancel|cancellation|idempotency|deduplication|request|lock|change',
  '|lifecycle[ _-]?action)',
].join('')
const token = `(?<!${pages}[ _-]?|jsonweb)token`

export const keyWord = `(?:${keyed}|apikey|${token}|secret|credentials?)`

const headers: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'xapikey',
  'xauthtoken',
])

const shortName = new RegExp(`${shortPassWord}$`)
const longPass = new RegExp(`(?:${passWords})$`, 'i')
const keyName = new RegExp(`(?:${keyed}|apikey|${token}|secret|credentials?)$`, 'i')
const nameLengthMax = 96

/** Null for all other names. */
export function secretNameOf(written: string): SecretName | null {
  if (written.length > nameLengthMax || written.includes('::')) return null
  const name = written
    .trim()
    .replace(/^-{1,2}/, '')
    .normalize('NFC')
  if (headers.has(name.replaceAll(/[\s_-]/g, '').toLowerCase())) return 'header'
  if (/^(?:set-?)?cookie$/i.test(name)) return 'cookie'
  if (longPass.test(name)) return 'pass'
  if (shortName.test(name)) return 'short'
  return keyName.test(name) || /^encrypted(?:[A-Z_-]|$)/.test(name) ? 'key' : null
}
