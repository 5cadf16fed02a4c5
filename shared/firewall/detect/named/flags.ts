// Secrets that command lines give to programs: behind options whose names state it, and behind the
// options of some programs that have one letter for it. Linear.
import { matchesIn } from '../matches.ts'
import type { Finding } from '../span.ts'
import { secretNameOf } from './secret-names.ts'
import { isPlaceholder, isQuotedSecret, isSampleWord, sample } from './values.ts'

const bare = `[^\\s"'\`|;&<>]{1,512}`
const inQuotes = `"[^"\\n]{1,512}"|'[^'\\n]{1,512}'`
const argument = `(?<value>${inQuotes}|${bare})`

/** The option's last word says what it takes; `--no-password` takes nothing. */
const long = new RegExp(
  `(?<![A-Za-z0-9_-])(?<option>--?(?!no-)[A-Za-z][\\w.-]{1,64})(?=(?:[ \\t]{1,8}|=)${argument})`,
  'dgi',
)

interface Program {
  readonly names: string
  /** What stands before the secret, the blank or `=` behind an option included. */
  readonly option: string
  readonly value?: string
}

const apart = '[ \\t]+'
const behindColon = `(?:[^\\s"'\`:|;&<>]{0,128}:)${argument}`

const programs: readonly Program[] = [
  // Glued alone: with a blank what follows is a database.
  {
    names: 'mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlcheck|mariadb(?:-\\w+)?|mycli',
    option: '-p',
  },
  { names: '7z|7za|7zr|rar|unrar', option: '-p' },
  { names: 'sshpass', option: `-p[ \\t]*` },
  {
    names: 'curl|http|https|xh',
    option: `(?:-[A-Za-z]{0,6}[uU]|-a|--user|--proxy-user|--auth)[ \\t=]*["']?`,
    value: behindColon,
  },
  { names: 'wget|aria2c', option: '--(?:http-|ftp-|proxy-)?(?:password|passwd)[ \\t=]+' },
  {
    names: '(?:docker|podman|helm|nerdctl|crane|skopeo|oc|az|cf)[ \\t][^\\n]{0,64}?login',
    option: `-p${apart}`,
  },
  { names: 'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport', option: `-p${apart}` },
  { names: 'redis-cli|redis-benchmark|keydb-cli|valkey-cli', option: `-a${apart}` },
  { names: 'sqlcmd|bcp|osql|isql|tsql', option: '-P[ \\t]*' },
  { names: 'zip|unzip|zipcloak', option: '-P[ \\t]*' },
  { names: 'ldap(?:search|add|modify|delete|passwd|whoami)', option: `-w${apart}` },
  {
    names: 'smbclient|rpcclient|smbget|net',
    option: `-U${apart}["']?`,
    value: `[^\\s"'%]{1,128}%${argument}`,
  },
  { names: 'clickhouse-client|influx|cqlsh|impala-shell', option: '-p[ \\t]+' },
  { names: 'twine|ncftp|ncftpget|ncftpput', option: `-p${apart}` },
  { names: 'lftp', option: `-u${apart}`, value: `[^\\s,]{1,64},${argument}` },
  { names: 'keytool|jarsigner', option: `-(?:src|dest|new)?(?:store|key)?pass${apart}` },
  { names: 'ssh-keygen', option: `-[NP]${apart}` },
  { names: 'useradd|usermod', option: `-p${apart}` },
  { names: 'gh[ \\t]+secret[ \\t]+set', option: '(?:--body|-b)[ \\t=]+' },
  { names: 'nmcli', option: `password${apart}` },
  {
    names: 'rabbitmqctl',
    option: `(?:add_user|change_password)${apart}\\S{1,64}${apart}`,
  },
  { names: 'npm|pnpm|yarn', option: `set${apart}\\S{0,128}_(?:authToken|auth|password)[ \\t=]+` },
  { names: 'openssl', option: `-(?:pass|passin|passout|k|K)${apart}(?:pass:)?` },
  {
    names: 'htpasswd',
    option: `-[A-Za-z]{0,6}b[A-Za-z]{0,6}${apart}\\S{1,128}${apart}\\S{1,64}${apart}`,
  },
  { names: 'ipmitool|xfreerdp|rdesktop', option: `(?:-P${apart}|/p:|-p${apart})` },
  { names: 'snmpwalk|snmpget', option: `-[AX]${apart}` },
  { names: 'plink|pscp|psftp|putty', option: `-pw${apart}` },
  { names: 'psexec(?:64)?|wmic|schtasks', option: `(?:[-/](?:p|rp)${apart}|/password:)` },
  {
    names: 'vault|cargo|snyk|wandb|ngrok',
    option: `(?:login|auth|authtoken|add-authtoken)${apart}(?:-\\S+${apart}){0,4}`,
    value: '(?=[\\w-]*[0-9.])(?<value>[A-Za-z][\\w.-]{5,256})(?![\\w.=/:-])',
  },
  // The share, a user before or behind it, and the password.
  {
    names: '(?:net|NET)(?:\\.exe)?[ \\t]+(?:use|USE)',
    option: `\\\\\\\\\\S+${apart}(?:/\\w+(?::\\S+)?${apart}){0,4}`,
    value: '(?![/*])(?<value>[^\\s"\'`|;&<>]{4,128})',
  },
  {
    names: '(?:net|NET)(?:\\.exe)?[ \\t]+(?:user|USER)',
    option: `[\\w.$-]{1,64}${apart}`,
    value: '(?![/*])(?<value>[^\\s"\'`|;&<>]{4,128})(?=[ \\t]*(?:$|/))',
  },
  { names: 'sqlplus', option: '', value: `[A-Za-z0-9_.]{1,64}/${argument}(?=@)` },
]

