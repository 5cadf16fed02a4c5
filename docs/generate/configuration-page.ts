// The page of all settings, written from their table.
import type { Setting } from '#schemas/settings/setting'
import { settingGroups } from '#schemas/settings/table'
import { pageOf, paragraph } from './page.ts'

const begin = [
  '# Configuration',
  'For operators: every setting and variable of the environment.',
  '<!-- Generated from schemas/settings by `npm run schemas`. Do not edit. -->',
  'These variables of the environment are read, and no others. A variable that is empty counts ' +
    'as not set. A value that is not valid is refused with its name and what is expected, with ' +
    'exit code 2. The command line warns of a variable whose name is a misspelling of one of ' +
    'these. Options of a command come before variables; `--help` lists them.',
  'Secrets are given in files, never in a variable or an address.',
]

export function configurationPage(): string {
  const groups = settingGroups.flatMap(({ title, settings }) => [
    `## ${title}`,
    ...Object.values<Setting>(settings).flatMap(section),
  ])
  return pageOf([
    ...begin.map((text) => (text.startsWith('<') ? text : paragraph(text))),
    ...groups,
    '## Passed on',
    paragraph(
      'The tracing library reads more of its own variables, such as `OTEL_SERVICE_NAME`, ' +
        '`OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`. `NO_COLOR` and `TERM=dumb` turn ' +
        'colours off, `FORCE_COLOR` turns them on where there is no terminal, and `COLUMNS` says ' +
        'how wide lines may be. A command of `warrant reviews --exec` gets `WARRANT_INTENT`, ' +
        '`WARRANT_REVIEW` and `WARRANT_LOG`.',
    ),
  ])
}

function section({ name, means, unset, expects }: Setting): readonly string[] {
  const more = [
    ...(expects === undefined ? [] : [`Value: ${expects}.`]),
    ...(unset === undefined ? [] : [`If not set: ${unset}.`]),
  ]
  return [`### ${name}`, paragraph([means, ...more].join(' '))]
}
