// What was probably meant by a call that the parser does not understand: the words that others use
// for the same, and all that is missing at once. It says where everything is listed.
import type { Command, Option } from 'commander'
import { nearest } from '#record/quote'

/**
 * Words that other programs have for one thing, our own among them. An option of one of these names
 * is what the others mean; of several, the first.
 */
export const optionWords: readonly string[] = [
  'person mine who by user approver approved-by confirmer for people name',
  'as agent principal user for who caller sender',
  'since after last newer start begin from',
  'until before end older to',
  'note justification reason why because comment message explanation text',
  'csv format json output export print spreadsheet table',
  'out into output file path dest target',
  'outcome denied allowed status result verdict state decision',
  'past all closed history done answered ended expired',
  'open pending waiting unanswered undecided',
  'limit last max count number head tail first top size',
  'follow watch tail live stream wait',
  'listen port host bind address addr',
  'arg args param params data input argument arguments body',
  'where filter search query grep match expression if when',
  'tool command action function method',
  'rule rules policy policies condition',
  'yes force no-confirm assume-yes non-interactive noninteractive',
  'key keys identity sign signer private-key keyfile',
  'expires ttl for duration expiry lifetime valid days until',
  'dry-run check preview diff simulate test',
  'prune delete remove clean',
  'routine always remember similar',
  'session conversation thread',
  'note reason label title name',
  'version --at at revision time moment when as-of',
]

/** The same of commands: what a word is for, as it is called. */
export const commandWords: readonly (readonly [path: string, words: string])[] = [
  ['log', 'audit history events facts logs list query search find records decisions'],
  ['log --follow', 'watch tail follow live stream'],
  ['log --open', 'open'],
  ['reviews', 'pending inbox queue waiting approvals requests todo'],
  ['approve', 'allow accept confirm permit yes sign'],
  ['decline', 'deny reject refuse disapprove no'],
  ['up', 'run start serve server daemon worker workers stages'],
  ['up http', 'http api rest'],
  ['up console', 'ui web dashboard browser gui'],
  ['up gateway', 'gateway'],
  ['agents', 'users people principals who whoami identities'],
  ['doctor', 'status health diagnose config settings info'],
  ['test', 'validate lint check'],
  ['graph check', 'lint check'],
  ['plan', 'diff preview changes'],
  ['apply', 'push deploy load sync update save'],
  ['catalog import', 'import'],
  ['catalog show', 'rules policies tools'],
  ['trace', 'show view inspect story get why'],
  ['explain', 'why reason dry-run'],
  ['whatif', 'simulate what-if'],
  ['init', 'new create setup install begin'],
  ['hook install', 'install hooks'],
  ['suspend', 'block ban disable stop pause kill'],
  ['revoke', 'undo rollback cancel delete rm'],
  ['withdraw', 'cancel'],
  ['stats', 'metrics report summary statistics'],
  ['tokens create', 'login token-create logins'],
  ['mcp', 'proxy'],
  ['keys new', 'keygen key'],
  ['export', 'evidence proof dump'],
  ['verify', 'prove'],
]

/** What the commands below one are called elsewhere. */
const lowerWords: readonly string[] = [
  'show list ls print get view status',
  'add new create put register issue enrol set',
  'remove delete rm revoke retire uninstall drop unset',
  'apply import load set update write push',
  'diff compare changes',
  'check lint validate verify test',
  'install setup enable init',
]

const shownMax = 2

/** What the parser says, with what was meant, and where all is listed. */
export function mistaken(command: Command, said: string, code: string): string {
  const missing = code === 'commander.missingMandatoryOptionValue' || isCount(code)
  if (missing) return `${missingIn(command) ?? said.replace(/\.$/, '')}: ${called(command)}`
  const isOption = code === 'commander.unknownOption'
  if (!isOption && code !== 'commander.unknownCommand') return said
  const word = /'(?<word>[^']*)'/.exec(said)?.groups?.['word'] ?? ''
  const meant = isOption ? optionsMeant(command, word) : commandsMeant(command, word)
  const guess = meant.length === 0 ? '' : ` (Did you mean ${meant.join(' or ')}?)`
  const what = isOption ? 'its options' : command.parent === null ? 'all' : 'its commands'
  const list = command.parent === null && !isOption ? `${helpOf(command)} --all` : helpOf(command)
  return `${said.replace(guessed, '')}${guess}; \`${list}\` lists ${what}`
}

