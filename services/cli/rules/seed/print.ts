// What a seed changed, for people.
import { catalogSettings } from '#rules/catalog/settings'
import { counted } from '#present/wording'
import type { SeedReport } from '#authoring/seed'
import { toned, type Line } from '#cli/terminal/line'
import { isOfSharedEntry, onlyInLogLines, sameText } from '../plan/print.ts'
import { pinWords, type Pinned } from '#cli/terminal/print-pin'

interface Around {
  readonly folder: string
  readonly revisions: { readonly graph: number; readonly catalog: number }
  /** The log, where this begins it. */
  readonly begins: Pinned | null
}

export function seedLines(
  report: SeedReport,
  { folder, revisions, begins }: Around,
): readonly Line[] {
  const { author, changes, createdKey } = report
  const isDry = changes.some(({ revision }) => revision === null)
  return [
    ...keyLines(createdKey),
    headline(report, folder, isDry),
    ...kindLines('graph', report, revisions.graph),
    ...kindLines('catalog', report, revisions.catalog),
    ...leftLines(report),
    ...(changes.length === 0 || isDry ? [] : [toned('dim', `  signed by ${author}`)]),
    ...(begins === null ? [] : ['  pin it wherever it is opened:', `  ${pinWords(begins)}`]),
  ]
}

function keyLines(created: SeedReport['createdKey']): readonly Line[] {
  if (created === null) return []
  return [`made a key for ${created.name}, who is now a policy admin: ${created.file}`]
}

function headline({ changes, onlyInLog }: SeedReport, folder: string, isDry: boolean): Line {
  if (changes.length === 0) return sameText({ what: folder, onlyInLog, prune: false })
  const sets = counted(changes.length, 'change set')
  return isDry
    ? toned('warn', `${folder} would be brought in as ${sets}; nothing was changed`)
    : toned('good', `${folder} is in the log, as ${sets}`)
}

function kindLines(
  kind: 'graph' | 'catalog',
  report: SeedReport,
  revision: number,
): readonly Line[] {
  const tally = Object.entries(report[kind])
  if (tally.length === 0) return []
  const words = tally.map(([word, count]) => (isSetting(word) ? word : `${word} ${count}`))
  const bound = report.changes.filter((change) => change.kind === kind)
  const at = bound.some((change) => change.revision === null) ? '' : ` (revision ${revision})`
  return [`  ${kind}${at}: ${words.join(', ')}`]
}

function isSetting(word: string): boolean {
  return [...catalogSettings, 'callbacks', 'rules', 'cells', 'dev'].includes(word)
}

function leftLines({ leftAlone, onlyInLog }: SeedReport): readonly Line[] {
  const { primitives, levels, edges } = leftAlone
  const settings = onlyInLog.filter(isOfSharedEntry)
  const entries = onlyInLog.filter((one) => one.of === 'catalog' && !settings.includes(one))
  const words = [
    ...(primitives === 0 ? [] : [counted(primitives, 'primitive')]),
    ...(levels === 0 ? [] : [counted(levels, 'level')]),
    ...(edges === 0 ? [] : [counted(edges, 'edge')]),
    ...(entries.length === 0 ? [] : [`${entries.length} of the catalog`]),
  ]
  const left = `  left alone, since only the log has them: ${words.join(', ')}`
  return [
    ...onlyInLogLines({ onlyInLog: settings, prune: false }),
    ...(words.length === 0 ? [] : [toned('dim', left)]),
  ]
}
