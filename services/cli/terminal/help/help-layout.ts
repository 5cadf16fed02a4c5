// How help is laid out: as wide as the terminal, 80 columns where there is none, and never wider
// for a long term. Every command also shows the options that all of them have.
import { Help, type Command, type HelpConfiguration, type OutputConfiguration } from 'commander'
import { terminalColumns } from '../width.ts'

/** Asks help for all commands, and not for those alone that people need first. */
export const allFlag = '--all'

/** Where there is no terminal. */
export const columnsDefault = 80
const termColumnsMax = 30
const termShareMax = 0.4
const indent = 2
const spacer = 2

export const helpWidths: OutputConfiguration = {
  getOutHelpWidth: () => terminalColumns(process.stdout) ?? columnsDefault,
  getErrHelpWidth: () => terminalColumns(process.stderr) ?? columnsDefault,
}

export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 10,
  padWidth: (command, helper) =>
    Math.min(
      termColumnsMax,
      Math.floor((helper.helpWidth ?? columnsDefault) * termShareMax),
      Math.max(
        helper.longestOptionTermLength(command, helper),
        helper.longestGlobalOptionTermLength(command, helper),
        helper.longestSubcommandTermLength(command, helper),
        helper.longestArgumentTermLength(command, helper),
      ),
    ),
  visibleGlobalOptions: globalOptionsOf,
  optionDescription: meaningOf,
  formatItem: itemText,
}

/** More values than that are shown by the first of them: another word lists all. */
const choicesMax = 12
const choicesShown = 3

function meaningOf(option: Command['options'][number]): string {
  const { argChoices = [], description } = option
  if (argChoices.length <= choicesMax) return new Help().optionDescription(option)
  const some = argChoices.slice(0, choicesShown).map((one) => JSON.stringify(one))
  return `${description} (choices: ${some.join(', ')}, … any other word lists all)`
}

/** Those of the commands above it, without what only the program itself takes. */
function globalOptionsOf(command: Command): Command['options'][number][] {
  const options: Command['options'][number][] = []
  for (let above = command.parent; above !== null; above = above.parent) {
    options.push(...above.options.filter(isForAll))
  }
  return options
}

function isForAll({ hidden, long }: Command['options'][number]): boolean {
  return !hidden && long !== '--version'
}

/** A term beside what it means; a long one above it. */
function itemText(term: string, termWidth: number, description: string, helper: Help): string {
  const before = ' '.repeat(indent)
  if (description === '') return before + term
  const begin = indent + termWidth + spacer
  const width = (helper.helpWidth ?? columnsDefault) - begin
  const rows = helper.boxWrap(description, width).split('\n')
  const behind = rows.join(`\n${' '.repeat(begin)}`)
  const isLong = helper.displayWidth(term) > termWidth
  if (isLong) return `${before}${term}\n${' '.repeat(begin)}${behind}`
  return `${before}${term}${' '.repeat(termWidth - helper.displayWidth(term) + spacer)}${behind}`
}
