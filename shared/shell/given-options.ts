// The arguments of one command by what its table has of options: which are given, what their
// values are, and which arguments are left. An option that the table does not list is unknown.
import type { ShellEntry } from '#schemas/shell/table'
import { isAnyName, unknownMark } from './marks.ts'

export interface GivenOption {
  readonly name: string
  readonly role: string
  readonly concepts: readonly string[]
  /** Null where it takes none, or none is given. */
  readonly value: string | null
  /** Of the role `exec`: the command. */
  readonly command: readonly string[]
  /** In an expression: whether it stands behind a `!`. */
  readonly isNegated: boolean
}

export interface ReadArguments {
  readonly options: readonly GivenOption[]
  readonly words: readonly string[]
  readonly hasUnknownOption: boolean
  /** An argument that may turn out to be any option. */
  readonly hasUnknownValue: boolean
  /** One that is the name of any file, which may begin as an option does. */
  readonly hasAnyName: boolean
}

interface OptionSpec {
  readonly role: string
  /** Of a second value. */
  readonly second: string
  readonly isOptional: boolean
  readonly concepts: readonly string[]
  /** Whether a mode of the entry asks for it. */
  readonly isAsked: boolean
}

const specs = new WeakMap<ShellEntry, ReadonlyMap<string, OptionSpec>>()

function specsOf(entry: ShellEntry): ReadonlyMap<string, OptionSpec> {
  const made = specs.get(entry)
  if (made !== undefined) return made
  const all = new Map<string, OptionSpec>()
  for (const [key, text] of Object.entries(entry.options ?? {})) {
    const names = key.split(' ')
    const given = text.split(' ').filter((one) => one !== '')
    const [role = '', second = ''] = given.filter((one) => !one.startsWith('+'))
    const concepts = given.filter((one) => one.startsWith('+')).map((one) => one.slice(1))
    const spec = {
      role: role.replace('?', ''),
      second,
      isOptional: role.endsWith('?'),
      concepts,
    }
    for (const name of names) all.set(name, { ...spec, isAsked: false })
  }
  // What a mode asks for is an option, too.
  const asked = (entry.modes ?? []).flatMap((one) => [
    one.has ?? '',
    one.with ?? '',
    one.only ?? '',
  ])
  for (const one of asked.flatMap((names) => names.split(' '))) {
    const [name = ''] = one.split('=')
    if (name === '') continue
    all.set(name, { ...(all.get(name) ?? flag), isAsked: true })
  }
  specs.set(entry, all)
  return all
}

const flag: OptionSpec = { role: '', second: '', isOptional: false, concepts: [], isAsked: false }
/** `--dry-run=false` is no dry run, where the program takes a value at all. */
const on = /^(?:true|t|1|yes|y|on|)$/iu

/** Where the entry is `early`, all from the first plain argument on is left as it stands. */
export function readArguments(given: readonly string[], entry: ShellEntry): ReadArguments {
  return new Reading(given, entry).read()
}

class Reading {
  readonly #given: string[]
  readonly #entry: ShellEntry
  readonly #specs: ReadonlyMap<string, OptionSpec>
  readonly #options: GivenOption[] = []
  #at = 0
  #hasUnknownOption = false

  constructor(given: readonly string[], entry: ShellEntry) {
    this.#given = [...given]
    this.#entry = entry
    this.#specs = specsOf(entry)
  }

