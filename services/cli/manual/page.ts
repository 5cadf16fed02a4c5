// The manual page of the program (man 1), made from the table of commands, that of exit codes and
// that of settings.
import { exitMeanings } from '#schemas/faults/exit'
import { settingTable } from '#schemas/settings/table'
import type { CommandEntry, OptionEntry } from './tree.ts'

export function manualPage(program: CommandEntry, version: string): string {
  return [
    `.TH WARRANT 1 "" "warrant ${version}" "User Commands"`,
    '.SH NAME',
    `warrant \\- ${roff(program.description)}`,
    '.SH SYNOPSIS',
    '.B warrant',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH OPTIONS',
    'Every command takes these.',
    ...program.options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commandsLines(program.commands),
    '.SH EXIT STATUS',
    ...exitMeanings.flatMap(({ code, means }) => ['.TP', `.B ${code}`, roff(means)]),
    '.SH ENVIRONMENT',
    ...Object.values(settingTable).flatMap(({ name, means }) => [
      '.TP',
      `.B ${roff(name)}`,
      roff(means),
    ]),
    '',
  ].join('\n')
}

/** Under the headings of help, each once. */
function commandsLines(commands: readonly CommandEntry[]): readonly string[] {
  const groups = [...new Set(commands.map(({ group }) => group))]
  return groups.flatMap((group) => [
    `.SS ${roff(group.replace(/:$/, ''))}`,
    ...commands.filter((each) => each.group === group).flatMap((each) => commandLines(each, [])),
  ])
}

function commandLines(entry: CommandEntry, above: readonly string[]): readonly string[] {
  const { name, usage, description, options, examples, commands, arguments: taken } = entry
  const path = [...above, name]
  return [
    '.TP',
    `\\fB${roff(['warrant', ...path].join(' '))}\\fR ${roff(usage)}`,
    roff(description),
    ...(options.length + taken.length + examples.length === 0 ? [] : ['.RS']),
    ...taken
      .filter((each) => each.description !== '')
      .flatMap((each) => ['.TP', `\\fI${roff(each.name)}\\fR`, roff(each.description)]),
    ...options.flatMap(optionLines),
    ...(examples.length === 0 ? [] : ['.PP', '.EX', ...examples.map(roff), '.EE']),
    ...(options.length + taken.length + examples.length === 0 ? [] : ['.RE']),
    ...commands.flatMap((each) => commandLines(each, path)),
  ]
}

function optionLines({ flags, description, choices }: OptionEntry): readonly string[] {
  const may = choices.length === 0 ? '' : ` (one of ${choices.join(', ')})`
  return ['.TP', `.B ${roff(flags)}`, roff(description + may)]
}

/** Text as roff takes it for text: a hyphen that can be copied, and no command at the beginning. */
function roff(text: string): string {
  const safe = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll(/[^ -~]/gu, (character) => `\\[u${hexOf(character)}]`)
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
