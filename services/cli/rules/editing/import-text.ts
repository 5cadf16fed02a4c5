// What an import changed, for people.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { counted } from '#present/wording'
import type { ChangeKind, Moved } from '#authoring/moved'
import { movedLines, operationLines } from './change-text.ts'
import { toned, type Line } from '#cli/terminal/line'

export interface ImportReport {
  readonly kind: ChangeKind
  readonly dryRun: boolean
  readonly by: string | null
  /** As they were bound; none for a dry run. */
  readonly revisions: readonly number[]
  /** How many change sets it takes. */
  readonly sets: number
  /** How many operations of each sort. */
  readonly operations: Readonly<Record<string, number>>
  /** By nouns in the plural. */
  readonly leftAlone: Readonly<Record<string, number>>
  readonly moved: readonly Moved[]
}

export function importLines(report: ImportReport, file: string): readonly Line[] {
  const { by, operations, leftAlone, revisions, moved } = report
  const words = Object.entries(operations).map(([word, count]) => `${word} ${count}`)
  const left = Object.entries(leftAlone)
    .filter(([, count]) => count > 0)
    .map(([nouns, count]) => counted(count, nouns.slice(0, -1)))
  return [
    headline(report, file),
    ...(words.length === 0 ? [] : [`  ${words.join(', ')}`]),
    ...(left.length === 0
      ? []
      : [toned('dim', `  left alone, since only the log has them: ${left.join(', ')}`)]),
    ...(by === null || revisions.length === 0 ? [] : [toned('dim', `  signed by ${by}`)]),
    ...movedLines(moved, revisions.at(-1) ?? 0),
  ]
}

function headline({ kind, dryRun, revisions, sets }: ImportReport, file: string): Line {
  if (sets === 0) return `up to date: the ${kind} has everything in ${file}`
  const count = counted(sets, 'change set')
  if (dryRun) {
    return toned('warn', `${file} would change the ${kind} as ${count}; nothing was changed`)
  }
  const [first = 0] = revisions
  const last = revisions.at(-1) ?? first
  const which = first === last ? `revision ${first}` : `revisions ${first} to ${last}`
  const why = sets === 1 ? '' : `, as ${count} (256 KiB each at most)`
  return toned('good', `${file} is in the ${kind}: ${which}${why}`)
}

/** What is about to be signed. */
export function toSignLines(
  file: string,
  sets: readonly { readonly operations: readonly (GraphOperation | CatalogOperation)[] }[],
): readonly Line[] {
  const all = sets.flatMap(({ operations }) => operations)
  return [`${file}, as ${counted(sets.length, 'change set')}:`, ...operationLines(all)]
}

/** How many of each sort; entries of a catalog by what they are. */
export function tallied(
  sets: readonly { readonly operations: readonly (GraphOperation | CatalogOperation)[] }[],
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const { operations } of sets) {
    for (const operation of operations) {
      const word = wordOf(operation)
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return Object.fromEntries(counts)
}

function wordOf(operation: GraphOperation | CatalogOperation): string {
  if (operation.op === 'set') return `set ${operation.key}`
  return 'collection' in operation ? `${operation.op} ${operation.collection}` : operation.op
}
