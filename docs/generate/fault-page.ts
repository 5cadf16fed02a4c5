// The page of all faults, written from the registry: what each code means, whether trying again
// helps, with what a command ends, and what to do.
import { faultAreas } from '#schemas/faults/registry'
import type { FaultEntry } from '#schemas/faults/entry'
import { exitCodes, exitMeanings } from '#schemas/faults/exit'
import { pageOf, paragraph } from './page.ts'

const begin = [
  '# Faults',
  'For anyone who meets an error code.',
  '<!-- Generated from schemas/faults by `npm run schemas`. Do not edit. -->',
  'An error of the command line, of the client and of a stage has a code. This page says what ' +
    'each code means and what to do. Codes stay the same between versions; messages may change, ' +
    'so programs should read the code.',
  'With `--json` a command writes `{"error":{"code":…,"message":…}}`. In a program the error is ' +
    'a `Fault` with `code`, `message` and `retry`. A job that was set aside has the code in its ' +
    '`fault` fact; `warrant faults` lists them.',
  '*Retry* says whether the same call may succeed later without a change. A single error may ' +
    'say otherwise: `log_refused` not if the server never takes such a request, `era_sealed` ' +
    `not if the warrant was of that era. Where no exit code is given, it is ${exitCodes.fault}.`,
]

export function faultPage(): string {
  const parts = begin.map((text) => (text.startsWith('<') ? text : paragraph(text)))
  const index = faultAreas.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join('\n')
  const areas = faultAreas.flatMap(({ title, faults }) => [
    `## ${title}`,
    ...Object.entries<FaultEntry>(faults).flatMap(([code, entry]) => section(code, entry)),
  ])
  return pageOf([...parts, exitTable(), index, ...areas])
}

/** With what every command ends. */
function exitTable(): string {
  const rows = exitMeanings.map(({ code, means }) => `| ${code} | ${means} |`)
  return ['| Exit code | Meaning |', '|---|---|', ...rows].join('\n')
}

function section(code: string, { retry, exit, means, fix }: FaultEntry): readonly string[] {
  const notes = [
    ...(retry === 'soon' ? ['*Retry: soon.*'] : []),
    ...(exit === undefined ? [] : [`*Exit code ${exit}.*`]),
  ]
  return [`### ${code}`, paragraph([means, fix, ...notes].join(' '))]
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')
}
