// What a replay came to, and for the first difference what was recorded, what was derived, and from
// which basis.
import { join } from 'node:path'
import { unreachable } from '#record/fault'
import { counted, duration } from '#present/wording'
import type { ReplayDifference } from '#replay/differences'
import type { ReplayReport } from '#replay/replay'
import { replayFindingLines } from './print-finding.ts'
import type { LogReport } from './in-thread.ts'
import { differing } from '#cli/rules/editing/difference'
import type { Hints } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'

const voidsShownMax = 10

export interface Printing {
  readonly ms: number
  readonly hints: Hints
  /** Where callback modules were looked for; null where they are kept in no folder. */
  readonly folder: string | null
}

export function replayLines(report: LogReport, { ms, hints, folder }: Printing): readonly Line[] {
  const { facts, derived, given, faults, readBack, open, differences, unchecked, first } = report
  const perSecond = Math.round((derived * 1_000) / Math.max(ms, 1))
  const speed = `${derived} derived in ${duration(ms)}: ${perSecond} a second`
  const derives =
    unchecked === 0
      ? toned('good', 'every verdict was reproduced, byte for byte')
      : toned('warn', 'every verdict that could be checked here was reproduced, byte for byte')
  const differs = toned('bad', `${counted(differences, 'difference')} from what was recorded`)
  const { rolledBack } = report
  return [
    differences === 0 ? derives : differs,
    ...(rolledBack === undefined ? [] : [toned('bad', `  ${rolledBack}`)]),
    `  ${counted(facts, 'fact')} read, ${speed}`,
    ...identityLines(report),
    ...eraLines(report),
    ...moduleLines(report, folder),
    ...stoppedLines(report),
    ...headLines(report),
    ...(given === 0 ? [] : [`  ${counted(given, 'fact')} given that other cells derive`]),
    ...(faults === 0 ? [] : [`  ${counted(faults, 'fault')} of jobs, taken as recorded`]),
    ...(readBack === 0
      ? []
      : [`  ${counted(readBack, 'answer')} read back, of callbacks or verifiers`]),
    ...(open === 0
      ? []
      : [`  ${counted(open, 'intent')} without a verdict: ${hints('log --open')}`]),
    ...voidLines(report),
    ...replayFindingLines(report.findings),
    ...(first === null ? [] : ['', ...differenceLines(first)]),
  ]
}

function identityLines({ log, root }: ReplayReport): readonly Line[] {
  if (log === null || root === null) return ['  it has no catalog, so no key began it']
  return [`  the log ${log}, begun by the key ${root}`]
}

function eraLines({
  eras,
  start,
  unchecked,
  stopped,
  missingModules,
}: ReplayReport): readonly Line[] {
  const byModule = missingModules.reduce((sum, { facts }) => sum + facts, 0)
  const byEra = unchecked - byModule - stopped
  const opened = `${eras} eras, each of which opened with what was derived of those before it`
  if (start === null) return eras === 1 ? [] : [`  ${opened}`]
  const { era, position, by, key, digest, isRooted } = start
  const right = isRooted
    ? ', as the root key lets it: whether that is the right root key, --root-key shows'
    : ': whether that is right, this log cannot tell'
  return [
    toned(
      'warn',
      `  from the snapshot of era ${era}, the state at position ${position}, ${digest}`,
    ),
    `  \`${by}\` signed it with the key \`${key}\`${right}`,
    ...(byEra === 0
      ? []
      : [
          toned(
            'warn',
            `  ${counted(byEra, 'fact')} may come from what earlier eras said: not checked`,
          ),
        ]),
  ]
}

function moduleLines({ missingModules }: ReplayReport, folder: string | null): readonly Line[] {
  const where = folder === null ? 'here' : `in ${join(folder, 'callbacks')}`
  return missingModules.flatMap(({ module, facts }) => [
    toned(
      'warn',
      `  ${counted(facts, 'fact')} decided by a callback module cannot be checked here`,
    ),
    `    ${module} is not ${where}, or was changed there: copy it from where the log comes from`,
  ])
}

function stoppedLines({ stopped }: ReplayReport): readonly Line[] {
  if (stopped === 0) return []
  const why = 'deciding took too long here, as by patterns of rules before version 7'
  return [toned('warn', `  of ${counted(stopped, 'fact')} it cannot tell: ${why}`)]
}

function headLines({ head, hasHead, start }: ReplayReport): readonly Line[] {
  const of = start === null ? '' : ', of what is after that snapshot'
  const missing =
    'it does not have the head that was given: its end was cut, or a fact, its time or'
  return [
    `  head ${head}${of}`,
    ...(hasHead === false ? [toned('bad', `  ${missing} its place was changed`)] : []),
    ...(hasHead === true ? [toned('good', '  it has the head that was given, unchanged')] : []),
  ]
}

function voidLines({ voids, voidCount }: ReplayReport): readonly Line[] {
  if (voidCount === 0) return []
  const shown = voids.slice(0, voidsShownMax)
  const left = voidCount - shown.length
  return [
    toned('warn', `  ${counted(voidCount, 'fact')} count for nothing:`),
    ...shown.map(({ position, name, why }) => `    ${position} ${name}: ${why}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ]
}

function differenceLines(first: ReplayDifference): readonly Line[] {
  const { kind, position, name, basis, recorded, derived } = first
  const at = `at position ${position}${name === '' ? '' : `, ${name}`}`
  const from = basis === null ? '' : `, from basis ${basis}`
  switch (kind) {
    case 'missing':
      return [toned('bad', `first: missing ${at}`), `  ${recorded ?? ''}`]
    case 'unreadable':
      return [
        toned('bad', `first: ${at}, cannot be read as what a stage writes${from}`),
        `  recorded ${recorded ?? ''}`,
      ]
    case 'not_derived':
      return [
        toned('bad', `first: ${at}, does not derive${from}: no stage would have bound it there`),
        `  recorded ${recorded ?? ''}`,
      ]
    case 'differs':
      return [
        toned('bad', `first: ${at}, derives differently${from}`),
        ...differing(recorded ?? '', derived ?? '').flatMap((each) => [
          `  ${each.path === '' ? 'as a whole' : each.path}`,
          toned('bad', `    recorded ${each.recorded ?? 'nothing'}`),
          toned('good', `    derived  ${each.derived ?? 'nothing'}`),
        ]),
      ]
    default:
      return unreachable(kind)
  }
}