  read(): ReadArguments {
    const words: string[] = []
    let hasUnknownValue = false
    let hasAnyName = false
    const { early, sub, noDash } = this.#entry
    const isEarly = early === true || sub !== undefined
    while (this.#at < this.#given.length) {
      const one = this.#given[this.#at] ?? ''
      const isFirst = this.#at === 0
      this.#at += 1
      if (one === '--') {
        const spec = this.#specs.get(one)
        if (spec !== undefined) this.#take(one, spec, '')
        words.push(...this.#given.slice(this.#at))
        break
      }
      if (one.startsWith('+') && this.#specs.has('+')) this.#plus(one)
      else if (isOption(one)) this.#option(one)
      else if (noDash === true && isFirst && /^[A-Za-z]+$/u.test(one)) this.#bundle(one)
      else {
        if (one.startsWith(unknownMark)) hasUnknownValue = true
        if (isAnyName(one)) hasAnyName = true
        words.push(one)
        if (isEarly) {
          words.push(...this.#given.slice(this.#at))
          break
        }
      }
    }
    const hasUnknownOption = this.#hasUnknownOption
    return { options: this.#options, words, hasUnknownOption, hasUnknownValue, hasAnyName }
  }

  #plus(one: string): void {
    const spec = this.#specs.get('+')
    if (spec !== undefined) this.#take('+', spec, one.slice(1))
  }

  #option(one: string): void {
    const { oneDash } = this.#entry
    const [name = '', ...rest] = one.split('=')
    const attached = one.includes('=') ? rest.join('=') : null
    const dashed = oneDash === true && name.startsWith('--') ? name.slice(1) : name
    const spec = this.#specs.get(dashed) ?? this.#specs.get(name)
    if (spec !== undefined && (dashed.startsWith('--') || oneDash === true || dashed.length > 2)) {
      this.#take(this.#specs.has(dashed) ? dashed : name, spec, attached)
    } else if (/^-\d+$/u.test(one) && this.#specs.has('-#')) this.#unlisted('-#')
    else if (oneDash === true) this.#unlisted(name)
    else if (one.startsWith('--')) this.#shortened(name, attached)
    else this.#cluster(one.slice(1))
  }

  /** Most programs take a long option by its beginning; where several begin so, it is unknown. */
  #shortened(name: string, attached: string | null): void {
    const [found, ...more] = [...this.#specs].filter(([one]) => one.startsWith(name))
    if (found === undefined || name === '--') this.#unlisted(name)
    else if (more.length === 0) this.#take(found[0], found[1], attached)
    else this.#hasUnknownOption = true
  }

  /** `xfC FILE FOLDER`: each takes the next argument. */
  #bundle(letters: string): void {
    for (const letter of letters) {
      const spec = this.#specs.get(`-${letter}`)
      if (spec === undefined) this.#unlisted(`-${letter}`)
      else this.#take(`-${letter}`, spec, null)
    }
  }

  #cluster(letters: string): void {
    let isOpen = false
    for (let at = 0; at < letters.length; at += 1) {
      const name = `-${letters[at] ?? ''}`
      const spec = this.#specs.get(name)
      const rest = letters.slice(at + 1)
      if (spec === undefined) {
        this.#unlisted(name)
        // What follows may be its value: it is looked at, but takes nothing more.
        isOpen = true
        continue
      }
      const takes = spec.role !== ''
      if (takes && isOpen && rest === '' && !spec.isOptional) {
        this.#maybe(name, spec)
        return
      }
      this.#take(name, spec, takes && (rest !== '' || isOpen) ? rest : null)
      if (takes && (rest !== '' || !spec.isOptional)) return
    }
  }

  /** After a letter that may have taken it: the next argument may be its value, or a word. */
  #maybe(name: string, { role, concepts }: OptionSpec): void {
    const next = this.#given.slice(this.#at)
    const value = next[0] ?? null
    const command = role === 'exec' ? next : []
    this.#options.push({ name, role, concepts, value, command, isNegated: false })
  }

  #unlisted(name: string): void {
    const spec = this.#specs.get(name)
    if (spec !== undefined) this.#take(name, spec, null)
    else if (this.#entry.anyOption === true) this.#take(name, flag, null)
    else this.#hasUnknownOption = true
  }

  #take(name: string, spec: OptionSpec, attached: string | null): void {
    const { role, second, isOptional, concepts, isAsked } = spec
    if (role === '' && isAsked && !on.test(attached ?? '')) this.#hasUnknownOption = true
    let value = attached
    let command: readonly string[] = []
    const isNegated = /^(?:!|-not)$/u.test(this.#given[this.#at - 2] ?? '')
    if (role === 'exec') {
      const end = this.#given.findIndex((one, at) => at >= this.#at && (one === ';' || one === '+'))
      const until = end === -1 ? this.#given.length : end
      command = [...(attached === null ? [] : [attached]), ...this.#given.slice(this.#at, until)]
      this.#at = until + 1
    } else if (role !== '' && !isOptional && value === null) {
      value = this.#given[this.#at] ?? null
      this.#at += 1
      // The program may take it for one without a value.
      if (value === null && isAsked) this.#hasUnknownOption = true
    }
    this.#options.push({ name, role, concepts, value, command, isNegated })
    if (role === 'split') this.#given.splice(this.#at, 0, ...wordsIn(value ?? ''))
    if (second !== '') this.#take(name, { ...spec, role: second, second: '' }, null)
  }
}

/** As `env -S` divides it; what it puts together otherwise is not known. */
function wordsIn(text: string): readonly string[] {
  if (/[\\$#]/u.test(text)) return [unknownMark]
  const words = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/gu) ?? []
  return words.map((one) => one.replaceAll(/['"]/gu, ''))
}

function isOption(text: string): boolean {
  return text.startsWith('-') && text !== '-'
}
