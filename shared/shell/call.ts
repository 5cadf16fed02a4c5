// One call of one command: what its table makes of its name and its arguments, as concepts.
import { PathRole, type ShellEntry, type ShellMode } from '#schemas/shell/table'
import { readArguments, type GivenOption, type ReadArguments } from './given-options.ts'
import { onReached, reachOf, rolesOf, text, type CallReach } from './paths/call-reach.ts'
import { applyRole } from './effects.ts'
import { listedCall } from './by-whole-name.ts'
import { declared, fill, isVariable, onTest, placesTexts } from './sums.ts'
import { linkMade, onFolder } from './paths/on-path.ts'
import type { Acting, ShellCall } from './paths/shell-call.ts'
import { escaped } from './paths/patterns.ts'
import { conceptsIn } from './surroundings.ts'
import { hasMark, homeMark, unknownMark } from './marks.ts'

const wrapsMax = 12

/** Judges one command that is expanded: its name and its arguments. */
export function judgeCall(call: ShellCall): void {
  const [name] = call.fields
  if (name === undefined) return
  if (call.depth > wrapsMax) {
    call.add('unparsed.command')
    return
  }
  const bodies = call.scope.functions.get(name)
  if (bodies !== undefined) call.runFunction(bodies)
  const known = namedBy(name, call)
  if (call.fields.some((one) => call.table.namesGuard(one))) call.note('guard_named')
  const entry = known === null ? undefined : call.table.commands.get(known)
  // What runs in another process, or after `unset -f`, is the program of that name.
  const isFunction = bodies !== undefined && call.depth === 0 && !call.scope.isApart
  if (isFunction && entry === undefined) return
  if (entry === undefined || known === null) {
    const isPath = name.includes('/') && !name.includes(unknownMark)
    call.add(isPath && known === null ? 'code.run' : 'unknown.command')
    mentioned(call)
    return
  }
  if (call.table.added.has(known)) mentioned(call)
  const rest = call.fields.slice(1)
  const hasVerbs = [entry.sub, entry.listed, entry.verbs].some((one) => one !== undefined)
  const help = hasVerbs ? /^(?:--help|--version|-h)$/u : /^--(?:help|version)$/u
  if (rest.length === 1 && help.test(rest[0] ?? '')) {
    call.add('harmless')
    return
  }
  judgeEntry(rest, entry, call)
}

/** The name by which the table knows it; null where another program may run. */
function namedBy(name: string, { table, add }: ShellCall): string | null {
  if (hasMark(name)) return null
  const slash = name.lastIndexOf('/')
  if (slash === -1) return name
  if (table.isGuardFile(name)) {
    add('code.run')
    return name.slice(slash + 1)
  }
  return table.isProgramFolder(name.slice(0, slash)) ? name.slice(slash + 1) : null
}

/** Code that names what guards it may change that. */
function mentioned(call: ShellCall): void {
  if (call.fields.some((one) => call.table.mentionsGuard(one))) call.add('guard.change')
}

function judgeEntry(given: readonly string[], entry: ShellEntry, call: ShellCall): void {
  const listed = listedCall(given, entry)
  const read = listed?.read ?? readArguments(given, entry)
  for (const option of read.options) {
    if (option.role === 'base' && option.value !== null) {
      applyRole('read', option.value, call)
      call.enter(option.value)
    }
  }
  if (listed !== null) judgeRead(read, listed.entry, call)
  else if (entry.sub !== undefined) judgeSub(read, entry, { ...entry, sub: entry.sub }, call)
  else judgeRead(read, entry, call)
}

interface WithSub extends ShellEntry {
  readonly sub: Readonly<Record<string, ShellEntry>>
}

function judgeSub(read: ReadArguments, entry: ShellEntry, { sub }: WithSub, call: ShellCall): void {
  const [name, ...rest] = read.words
  // Without a subcommand it is judged by what the entry itself says.
  if (name === undefined) {
    judgeRead(read, entry, call)
    return
  }
  addOptions(read, entry.is, call)
  const found = subOf(name, sub)
  if (found === undefined) {
    call.add('unknown.command')
    mentioned(call)
    return
  }
  // What no table lists may be a script or a plugin, which has another meaning for that.
  const isScript = conceptsIn(found.is).includes('code.run') && found.verbs !== undefined
  const isOwn = isListed(name, sub) ? !isScript : !conceptsIn(found.is).includes('code.run')
  if (isOwn && rest.length === 1 && /^(?:--version|--help|-help|-h)$/u.test(rest[0] ?? '')) {
    call.add('harmless')
    return
  }
  for (const one of conceptsIn(entry.is)) call.add(one)
  judgeEntry(rest, found, call)
}

const patterns = new WeakMap<
  Readonly<Record<string, ShellEntry>>,
  readonly (readonly [name: RegExp | string, entry: ShellEntry])[]
>()

/** Whether it stands in the table as it is, and not by what its name is like. */
function isListed(name: string, sub: Readonly<Record<string, ShellEntry>>): boolean {
  return Object.keys(sub).some((names) => names.split(' ').includes(name))
}

