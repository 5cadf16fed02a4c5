// A plan for people: what would be added, changed and removed, what only the log has, what was
// changed since the folder was applied last, and what the change would do today.
import { eachCatalogChange } from '#rules/catalog/catalog-difference'
import type { Flaw } from '#authoring/lint/flaw'
import { differenceOf } from '#knowledge/graph/graph-difference'
import type { State } from '#state/state'
import { counted, jsonText } from '#present/wording'
import type { Drift } from '#authoring/plan/drift'
import type { OnlyInLog, PlannedSeed } from '#authoring/plan/seed-plan'
import { operationsText } from '#authoring/operation-text'
import { firstDiffLines } from '../catalog/print-diff.ts'
import { lettingLines, type Letting } from '../test/letting.ts'
import { dryRunLines } from '../editing/flips-text.ts'
import { warningLines } from '../editing/warnings.ts'
import { graphDiffLines, marked } from '../graph/print-diff.ts'
import { indentedLines, toned, type Line } from '#cli/terminal/line'
import type { PlanPreview, QuestionLoad } from './preview.ts'

export interface ShownPlan {
  /** The folder, or the file of the plan. */
  readonly what: string
  readonly before: Pick<State, 'graph' | 'catalog' | 'graphRevision' | 'catalogRevision'>
  readonly plan: Pick<PlannedSeed, 'sets' | 'after'>
  readonly onlyInLog: readonly OnlyInLog[]
  readonly prune: boolean
  readonly warnings: readonly Flaw[]
  readonly drift: Drift | null
  readonly letting: Letting
  readonly preview: PlanPreview | null
}

const shownMax = 20
const linesMax = 200

export function planLines(shown: ShownPlan): readonly Line[] {
  const { what, before, plan, onlyInLog, warnings, drift, preview } = shown
  const { graphRevision, catalogRevision } = before
  const at = `graph revision ${graphRevision}, catalog revision ${catalogRevision}`
  const isSame = plan.sets.length === 0
  const sets = counted(plan.sets.length, 'change set')
  return [
    ...(isSame && onlyInLog.length === 0 ? [] : driftLines(drift)),
    isSame ? sameText(shown) : `${what} would change (${at}), as ${sets}:`,
    ...(isSame ? [] : changeLines(shown)),
    ...onlyInLogLines(shown),
    ...warningLines(warnings),
    ...lettingLines(shown.letting),
    ...dryRunLines(preview),
    ...(preview === null ? [] : loadLines(preview.questions)),
  ]
}

/** What was taken out of a file is no change of the log, and must not read as if it were. */
export function sameText({
  what,
  onlyInLog,
  prune,
}: Pick<ShownPlan, 'what' | 'onlyInLog' | 'prune'>): string {
  const kept = onlyInLog.filter(isOfSharedEntry).length
  if (kept === 0 || prune) return `up to date: no changes in ${what}`
  const settings = kept === 1 ? '1 setting stays' : `${kept} settings stay`
  return `${what} adds and changes nothing, and ${settings} that it does not have`
}

/** A setting of an entry that the folder has, too: most likely it was there, and was deleted. */
export function isOfSharedEntry({ path }: OnlyInLog): boolean {
  const [collection = '', id] = path
  return Object.hasOwn(nouns, collection) && id !== undefined && path.length > 2
}

function changeLines({ before, plan: { after } }: ShownPlan): readonly Line[] {
  const graph = differenceOf(before.graph, after.graph)
  const catalog = firstDiffLines(eachCatalogChange(before.catalog, after.catalog), linesMax)
  const lines = [
    ...(graph.length === 0 ? [] : ['  graph', ...indentedLines(graphDiffLines(graph))]),
    ...(catalog.count === 0 ? [] : ['  catalog', ...indentedLines(catalog.lines)]),
  ]
  const more = lines.length + catalog.total - catalog.lines.length - linesMax
  return more > 0 ? [...lines.slice(0, linesMax), toned('dim', `  and ${more} more lines`)] : lines
}

export function onlyInLogLines({
  onlyInLog,
  prune,
}: Pick<ShownPlan, 'onlyInLog' | 'prune'>): readonly Line[] {
  if (onlyInLog.length === 0) return []
  const head = prune
    ? 'only the log has these, and --prune removes them:'
    : 'only the log has these, and they stay (--prune removes them, `pull` writes them down):'
  const more = onlyInLog.length - shownMax
  return [
    toned('warn', head),
    ...settingsFirst(onlyInLog)
      .slice(0, shownMax)
      .map((one) => marked('removed', 0, `  ${onlyText(one)}`)),
    ...(more > 0 ? [toned('dim', `  and ${more} more`)] : []),
  ]
}

function settingsFirst(all: readonly OnlyInLog[]): readonly OnlyInLog[] {
  return [...all.filter(isOfSharedEntry), ...all.filter((one) => !isOfSharedEntry(one))]
}

const nouns: Readonly<Record<string, string>> = {
  principals: 'principal',
  groups: 'group',
  capabilities: 'capability',
  confirmations: 'confirmation',
  resources: 'resource',
  primitives: 'primitive',
}

/** Such as `principal my-agent: roles "admin"`. */
export function onlyText({ path, value }: OnlyInLog): string {
  const parts = path.filter((part) => part !== 'depths' && part !== 'relata')
  const [collection = '', id, ...rest] = parts
  const noun = nouns[collection]
  if (noun === undefined) return `${parts.join(' ')} ${jsonText(value)}`
  if (id === undefined) return `${noun} ${nameIn(value)}`
  const within = rest.length === 0 ? '' : `${rest.join(' ')} `
  return `${noun} ${id}: ${within}${jsonText(value)}`
}

function nameIn(value: unknown): string {
  const name = ['id', 'name'].map((key) => memberOf(value, key)).find((one) => one !== undefined)
  return typeof name === 'string' ? name : jsonText(value)
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

/** Nothing where no one changed anything since. */
export function driftLines(drift: Drift | null): readonly Line[] {
  if (drift === null || drift.since.length === 0) return []
  const { kind, revision, appendedAt, since } = drift
  const when = new Date(appendedAt).toISOString().slice(0, 16).replace('T', ' ')
  const last = `${kind} revision ${revision}, ${when} UTC`
  const shown = since.slice(-shownMax)
  const head = `the log has moved on since a folder was applied last (${last}):`
  return [
    toned('warn', head),
    ...shown.map((moved) => {
      const what = operationsText(moved.operations)
      return `  ${moved.kind} revision ${moved.revision} by ${moved.by}: ${what}`
    }),
  ]
}

const aTenth = 10

function loadLines({ before, after, moreADay }: QuestionLoad): readonly Line[] {
  const more = after - before
  if (more === 0) return ['people are asked as often as before']
  const which = more > 0 ? 'more' : 'less'
  const count = counted(Math.abs(more), 'question')
  if (moreADay === null) return [`${count} ${which} among them`]
  const daily = Math.round(Math.abs(moreADay) * aTenth) / aTenth
  return [`${count} ${which} among them, ${daily} a day`]
}
