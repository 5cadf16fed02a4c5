// What a shell works out as a number. The value of a variable is an expression there, and an index
// in one may hold a command, so a text is a sum only where all of it is known to be harmless.
import { globMark, numberMark, unknownMark } from './marks.ts'
import type { ShellCall } from './paths/shell-call.ts'
import { usualSeparators, type Scope } from './scope.ts'

const namesMax = 200
const token = new RegExp(
  String.raw`\s+|(?<name>[A-Za-z_]\w*)|\d[\w#@.]*|[-+*/%&|^~!<>=?:,()[\]]|${numberMark}`,
  'uy',
)
const assigning = /^(?:[-+*/%&|^]|<<|>>)?=(?!=)|^(?:\+\+|--)/u

interface Named {
  readonly name: string
  /** Where only what it gets matters, not what it holds. */
  readonly isReplaced: boolean
  readonly isAssigned: boolean
}

/** Only digits, operators, and names of which every value is a sum in its turn. */
function isSum(text: string, scope: Scope): boolean {
  return isSumOf(text, scope, { left: namesMax, seen: [] })
}

interface Budget {
  left: number
  /** A name that stands for itself is an error, and never a number. */
  readonly seen: readonly string[]
}

function isSumOf(text: string, scope: Scope, budget: Budget): boolean {
  const known = new Set<string>()
  return steps(text).every((step) => {
    const names = namesIn(step)
    const isEach = names?.every(({ name, isReplaced }) => {
      return isReplaced || known.has(name) || isNumber(name, scope, budget)
    })
    // A name has its new value where the next step begins: `n=n` still reads the old one.
    const assigned = /[?&|]/u.test(text) ? [] : (names ?? []).filter((one) => one.isAssigned)
    for (const { name } of assigned) known.add(name)
    return isEach === true
  })
}

/** What a sum works out one after the other: its parts between commas that stand in no brackets. */
function steps(text: string): readonly string[] {
  const found = ['']
  let depth = 0
  for (const character of text) {
    depth += '(['.includes(character) ? 1 : ')]'.includes(character) ? -1 : 0
    if (character === ',' && depth === 0) found.push('')
    else found[found.length - 1] += character
  }
  return found
}

function isNumber(name: string, scope: Scope, budget: Budget): boolean {
  budget.left -= 1
  if (budget.left < 0 || budget.seen.includes(name)) return false
  const inner = { left: budget.left, seen: [...budget.seen, name] }
  const isEach = scope.get(name).values.every((value) => isSumOf(value, scope, inner))
  budget.left = inner.left
  return isEach
}

/** The names in a sum, in their order; null where something else stands in it. */
function namesIn(text: string): readonly Named[] | null {
  const names: Named[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const from = token.lastIndex
    const found = token.exec(text)
    if (found === null) return null
    const name = found.groups?.['name']
    if (name === undefined) continue
    const rest = text.slice(token.lastIndex)
    // A name that is put together is not known.
    if (rest.startsWith(numberMark) || text[from - 1] === numberMark) return null
    const behind = rest.replace(/^\s*(?:\[[^[\]]*\])?\s*/u, '')
    const isAssigned = assigning.test(behind) || /(?:\+\+|--)\s*$/u.test(text.slice(0, from))
    // One element of a list is not all of it.
    const isReplaced = /^=(?!=)/u.test(behind)
    names.push({ name, isAssigned, isReplaced })
  }
  return names
}

interface Computing {
  readonly scope: Scope
  readonly add: (concept: string) => void
}

/** Works out a text as a shell does; what is no sum may run anything. */
export function compute(text: string, { scope, add }: Computing): void {
  if (!isSum(text, scope)) add('code.run')
  const isCertain = !/[?&|]/u.test(text)
  for (const { name, isAssigned } of namesIn(text) ?? []) {
    if (!isAssigned) continue
    const before = isCertain ? [] : scope.get(name).values
    scope.set(name, { ...scope.get(name), values: [...before, numberMark] })
  }
}

