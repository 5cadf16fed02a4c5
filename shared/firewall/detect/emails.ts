// E-mail addresses, also with white space round the `@` or once in the host. A package with its
// version, a picture with its scale, a user of a repository are written alike and are none. Linear:
// each begins where no other can have begun before it.
import { spansOf } from './digits.ts'
import type { Finding } from './span.ts'

// Beyond ASCII all but white space, general punctuation and pictures counts as a letter.
const letters = [
  'A-Za-z0-9\\u00aa\\u00b5\\u00ba\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\ud7ff\\uf900-\\ufdff',
  '\\ufe70-\\ufeff\\uff10-\\uffef',
].join('')
/** As in `O'Neil`: one letter alone before it also marks a text of a program. */
const apostrophe = `(?:(?<![${letters}_.+'-])[DdLlOo]'(?=[A-Za-z]))?`
const local = `${apostrophe}(?<![${letters}_.+-])[${letters}_.+-]+`
const label = `[${letters}-]+`

const plain = new RegExp(`${local}@${label}\\.[${letters}.-]+`, 'g')
const quoted = new RegExp(`(?<![\\w\\\\])"[^"\\n\\\\@]{1,64}"@${label}\\.[${letters}.-]+`, 'g')
/** At an address of a machine. */
const literal = new RegExp(`${local}@\\[(?:IPv6:)?[0-9A-Fa-f:.]{3,45}\\]`, 'g')
// With white space in it only a well-known end of a host shows what it is.
const ends = [
  'com|org|net|edu|gov|mil|int|info|biz|io|co|dev|app|ai|me|eu|de|uk|fr|it|es|nl|ch|at|be|se|no|dk',
  'fi|pl|cz|ru|ua|cn|jp|kr|in|br|ca|us|au|nz|ie|pt|gr|hu|ro|tr|mx|ar|cl|za|sg|hk|tw|example|test',
].join('|')
const knownEnd = `(?:\\.${label}){0,32}?\\.(?:${ends})(?![${letters}-])(?!\\.[${letters}])`
const spread = new RegExp(`${local}\\s{0,2}@\\s{1,2}${label}${knownEnd}`, 'gi')
const broken = new RegExp(`${local}@${label}(?:-\\r?\\n|\\s)${label}${knownEnd}`, 'gi')

export function emailsIn(text: string): readonly Finding[] {
  if (!text.includes('@')) return []
  return [plain, quoted, literal, spread, broken]
    .flatMap((form) => spansOf(text, form, 'email'))
    .map((span) => withoutWords(text, { ...span, end: endOf(text, span) }))
    .filter((span) => isAddress(text, span))
    .toSorted((one, other) => one.start - other.start)
}

/** Without the points and hyphens that end a sentence. */
function endOf(text: string, { start, end }: Finding): number {
  let last = end
  while (last > start && '.-'.includes(text.charAt(last - 1))) last -= 1
  return last
}

const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]+'
const wordsBefore = new RegExp(`^${unspaced}(?=[!-~]+@)`, 'u')
const wordsBehind = new RegExp(`(?<=@[!-~]{1,253}\\.[A-Za-z]{2,24})${unspaced}.*$`, 'su')

/** Without words of a script that has no spaces between them: `是ann@example.com的`. */
function withoutWords(text: string, { start, end, kind }: Finding): Finding {
  const written = text.slice(start, end)
  const before = wordsBefore.exec(written)?.[0].length ?? 0
  const behind = wordsBehind.exec(written)?.[0].length ?? 0
  return { start: start + before, end: end - behind, kind }
}

const version = /^[v^~=]?[0-9]+\.(?:[0-9]|[xX*](?![a-z]))|^[vV][0-9]+\.|^[Xx]\.[Yy]/
const scale = /^[0-9]+(?:\.[0-9]+)?x[^@]*\.[a-z]{2,5}$/i
/** What ends the names of files and of units of a system, and no host. */
const files = [
  'png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|js|mjs|cjs|jsx|ts|mts|cts|tsx|css|scss|less|html?',
  'json5?|ya?ml|xml|txt|csv|tsv|pdf|tgz|tar|gz|bz2|xz|map|wasm|lock|toml|exe|dll|jar|whl|gem|deb',
  'rpm|apk|dmg|class|service|socket|timer|target|mount|slice|scope|path|swap|conf|cfg|ini|log',
  'patch',
].join('|')
const file = new RegExp(`\\.(?:${files})$`, 'i')
const end = /\.(?:\p{L}\p{M}*){2,}$|\.xn--[a-z0-9-]+$/iu
/** Names that stand before an `@` for something else than a person. */
const noPerson = /^(?:git|hg|svn|this|super|return|break|continue|self)$/i

function isAddress(text: string, { start, end: last }: Finding): boolean {
  const [user = '', host = ''] = text.slice(start, last).split(/\s*@\s*/)
  if (noPerson.test(user) || version.test(host) || scale.test(host)) return false
  // A user of a machine: `ssh://ann@host.test`.
  if (text.startsWith('://', start - 3)) return false
  // A call or a member of what a program has.
  if (text.charAt(last) === '(') return false
  if (host.startsWith('[')) return true
  const plainHost = host.replaceAll(/-?\s+/g, '')
  return end.test(plainHost) && !file.test(plainHost)
}