const commands = programs.map(({ names, option, value = argument }) => {
  // A line of a command is not looked through further than this.
  const gap = '(?:[ \\t]|\\\\\\r?\\n)+'
  const between = `(?:${gap}[^\\s|;&]{1,128}){0,24}?${gap}`
  return new RegExp(`(?:(?<![\\w.-])|(?<=^-))(?:${names})${between}${option}${value}`, 'dgm')
})
const signOfCommand = new RegExp(
  `(?:(?<![\\w.-])|(?<=^-))(?:${programs.map(({ names }) => names).join('|')})[ \\t]`,
  'm',
)
const signOfOption = /(?:^|\s)--?[A-Za-z]/
/** Of the programs that take a secret behind a word. */
const signOfWord = new RegExp(
  [
    'sqlplus|rabbitmqctl|nmcli|vault|cargo|snyk|wandb|ngrok|\\bnet\\b',
    '_(?:authToken|auth|password)[ \\t=]',
  ].join('|'),
  'i',
)

export function flaggedIn(text: string): readonly Finding[] {
  if (!signOfOption.test(text) && !signOfWord.test(text)) return []
  return [
    ...matchesIn(text, long).flatMap((match) => {
      return isGiven(text, match) ? spanOf(text, match) : []
    }),
    ...(signOfCommand.test(text)
      ? commands.flatMap((form) => matchesIn(text, form).flatMap((match) => spanOf(text, match)))
      : []),
  ]
}

const sampleUser = /[ \t=]["']?(?:user(?:name)?|login|name|me|test|foo|xxx):$/

function rangeOf(match: RegExpExecArray): readonly [number, number] {
  return match.indices?.groups?.['value'] ?? [0, 0]
}

function spanOf(text: string, match: RegExpExecArray): readonly Finding[] {
  const [start, end] = rangeOf(match)
  const isQuoted = /^["']/.test(text.slice(start, end))
  const [from, to] = isQuoted ? [start + 1, end - 1] : [start, end]
  const value = text.slice(from, to)
  if (value.startsWith('-') || isPlaceholder(value)) return []
  // A login of a page of help: `-u user:password`.
  if (isSampleWord(value) && sampleUser.test(text.slice(match.index, from))) return []
  return [{ start: from, end: to, kind: 'secret' }]
}

// Behind an option that is given no more than a word, a page of help goes on.
const goesOn = /^[ \t]*(?:$|\n|\\|[|;&>]|\s--?[A-Za-z]|\shttps?:)/

const fileName = /\.(?:pem|key|json|ya?ml|txt|crt|p12|pfx|jks|gpg|env|cfg|ini|toml)$/i
/** Where a secret is to be read, as programs that build write it. */
const source = /^(?:id|type|src|source|target)=/

/** A word alone is a secret only where the command ends or goes on behind it. */
function isGiven(text: string, match: RegExpExecArray): boolean {
  const [start, end] = rangeOf(match)
  const value = text.slice(start, end)
  const kind = secretNameOf(match.groups?.['option'] ?? '')
  if (kind === null || fileName.test(value) || source.test(value)) return false
  if (kind === 'header' || kind === 'cookie') {
    return isQuotedSecret(value.replaceAll(/^["']|["']$/g, ''), kind)
  }
  if (kind === 'key' && sample.test(value)) return false
  if (/^["']/.test(value) || /[0-9]/.test(value)) return !/^[([]/.test(value)
  if (!/^[\p{L}_.,:-]+$/u.test(value))
    return /^[\p{L}@!#%^&*+=\p{P}]{6,}$/u.test(value) && !/^[([]/.test(value)
  const isLetters = /^[a-z]{4,}$|^[A-Za-z]*[a-z][A-Z][A-Za-z]*$/.test(value)
  const line = text.slice(text.lastIndexOf('\n', match.index) + 1, match.index)
  const isCommand = /^\s*(?:[$#>]\s+)?[a-z][\w.-]*(?:\s+\S+)*\s*$|^$/i.test(line)
  return isLetters && isCommand && goesOn.test(text.slice(end, end + 8))
}