function subOf(name: string, sub: Readonly<Record<string, ShellEntry>>): ShellEntry | undefined {
  if (hasMark(name)) return undefined
  let listed = patterns.get(sub)
  if (listed === undefined) {
    listed = Object.entries(sub).flatMap(([names, entry]) => {
      return names
        .split(' ')
        .map((one) => [one.includes('*') ? patternOf(one) : one, entry] as const)
    })
    patterns.set(sub, listed)
  }
  const exact = listed.find(([one]) => one === name)
  const found = exact ?? listed.find(([one]) => typeof one !== 'string' && one.test(name))
  return found?.[1]
}

/** By the names in the tables, so there are only so many. */
const made = new Map<string, RegExp>()

function patternOf(name: string): RegExp {
  const known = made.get(name)
  if (known !== undefined) return known
  const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`, 'u')
  made.set(name, pattern)
  return pattern
}

/** Code may do whatever an option that is not listed could do. */
function addOptions(
  { options, hasUnknownOption }: ReadArguments,
  is: string | undefined,
  call: ShellCall,
): void {
  for (const option of options) {
    for (const one of option.concepts) call.add(one)
    applyOption(option, call)
  }
  if (hasUnknownOption && !conceptsIn(is).includes('code.run')) call.add('unknown.option')
}

function applyOption({ role, value }: GivenOption, call: ShellCall): void {
  if (value !== null && role !== 'base' && role !== 'exec') applyRole(role, value, call)
}

function judgeRead(read: ReadArguments, entry: ShellEntry, call: ShellCall): void {
  const { words, options } = read
  const given = new Set(options.map(({ name }) => name))
  const asked = new Set([...given, ...valuesGiven(options)])
  const mode = entry.modes?.find((one) => fits(one, asked, words))
  const act = withHeld(mode === undefined ? entry : changed(entry, mode), read, call)
  addOptions(read, act.is, call)
  if (act.args !== 'command') addPossible(read, entry, call)
  for (const one of conceptsIn(act.is)) call.add(one)
  if (entry.elsewhere === true) call.note('elsewhere')
  if (entry.positions === true) call.scope.losePositions()
  const isOpen = !words.every((one) => isVariable(one, call.scope))
  if (entry.calculates === true && isOpen && !placesTexts(words[0])) call.add('code.run')
  if (entry.verbs !== undefined) addVerb(words, entry.verbs, call)
  if (act.here !== undefined) onFolder(act.here, call)
  if (entry.input !== undefined) applyRole(entry.input, call.input() ?? '', call)
  if (entry.responses === true) readResponses(words, call)
  const reach = reachOf({ read, entry, act, given })
  const applied = applyRoles(words, act, reach, call)
  if (!applied && act.bare !== undefined) onReached(act.bare, '.', reach, call)
  if (act.args === 'field...') fill(words, given, call)
  if (act.args === 'set...') declared(words, given, call)
  runDeferred(read, entry, reach, call)
  const reads = applied || options.some(({ role }) => PathRole.safeParse(role).success)
  call.prints({ entry, act, words, fields: call.fields, reads, listed: reach.chosen })
}

/** The arguments in such a file are not known. */
function readResponses(words: readonly string[], call: ShellCall): void {
  for (const one of words.filter((word) => word.startsWith('@'))) {
    applyRole('read', one.slice(1), call)
    call.add('unknown.option')
  }
}

/** What an argument may turn out to be an option for. A name of a file leads nowhere else. */
function addPossible(read: ReadArguments, entry: ShellEntry, call: ShellCall): void {
  const more = Object.values(entry.options ?? {}).filter(doesMore)
  if (read.hasUnknownValue && (more.length > 0 || isStrict(entry))) call.add('unknown.value')
  if (!read.hasAnyName) return
  if (more.includes('write')) call.add('write.inside')
  if (more.some((one) => one !== 'write')) call.add('unknown.value')
}

/** Whether an option that the table does not have matters. */
function isStrict({ anyOption, options }: ShellEntry): boolean {
  return anyOption !== true && options !== undefined
}

/** Whether an option does more than the command does without it. */
function doesMore(option: string): boolean {
  return !/^(?:text|show|read|look|search|base|filter|regex|extension|pattern)?\??$/u.test(option)
}

function changed({ alone, runsInput, feeds }: ShellEntry, mode: ShellMode): Acting {
  // Where a mode has no place for a script, it is one that runs none.
  return { ...mode, alone, runsInput: mode.max === 0 ? undefined : runsInput, feeds }
}

/** What is done to a file that something changes which stands beside it in its own language. */
function withHeld(act: Acting, { words, options }: ReadArguments, call: ShellCall): Acting {
  if (act.args?.includes('held') !== true) return act
  const roles = rolesOf(words.length, act)
  const given = [
    ...words.map((value, at) => ({ role: roles[at]?.role ?? '', value })),
    ...options.map(({ role, value }) => ({ role, value: value ?? '' })),
  ]
  const found = new Set<string>()
  const looking = { ...call, add: (concept: string) => void found.add(concept) }
  for (const { role, value } of given) {
    if (call.table.dialects.has(role)) applyRole(role, value, looking)
  }
  const isAny = (kind: RegExp) => [...found].some((one) => kind.test(one))
  const changes = isAny(/^(?:write|code|unknown)\./u) ? 'write' : 'read'
  return { ...act, args: act.args.replace('held', isAny(/^destroy\./u) ? 'destroy' : changes) }
}

/** `--dry-run=client`; of an option that is given twice the program may take either value. */
function valuesGiven(options: readonly GivenOption[]): readonly string[] {
  return options
    .filter(({ name }) => options.filter((one) => one.name === name).length === 1)
    .map(({ name, value }) => `${name}=${value ?? ''}`)
}

function fits(mode: ShellMode, given: ReadonlySet<string>, words: readonly string[]): boolean {
  const { has, with: also, only, min = 0, max = Infinity, word, first } = mode
  const isGiven = (names?: string) => names?.split(' ').some((one) => given.has(one)) ?? true
  if (!isGiven(has) || !isGiven(also)) return false
  const names = [...given].filter((one) => !one.includes('='))
  if (only !== undefined && names.some((one) => !only.split(' ').includes(one))) return false
  const isWord = (one: string) => words.some((argument) => patternOf(one).test(argument))
  if (word !== undefined && !word.split(' ').some(isWord)) return false
  if (first !== undefined && !first.split(' ').includes(words[0] ?? '')) return false
  return words.length >= min && words.length <= max
}

/** The strictest stands first, so a word that only reads hides none that does more. */
function addVerb(
  words: readonly string[],
  verbs: Readonly<Record<string, string>>,
  call: ShellCall,
) {
  const plain = words.filter((one) => !one.includes(unknownMark))
  for (const [names, concepts] of Object.entries(verbs)) {
    const tests = names.split(' ').map(patternOf)
    if (!plain.some((word) => tests.some((test) => test.test(word)))) continue
    for (const one of conceptsIn(concepts)) call.add(one)
    return
  }
  call.add('unknown.command')
}

/** Whether any argument is a path of it. */
function applyRoles(
  words: readonly string[],
  act: Acting,
  reach: CallReach,
  call: ShellCall,
): boolean {
  const roles = rolesOf(words.length, act)
  if (words.length === 0 && /^(?:cd|push|pop)$/u.test(act.args ?? '')) {
    applyRole(act.args ?? '', act.args === 'cd' ? homeMark : '', call)
  }
  let hasPath = false
  for (const [at, word] of words.entries()) {
    const { role, isRest } = roles[at] ?? text
    if (role === 'assign' && !/^[A-Za-z_]\w*\+?=/u.test(word)) {
      return runRest(words.slice(at), act, call)
    }
    if (role === 'command') return runRest(words.slice(at), act, call)
    if (role === 'test') {
      onTest(call.fields.slice(1), call)
      return false
    }
    if (role === 'script' && isRest) {
      call.runScript(words.slice(at).join(' '))
      return true
    }
    const path = PathRole.safeParse(role)
    if (path.success) onReached(path.data, word, reach, call)
    else applyRole(role, word, call)
    const isText = /^(?:text|show|pattern|filter|regex|extension)$/u.test(role)
    hasPath ||= !isText && !call.table.dialects.has(role)
  }
  if (act.args?.split(' ').includes('command') === true) return runRest([], act, call)
  if (roles.some(({ role }) => role === 'link')) linkMade(words, call)
  return hasPath
}

function runRest(words: readonly string[], act: Acting, call: ShellCall): boolean {
  const fed = act.feeds === true ? call.fed(words) : []
  if (words.length === 0) {
    for (const one of conceptsIn(act.alone)) call.add(one)
    return true
  }
  const holder = act.feeds === true ? call.holder : null
  const isHeld = holder !== null && words.some((one) => one.includes(holder))
  if (holder === null || !isHeld) call.runCommand([...words, ...fed])
  else {
    const values = fed.length === 0 ? [''] : fed
    for (const value of values) call.runCommand(words.map((one) => one.replaceAll(holder, value)))
  }
  return true
}

/** What `find -exec` runs, for each of the paths that it finds. */
function runDeferred(
  { options }: ReadArguments,
  entry: ShellEntry,
  { chosen }: CallReach,
  call: ShellCall,
): void {
  for (const { role, command } of options) {
    if (role !== 'exec') continue
    const isHeld = command.some((one) => one !== one.replaceAll(holders, ''))
    for (const path of chosen) {
      const filled = command.map((one) => one.replaceAll(holders, () => path))
      call.runCommand(entry.feeds === true && !isHeld ? [...filled, path] : filled)
    }
  }
}

const holders = /\{(?:\/?\.|\/\/?)?\}/gu
