// The page of what was counted of recorded work, from the figures that the command last counted.
import { z } from 'zod'
import { tables, type Table } from './tables.ts'

export const figuresFile = 'bench/evidence/figures.ndjson'
export const pageFile = 'docs/reference/evidence-of-work.md'

const Counted = z.strictObject({ table: z.string(), lines: z.array(z.string()) })
export type EvidenceFigures = Readonly<Record<string, readonly string[]>>

/** One line of JSON for each table. */
export function figuresIn(text: string): EvidenceFigures {
  const all = text.trimEnd().split('\n')
  const counted = all.map((line) => Counted.parse(JSON.parse(line)))
  return Object.fromEntries(counted.map(({ table, lines }) => [table, lines]))
}

export function figuresText(figures: EvidenceFigures): string {
  const all = Object.entries(figures)
  return all.map(([table, lines]) => `${JSON.stringify({ table, lines })}\n`).join('')
}

const introduction = [
  'For anyone who decides whether to believe it: what is let through, stopped and asked',
  'about, of work that others recorded.',
  '',
  '`npm run evidence -- --data FOLDER --write` makes this page. It counts the tables whose',
  'data is there and keeps the figures of the others. None of the data that is read from a',
  'folder is a part of this project; what a folder below it must hold stands at each table.',
  'Figures are of the default rules of the seeds, without the time that anything takes.',
  '',
  'No rule knows a label, a session or a task. The seeds for offices were written for tools',
  'and users before sessions of `slack`, `travel`, `github` and `dailylife` were played;',
  "those of `workspace`, `banking` and `shopping`, and the airline's, were written with the",
  'recording in view.',
  '',
  '*Right* calls are what the user wanted or a person would have let, *harmful* ones what',
  'an attack or a mistake did; *other* calls belong to neither. *Asked* means that a person',
  'sees the call first.',
]

export function evidencePage(figures: EvidenceFigures): string {
  const counted = tables.filter(({ id }) => (figures[id] ?? []).length > 0)
  return [
    `# Evidence of work\n\n${introduction.join('\n')}\n`,
    ...counted.map((table) => section(table, figures[table.id] ?? [])),
    `## Five tasks of the airline, beside another policy layer\n\n${besideBefore.join('\n')}\n`,
    `${besideTable.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`,
    `${besideAfter.join('\n')}\n`,
  ].join('\n')
}

function section(
  { title, data, licence, cannotShow, again }: Table,
  lines: readonly string[],
): string {
  return `## ${title}

${lines.map((line) => `- ${line}`).join('\n')}

${wrapped(`*Data:* ${data}. *Licence:* ${licence}.`)}

${wrapped(`*What it cannot show:* ${cannotShow}`)}

*Again:* \`${again}\`
`
}

const columnsMax = 120

function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > columnsMax) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

const besideBefore = [
  'Tasks 36, 43, 47, 48 and 49, which SASY published (demo.sasy.ai): the share of five runs',
  'each that ended right, with a live agent that could try again after a refusal. Ours are',
  'the four recorded conversations of each task, played as they were: right is one that',
  'ended right when it was recorded, or whose only wrong change is refused.',
]

const besideTable = [
  ['Layer', 'Ended right'],
  ['---', '---'],
  ['none, as recorded', '14 of 20 (0.70)'],
  ['Warrant, `seeds/airline`, played', '15 of 20 (0.75)'],
  ['SASY: the policy in the prompt', '0.68'],
  ['SASY: a weaker model as judge', '0.68–0.72'],
  ['SASY: a stronger model as judge', '0.84–1.00'],
  ['SASY: Datalog, translated by a model', '0.78–0.84'],
  ['SASY: Datalog, written by hand', '1.00'],
]

const besideAfter = [
  'The two are no match: theirs counts what an agent does next, which no recording has. Of',
  "the five that did not end right, two cancelled a business trip, which the airline's",
  'rules always allow, and in three the change that was wanted was never asked for, so that',
  'there was nothing to refuse.',
]
