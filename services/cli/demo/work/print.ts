// The work demo's result as a person reads it: a row for each task, and what is not as expected.
import { tableBlocks } from '#cli/terminal/table'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import type { FoundWork, SeenStanding, SeenTask } from '#demo/work-task'
import type { PieceShown } from '../piece.ts'
import { replayedLines } from '../print.ts'
import type { WorkResult } from './result.ts'
import type { ReinstatedRow, WorkRow } from './rows.ts'

export interface WorkShown extends PieceShown {
  readonly result: WorkResult
}

export function workLines(shown: WorkShown): readonly Line[] {
  const { result, seconds, facts, interrupted, replayed, further } = shown
  const { rows, played, asExpected, different } = result
  const head = interrupted
    ? `interrupted: what was played so far of ${rows.length} tasks`
    : `${rows.length} tasks of coding agents, honest, careless and cheating`
  return [
    '',
    toned('strong', head),
    `${played} tasks played in ${seconds.toFixed(1)} s, ${facts} facts in the log`,
    isolationLine(result),
    '',
    ...tableOf(result),
    '',
    toned(
      different === 0 ? 'good' : 'bad',
      `${asExpected} of ${asExpected + different} rows as expected`,
    ),
    ...(interrupted ? [] : rows.flatMap(unplayedLine)),
    ...[...rows, ...result.reinstated].flatMap(differingLines),
    '',
    ...(replayed === null ? [] : [...replayedLines(replayed), '']),
    'Look further:',
    ...further.map((line) => (line === '' ? line : `  ${line}`)),
  ]
}

function isolationLine({ isolation }: WorkResult): Line {
  return isolation === 'namespaces'
    ? 'what agents wrote was run in namespaces of its own'
    : toned('warn', 'no namespaces here: what agents wrote was run as processes of this user')
}

const head = ['agent', 'task', 'how', 'claimed', 'found', 'score', 'standing', 'level', 'next']

/** A line for each attempt, of which the last has what came of all. */
function tableOf({ rows, reinstated }: WorkResult): readonly Line[] {
  const lines = [...rows.flatMap(taskLines), ...reinstated.map(reinstatedLine)]
  const { top, blocks } = tableBlocks(
    head,
    lines.map(({ cells }) => cells),
  )
  return [
    ...top,
    ...blocks.flatMap((block, index) => {
      const { tone = 'plain' } = lines[index] ?? {}
      return block.map((line) => toned(tone, line))
    }),
  ]
}

interface TableLine {
  readonly tone: Tone
  readonly cells: readonly string[]
}

function toneOf({ seen, differing }: WorkRow | ReinstatedRow): Tone {
  if (differing.length > 0) return 'bad'
  return seen === null ? 'dim' : 'plain'
}

function taskLines(row: WorkRow): readonly TableLine[] {
  const { agent, task, seen } = row
  const { attempts, next, way } = task
  const tone = toneOf(row)
  if (seen === null) return [{ tone, cells: [agent, task.task, way, '', 'not played'] }]
  const score = seen.score === null ? '' : String(seen.score)
  const last = [score, ...standingCells(seen), `${next}: ${seen.next}`]
  return attempts.map(({ report }, index) => {
    const first = index === 0 ? [agent, task.task, way] : ['', '', '']
    const found = foundText(seen.found[index] ?? null)
    const isLast = index === attempts.length - 1
    return { tone, cells: [...first, report.status, found, ...(isLast ? last : [])] }
  })
}

function reinstatedLine(row: ReinstatedRow): TableLine {
  const { agent, next, seen } = row
  const cells = [agent, '', 'person reinstates', '']
  const tone = toneOf(row)
  if (seen === null) return { tone, cells: [...cells, 'not played'] }
  return { tone, cells: [...cells, '', '', ...standingCells(seen), `${next}: ${seen.next}`] }
}

function standingCells({ before, after, level }: SeenStanding): readonly string[] {
  return [`${before.toFixed(2)} → ${after.toFixed(2)}`, level]
}

function foundText(found: FoundWork | null): string {
  if (found === null) return 'not counted'
  const { verification, gate } = found
  return gate === undefined ? verification : `${verification}: ${gate}`
}

function unplayedLine({ agent, task, seen }: WorkRow): readonly Line[] {
  if (seen !== null) return []
  const { tests = 'node' } = task
  const why = `\`${tests}\` cannot be run here as a gate runs it`
  return [toned('warn', `${agent}: ${task.task} could not be verified, since ${why}`)]
}

function differingLines(row: WorkRow | ReinstatedRow): readonly Line[] {
  const { agent, seen, expected, differing } = row
  const task = 'task' in row ? row.task.task : 'reinstatement'
  const values = (of: SeenTask | SeenStanding | null) => new Map(Object.entries(of ?? {}))
  return differing.map((name) => {
    const [is, be] = [seen, expected].map((of) => JSON.stringify(values(of).get(name)))
    return toned('bad', `${agent}: ${task}: ${name} is ${is}, expected ${be}`)
  })
}
