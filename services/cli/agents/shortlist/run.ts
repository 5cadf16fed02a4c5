// Ranks the catalog of a log for a goal, or prints a node of its tree. It asks no one and records
// nothing: what an agent is offered is recorded by its client.
import { browsingTree, nodeAt, type BrowsingNode } from '#rules/routing/browse'
import { Fault } from '#record/fault'
import { shortlist, type Shortlist } from '#rules/routing/shortlist'
import { counted } from '#present/wording'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { looking } from '#cli/terminal/opening/known-at'
import { usage } from '#cli/terminal/failure'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'

interface ShortlistCommandOptions extends GlobalOptions {
  readonly browse?: boolean
  readonly max?: number
  readonly budget?: number
  readonly namespace?: readonly string[]
  readonly tag?: readonly string[]
  readonly exclude?: readonly string[]
}

export function shortlistCommand(
  goal: string | undefined,
  options: ShortlistCommandOptions,
): Promise<number> {
  const { browse = false, json = false } = options
  if (!browse && goal === undefined) throw usage('say the goal, or give --browse')
  return looking(options, 'catalog', async ({ knownAt }) => {
    const { capabilities } = (await knownAt(undefined)).catalog
    if (browse) {
      const node = nodeNamed(browsingTree(capabilities.keys()), goal ?? '')
      if (json) await printJson(withoutGrandchildren(node))
      else await print(nodeLines(node, goal ?? ''))
      return exitCodes.yes
    }
    const list = shortlist(capabilities, goal ?? '', filtersOf(options))
    if (json) await printJson(list)
    else await print(shortlistLines(list))
    return exitCodes.yes
  })
}

function filtersOf({ max, budget, namespace, tag, exclude }: ShortlistCommandOptions) {
  return {
    ...(max !== undefined && { max }),
    ...(budget !== undefined && { budget }),
    ...(namespace !== undefined && { namespaces: namespace }),
    ...(tag !== undefined && { tags: tag }),
    ...(exclude !== undefined && { exclude }),
  }
}

function shortlistLines(list: Shortlist): readonly Line[] {
  const { cards, matched, filtered, suspended, isAmbiguous, between } = list
  const rows = cards.map(({ id, safety, score, description }) => {
    return [id, safety, score.toFixed(2), description]
  })
  const left = [
    ...(filtered > 0 ? [`${filtered} left out by filters`] : []),
    ...(suspended > 0 ? [`${suspended} suspended`] : []),
  ]
  const note = left.length === 0 ? '' : `; ${left.join(', ')}`
  return [
    ...(rows.length === 0 ? [] : tableLines(['id', 'class', 'score', 'description'], rows)),
    toned('dim', `${cards.length} of ${matched} that have a word of the goal${note}`),
    ...(isAmbiguous ? [toned('warn', `close to each other: ${between.join(', ')}`)] : []),
  ]
}

const separator = '/'

function nodeNamed(root: BrowsingNode, path: string): BrowsingNode {
  const labels = path.split(separator).filter((label) => label !== '')
  const node = nodeAt(root, labels)
  if (node !== null) return node
  throw new Fault('unknown_entry', `the tree has no node \`${path}\`: see \`shortlist --browse\``)
}

function nodeLines({ children, count, id }: BrowsingNode, path: string): readonly Line[] {
  const rows = children.map((child) => [
    child.id ?? `${child.label}${separator}`,
    child.id === undefined ? String(child.count) : '',
  ])
  const title = path === '' ? 'the catalog' : path
  return [
    toned('strong', id ?? `${title}: ${counted(count, 'tool')}`),
    ...(rows.length === 0 ? [] : tableLines(['id', 'tools'], rows)),
  ]
}

/** One node at a time: what is below its children is asked for by their labels. */
function withoutGrandchildren({ children, ...node }: BrowsingNode) {
  const shown = children.map(({ label, id, count }) => ({
    label,
    count,
    ...(id !== undefined && { id }),
  }))
  return { ...node, children: shown }
}
