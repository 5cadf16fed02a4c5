// One fact on one line, for people and for programs.
import { readData } from '#record/event'
import { isMessage, partsInRealm } from '#record/names'
import { quoted } from '#record/quote'
import { phraseOf } from '#present/story/sentences'
import type { Fact } from '#ports/log'
import type { FactBeside } from '#client/reading/fact-shown'
import { csvLine, type CsvCell } from '#cli/terminal/csv'
import { textOfLine } from '#cli/terminal/line'
import { columnsOfText, terminalColumns, wrapped } from '#cli/terminal/width'

const positionWidth = 7
const nameWidth = 54

/**
 * Position, time, name without what is `asked` of its realm and the first era; what it says, and of
 * which tool. On a terminal that is too narrow what it says is on a line of its own.
 */
export function factLines(
  fact: Fact,
  of: SaidOf & { readonly asked: string },
  columns: number | null = terminalColumns(process.stdout),
): readonly string[] {
  const { position, appendedAt, name } = fact
  const { asked } = of
  const prefix = name.startsWith(`${asked}.1.`) ? `${asked}.1.` : `${asked}.`
  const shown = name.startsWith(prefix) ? name.slice(prefix.length) : name
  const time = new Date(appendedAt).toISOString().slice(0, 23).replace('T', ' ')
  const at = String(position).padStart(positionWidth)
  const said = phraseWithTool(fact, of)
  const line = `${at}  ${time}  ${shown.padEnd(nameWidth)}  ${said}`
  if (columns === null || columnsOfText(line) <= columns) return [line]
  const indent = ' '.repeat(positionWidth + 2)
  return [`${at}  ${time}  ${shown}`, ...wrapped([indent + said], columns).map(textOfLine)]
}

interface SaidOf {
  readonly realm: string
  readonly tool: string | null
  /** Why its allow counts for nothing; absent where it counts, and of all else. */
  readonly forged?: string | null
}

/** What a fact says; one that is about an intent and names no tool, with the tool. */
function phraseWithTool(fact: Fact, { realm, tool, forged }: SaidOf): string {
  const phrase = phraseOf(fact, realm, forged)
  const isAsking = isMessage(partsInRealm(fact.name, realm))
  return tool === null || isAsking ? phrase : `${quoted(tool)}: ${phrase}`
}

const csvColumns = [
  'position',
  'time',
  'name',
  'kind',
  'agent',
  'tool',
  'outcome',
  'reasons',
  'text',
] as const

export function csvHead(hasCells: boolean): string {
  return csvLine(hasCells ? ['cell', ...csvColumns] : csvColumns)
}

export function factCells(
  fact: Fact,
  realm: string,
  { asked, cell, forged }: FactBeside,
): readonly CsvCell[] {
  const { position, appendedAt, name } = fact
  const kind = partsInRealm(name, realm)?.kind ?? null
  const verdict = kind === 'verdict' && forged === null ? readData('verdict', fact) : null
  const came = kind === 'outcome' || kind === 'ownoutcome' ? readData(kind, fact) : null
  return [
    ...(cell === undefined ? [] : [cell]),
    position,
    new Date(appendedAt).toISOString(),
    name,
    kind,
    asked?.agent ?? null,
    asked?.tool ?? null,
    verdict?.outcome ?? came?.outcome ?? null,
    verdict === null ? null : verdict.reasons.map(({ code }) => code).join(' '),
    phraseOf(fact, realm, forged),
  ]
}
