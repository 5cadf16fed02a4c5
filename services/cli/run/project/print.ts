// How far a database is, and where it does not hold what the log says, for people.
import { unreachable } from '#record/fault'
import { counted } from '#present/wording'
import type {
  Compared,
  ComparedCell,
  ProjectionCheck,
  ProjectionDifference,
  Uncompared,
} from '#neo4j/report'
import { differing } from '#cli/rules/editing/difference'
import { toned, type Line } from '#cli/terminal/line'

interface Projected {
  readonly realm: string
  readonly position: number | null
  /** None where there is one log. */
  readonly cells: readonly { readonly cell: number; readonly position: number }[]
}

export function projectedLines({ realm, position, cells }: Projected): readonly Line[] {
  const each = cells.map(({ cell, position: at }) => `  cell ${cell} up to position ${at}`)
  return [toned('good', `Neo4j holds the realm ${realm} up to position ${position ?? 0}`), ...each]
}

/** `realm` is the one that was asked about. */
export function projectionLines(check: ProjectionCheck, realm: string): readonly Line[] {
  switch (check.standing) {
    case 'same':
      return [toned('good', heldText(check)), ...extentLines(check)]
    case 'behind':
      return [
        toned('warn', `${heldText(check)}${lateText(check)}: ${lagText(check)}`),
        ...extentLines(check),
        "  'warrant project neo4j' updates it, and keeps it current",
      ]
    case 'differs':
      return differsLines(check)
    default:
      return [toned('bad', uncomparedText(check, realm)), `  ${fixText(check)}`]
  }
}

function heldText({ position }: Compared): string {
  return `Neo4j holds what the log says at position ${position}`
}

function lateText({ cells, head }: Compared): string {
  return cells === undefined ? `, and the log ends at ${head}` : ', and a log goes on'
}

/** Of all logs together. */
function lagOf({ cells = [], ...control }: Compared): number {
  return [control, ...cells].reduce((sum, { head, position }) => {
    return sum + Math.max(0, head - position)
  }, 0)
}

function lagText(check: Compared): string {
  return `${counted(lagOf(check), 'fact')} behind`
}

function extentLines({ primitives, intents, from, digest, cells = [] }: Compared): readonly Line[] {
  const held = `${counted(primitives, 'primitive')}, ${counted(intents, 'intent')}`
  return [
    `  ${held}, ${digest.here}`,
    ...(from === 0
      ? []
      : [toned('dim', `  intents up to position ${from} are not there, or not in this log`)]),
    ...cells.map(cellLine),
  ]
}

function cellLine({ cell, position, head, from, intents }: ComparedCell): Line {
  const lag = position < head ? `, and its log ends at ${head}` : ''
  const part = from === 0 ? '' : `; those up to position ${from} are not there, or not in its log`
  return `  cell ${cell}: ${counted(intents, 'intent')} up to position ${position}${lag}${part}`
}

function uncomparedText(check: Uncompared, realm: string): string {
  const { cell } = check
  const text = textOfUncompared(check, realm)
  return cell === undefined ? text : `cell ${cell}: ${text}`
}

function textOfUncompared({ standing, realm: held, position, head }: Uncompared, realm: string) {
  switch (standing) {
    case 'other_realm':
      return `Neo4j says that it holds the realm ${held}, and not ${realm}`
    case 'other_log':
      return `Neo4j stands at position ${position} of another log; this one ends at ${head}`
    case 'incomplete': {
      const why = 'it is being rebuilt, or a rebuild was left unfinished'
      return `Neo4j is incomplete, at position ${position} of ${head}: ${why}`
    }
    case 'cut_off':
      return `Neo4j is at position ${position}, and this log begins after it`
    case 'broken':
      return 'the projection does not say how far it is: its node was changed'
    default:
      return unreachable(standing)
  }
}

function fixText({ standing, realm }: Uncompared): string {
  const rebuild = 'warrant project neo4j --rebuild'
  if (standing === 'other_realm') return `if that is wrong: '${rebuild} --replace ${realm}'`
  if (standing === 'incomplete') return `if no one rebuilds it: '${rebuild}'`
  return `'${rebuild}' writes it again from this log`
}

function differsLines(check: Compared): readonly Line[] {
  const { position, digest, differences, first } = check
  const left = differences - first.length
  const lag = lagOf(check) > 0 ? `; it is also ${lagText(check)}` : ''
  const many = counted(differences, 'difference')
  return [
    toned('bad', `${many} from the log at position ${position}${lag}`),
    `  the log: ${digest.here}`,
    `  Neo4j:   ${digest.there}`,
    ...first.flatMap(differenceLines),
    ...(left > 0 ? [`  and ${left} more`] : []),
    "  'warrant project neo4j --rebuild' writes it again",
  ]
}

function differenceLines(difference: ProjectionDifference): readonly Line[] {
  const { of, name, what, here, there, cell } = difference
  const where = cell === undefined ? '' : `cell ${cell}: `
  const isNamed = of === 'primitive' || of === 'count' || of === 'mark'
  const named = `${where}${isNamed ? name : `${of} ${name}`}`
  if (of === 'count' || (of === 'schema' && what === 'differs')) {
    return [toned('bad', `  ${named}: ${here ?? ''} by the log, ${there ?? ''} in Neo4j`)]
  }
  switch (what) {
    case 'missing':
      return [toned('bad', `  ${named} is missing`)]
    case 'extra':
      return [toned('bad', `  ${named} is there, and the log does not know it`)]
    case 'out_of_order':
      return [toned('bad', `  ${named} is not where it belongs in the stored order`)]
    case 'differs':
      return [
        toned('bad', `  ${named}`),
        ...differing(here ?? '', there ?? '').flatMap(({ path, recorded, derived }) => [
          `    ${path}`,
          toned('good', `      the log: ${recorded ?? 'nothing'}`),
          toned('bad', `      Neo4j:   ${derived ?? 'nothing'}`),
        ]),
      ]
    default:
      return unreachable(what)
  }
}