/** Whether a text names a variable, or an element of one, without working out what is not known. */
export function isVariable(text: string, scope: Scope): boolean {
  if (text.includes(unknownMark) || text.includes(globMark)) return false
  const index = /\[(?<index>[^]*)\]?$/u.exec(text)?.groups?.['index']?.replace(/\]$/u, '')
  return index === undefined || /^[@*]$/u.test(index) || isSum(index, scope)
}

/** What stands in an index of that name; any text of one that is no list of numbers. */
export function computeIndex(name: string, index: string, by: Computing): void {
  if (by.scope.get(name).isMap !== true) compute(index, by)
}

/** A value that a name gets: some names work it out. */
export function onValue(name: string, values: readonly string[], by: Computing): void {
  if (!by.scope.isCounted(name)) return
  for (const value of values) compute(value, by)
  if (values.every((value) => isSum(value, by.scope))) {
    by.scope.set(name, { ...by.scope.get(name), values: [numberMark] })
  }
}

/** A format of `printf` with places for texts alone: nothing behind it is worked out. */
export function placesTexts(format = ''): boolean {
  const place = String.raw`%(?:%|[-+ #]*\d*(?:\.\d*)?[sqbc])`
  const sign = String.raw`\\(?:[abefnrtv\\"']|0?33)`
  return new RegExp(String.raw`^(?:[^%\\${unknownMark}${globMark}]|${place}|${sign})*$`, 'u').test(
    format,
  )
}

/** `test` looks up the name behind `-v`; what is not known may be that operator. */
export function onTest(
  words: readonly string[],
  { scope, add, isLoose }: Computing & { readonly isLoose: boolean },
): void {
  if (isLoose) add('code.run')
  for (const [at, word] of words.entries()) {
    const next = words[at + 1]
    const mayLookUp = /^-[vR]$/u.test(word) || word.startsWith(unknownMark)
    if (mayLookUp && next !== undefined && !isVariable(next, scope)) add('code.run')
  }
}

/** What `declare` makes of its names by its options, those with a value among them. */
export function declared(
  words: readonly string[],
  given: ReadonlySet<string>,
  by: Computing,
): void {
  for (const word of words) {
    const [, name = '', value = ''] = /^([^=[+]*)[^=]*=?([^]*)$/u.exec(word) ?? []
    const { scope } = by
    if (given.has('-i')) {
      scope.count(name)
      if (value !== '') onValue(name, [value], by)
    }
    // Such a value is read again as a list.
    const isList = given.has('-a') || given.has('-A') || scope.get(name).isList === true
    if (value.startsWith('(') || (isList && value.startsWith(unknownMark))) by.add('code.run')
    scope.set(name, {
      ...scope.get(name),
      isMap: given.has('-A'),
      isList,
    })
  }
}

/** `read`, where no option changes it, gives each name a word, and the last one all the rest. */
export function fill(
  names: readonly string[],
  given: ReadonlySet<string>,
  { scope, named, input, add }: Computing & Pick<ShellCall, 'named' | 'input'>,
): void {
  const isPlain = [...given].every((one) => /^-[rsp]$/u.test(one))
  const [only, ...others] = names
  const paths = named()
  if (isPlain && paths.length > 0 && only !== undefined && /^\w+$/u.test(only)) {
    const isWhole = others.length === 0 && !scope.isCounted(only) && isUsuallySplit(scope)
    if (isWhole) scope.set(only, { ...scope.get(only), values: paths })
  }
  const text = input()
  if (text === null || !isPlain || /[\\]/u.test(text) || !isUsuallySplit(scope)) return
  const line = (text.split('\n')[0] ?? '').trim()
  if (names.length > 1 && (line.includes(unknownMark) || line.includes(globMark))) return
  let rest = line
  for (const [at, name] of names.entries()) {
    const [first = ''] = at === names.length - 1 ? [rest] : rest.split(/[ \t]+/u)
    rest = rest.slice(first.length).trimStart()
    if (!/^\w+$/u.test(name)) continue
    if (scope.isCounted(name)) onValue(name, [first], { scope, add })
    else scope.set(name, { ...scope.get(name), values: [first] })
  }
}

/** Nothing but white space is left out of a line that is read. */
function isUsuallySplit(scope: Scope): boolean {
  return scope.get('IFS').values.every((one) => one === '' || one === usualSeparators)
}