/** What the parser itself guesses: many keystrokes away, it leads astray. */
const guessed = /\n\(Did you mean [^?]+\?\)$/

function isCount(code: string): boolean {
  return code === 'commander.missingArgument' || code === 'commander.excessArguments'
}

/** Options and arguments that it needs and was not given, in one go; null where there is none. */
function missingIn(command: Command): string | null {
  const options = needed(command).filter(
    (option) => command.getOptionValue(option.attributeName()) === undefined,
  )
  const given = command.args.length
  const missing = command.registeredArguments.slice(given).filter(({ required }) => required)
  const names = [
    ...options.map(({ flags }) => `\`${flags}\``),
    ...missing.map((argument) => `\`<${argument.name()}>\``),
  ]
  const last = names.pop()
  if (last === undefined) return null
  return `missing ${names.length === 0 ? last : `${names.join(', ')} and ${last}`}`
}

const needed = (command: Command): readonly Option[] =>
  command.options.filter(({ mandatory }) => mandatory)

/** How it is called; where more words were given than it takes, what they may be. */
function called(command: Command): string {
  const [, name = ''] = command.args.slice(command.registeredArguments.length - 1)
  const takesArg = command.options.some(({ long }) => long === '--arg')
  if (takesArg && name.includes('=')) return `what the tool gets is written \`--arg ${name}\``
  const flags = needed(command).map((option) => `${option.flags} `)
  const usage = command.createHelp().commandUsage(command)
  const whole = usage.replace('[options]', `${flags.join('')}[options]`)
  return `\`${whole}\`, and \`${helpOf(command)}\` has examples`
}

function helpOf(command: Command): string {
  const names: string[] = []
  for (let each: Command | null = command; each !== null; each = each.parent) {
    names.unshift(each.name())
  }
  const [program = '', ...rest] = names
  return [program, 'help', ...rest].join(' ')
}

function optionsMeant(command: Command, flag: string): readonly string[] {
  const word = flag.replace(/^-+/, '').replace(/=.*$/s, '')
  const options: Option[] = []
  for (let each: Command | null = command; each !== null; each = each.parent) {
    options.push(...each.createHelp().visibleOptions(each))
  }
  const names = [...new Set(options.flatMap(({ long }) => (long === undefined ? [] : [long])))]
  const bare = names.map((name) => name.slice('--'.length))
  const near = nearest(bare, word)
  const found = near.length > 0 ? near : alike(optionWords, word, bare)
  const meant = found.length > 0 ? found : described(options, word)
  return meant.map((name) => `--${name}`)
}

/** Of each line with the word, the first of these names. */
function alike(
  lines: readonly string[],
  word: string,
  names: readonly string[],
): readonly string[] {
  const found = lines.flatMap((line) => {
    const words = line.split(' ')
    const first = words.find((each) => each !== word && names.includes(each))
    return first === undefined || !words.includes(word) ? [] : [first]
  })
  return [...new Set(found)].slice(0, shownMax)
}

const wordCharactersMin = 4

/** The only options whose own text has the word. */
function described(options: readonly Option[], word: string): readonly string[] {
  if (word.length < wordCharactersMin) return []
  const found = options.flatMap(({ long, description }) => {
    const words: readonly string[] = description.toLowerCase().match(/[a-z]+/g) ?? []
    return long !== undefined && words.includes(word) ? [long.slice('--'.length)] : []
  })
  return found.length > shownMax ? [] : [...new Set(found)]
}

function commandsMeant(command: Command, word: string): readonly string[] {
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name())
  if (command.parent !== null) {
    const near = nearest(names, word)
    return near.length > 0 ? near : alike(lowerWords, word, names)
  }
  const meant = commandWords.filter(([, words]) => words.split(' ').includes(word))
  const paths = meant.length > 0 ? meant.map(([path]) => path) : nearest(names, word)
  return paths.slice(0, shownMax)
}
