// Scripts that complete the command line in a shell. They are made from the table of commands and
// hold all of it, so that completing starts no process.
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

interface OptionEntry {
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly description: string
  readonly choices: readonly string[]
}

interface CommandEntry {
  readonly name: string
  readonly description: string
  /** What its arguments may be, where they are of a few. */
  readonly choices: readonly string[]
  readonly options: readonly OptionEntry[]
  readonly commands: readonly CommandEntry[]
}

/** A command with its names from the program on. */
interface Placed {
  readonly path: readonly string[]
  readonly entry: CommandEntry
  /** Its own options and those that every command has. */
  readonly options: readonly OptionEntry[]
}

export function completionScript(shell: Shell, program: Command): string {
  const entry = entryOf(program)
  const all = placed(entry, [], entry.options.filter(isForAll))
  switch (shell) {
    case 'bash':
      return bashScript(all)
    case 'zsh':
      return zshScript(all)
    case 'fish':
      return fishScript(all)
  }
}

function entryOf(command: Command): CommandEntry {
  return {
    name: command.name(),
    description: command.description(),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
    commands: command.commands.map(entryOf),
  }
}

function optionOf(option: Command['options'][number]): OptionEntry {
  const { short, long, required, optional, description, argChoices } = option
  return {
    names: [short, long].flatMap((name) => (name === undefined ? [] : [name])),
    takesValue: required || optional,
    description,
    choices: argChoices ?? [],
  }
}

function isForAll({ names }: OptionEntry): boolean {
  return !names.includes('--version')
}

function placed(
  entry: CommandEntry,
  path: readonly string[],
  shared: readonly OptionEntry[],
): readonly Placed[] {
  const isProgram = path.length === 0
  const own = new Set(entry.options.flatMap(({ names }) => names))
  const others = shared.filter(({ names }) => !names.some((name) => own.has(name)))
  const options = isProgram ? entry.options : [...entry.options, ...others]
  const below = entry.commands.flatMap((each) => placed(each, [...path, each.name], shared))
  return [{ path, entry, options }, ...below]
}

function wordsOf({ entry, options }: Placed): string {
  const commands = entry.commands.map(({ name }) => name)
  const words = [...commands, ...entry.choices, ...options.flatMap(({ names }) => names)]
  return [...words, '--help'].join(' ')
}

/** `--outcome` of `log`, and what it may be. */
function choicesIn(all: readonly Placed[]): readonly (readonly [key: string, words: string])[] {
  return all.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .flatMap(({ names, choices }) =>
        names.map((name) => [[...path, name].join(' '), choices.join(' ')] as const),
      ),
  )
}

/** The words of command lines that go on with a command, for the shell to find where it is. */
function stepsIn(all: readonly Placed[]): string {
  return all
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.join(' ')}'`)
    .join('|')
}

function bashScript(all: readonly Placed[]): string {
  return [
    '# Completion of warrant for bash: source <(warrant completion bash)',
    '_warrant() {',
    ...indented([
      'local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
      'local at="" next="" words="" index',
      'for ((index = 1; index < COMP_CWORD; index++)); do',
      '  next="${at:+$at }${COMP_WORDS[index]}"',
      `  case "$next" in ${stepsIn(all)}) at="$next" ;; esac`,
      'done',
      'case "${at:+$at }$before" in',
      ...choicesIn(all).map(([key, words]) => `  '${key}') words='${words}' ;;`),
      'esac',
      'if [ -z "$words" ]; then',
      '  case "$at" in',
      ...all.map((each) => `    '${each.path.join(' ')}') words='${wordsOf(each)}' ;;`),
      '  esac',
      'fi',
      'COMPREPLY=($(compgen -W "$words" -- "$word"))',
    ]),
    '}',
    'complete -o default -F _warrant warrant',
    '',
  ].join('\n')
}

function zshScript(all: readonly Placed[]): string {
  return [
    '#compdef warrant',
    '# Completion of warrant for zsh: warrant completion zsh > ~/.zfunc/_warrant',
    '_warrant() {',
    ...indented([
      'local at="" next="" index',
      'local -a words_of',
      'for ((index = 2; index < CURRENT; index++)); do',
      '  next="${at:+$at }${words[index]}"',
      `  case "$next" in (${stepsIn(all)}) at="$next" ;; esac`,
      'done',
      'case "${at:+$at }${words[CURRENT-1]}" in',
      ...choicesIn(all).map(([key, words]) => `  ('${key}') compadd -- ${words}; return ;;`),
      'esac',
      'case "$at" in',
      ...all.map((each) => `  ('${each.path.join(' ')}') words_of=(${described(each)}) ;;`),
      'esac',
      "_describe 'warrant' words_of",
      '_files',
    ]),
    '}',
    'if [ "$funcstack[1]" = "_warrant" ]; then _warrant "$@"; else compdef _warrant warrant; fi',
    '',
  ].join('\n')
}

/** The words with what they mean, as `_describe` takes them. */
function described({ entry, options }: Placed): string {
  const commands = entry.commands.map(({ name, description }) => [name, description] as const)
  const own = options.flatMap(({ names, description }) =>
    names.map((name) => [name, description] as const),
  )
  const taken = entry.choices.map((name) => [name, ''] as const)
  return [...commands, ...taken, ...own]
    .map(([name, means]) => singleQuoted(`${name.replaceAll(':', '\\:')}:${means}`))
    .join(' ')
}

function fishScript(all: readonly Placed[]): string {
  return [
    '# Completion of warrant for fish:',
    '#   warrant completion fish > ~/.config/fish/completions/warrant.fish',
    'function __warrant_at',
    '  set -l at ""',
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string trim -- "$at $word")',
    `    if contains -- "$next" ${stepsIn(all).replaceAll('|', ' ')}`,
    '      set at "$next"',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    ...all.flatMap(fishLines),
    '',
  ].join('\n')
}

function fishLines({ path, entry, options }: Placed): readonly string[] {
  const begin = `complete -c warrant -n ${fishQuoted(`__warrant_at "${path.join(' ')}"`)}`
  return [
    ...entry.commands.map(({ name, description }) => {
      return `${begin} -f -a ${name} -d ${fishQuoted(description)}`
    }),
    ...entry.choices.map((name) => `${begin} -f -a ${name}`),
    ...options.map(({ names, takesValue, choices, description }) => {
      const spelled = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      )
      const value = choices.length > 0 ? [`-x -a ${fishQuoted(choices.join(' '))}`] : []
      const taken = takesValue && choices.length === 0 ? ['-r'] : []
      return [begin, ...spelled, ...value, ...taken, `-d ${fishQuoted(description)}`].join(' ')
    }),
  ]
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
