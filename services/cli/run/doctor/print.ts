// What `warrant doctor` found, for people: a table of all checks, and below it what to do.
import { failuresIn, type DoctorFinding, type Status } from '#health/doctor/finding'
import { counted } from '#present/wording'
import { toned, type Line, type Tone } from '#cli/terminal/line'
import { tableBlocks } from '#cli/terminal/table'

const tones: Readonly<Record<Status, Tone>> = { ok: 'good', warning: 'warn', failure: 'bad' }

export function findingLines(log: string, findings: readonly DoctorFinding[]): readonly Line[] {
  const together = alike(findings)
  const rows = together.map(({ status, check, about, found }) => [status, check, about, found])
  const { top, blocks } = tableBlocks(['', 'check', 'of', 'found'], rows)
  const painted = blocks.flatMap((lines, index) =>
    lines.map((line) => toned(tones[together[index]?.status ?? 'ok'], line)),
  )
  return [...top, ...painted, ...fixLines(together), '', verdictLine(log, findings)]
}

/**
 * What was found alike of several is one line: of what is well with the first and a count, of all
 * else with every name.
 */
function alike(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const groups = new Map<string, DoctorFinding[]>()
  for (const finding of findings) {
    const { check, status, found, fix } = finding
    const key = JSON.stringify([check, status, found, fix])
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const names = group.map(({ about }) => about).filter((about) => about !== '')
    const isCounted = first.status === 'ok' && names.length > namesMax
    const about = isCounted ? `${names[0]} and ${names.length - 1} more` : names.join(', ')
    return [{ ...first, about }]
  })
}

/** So many names are shorter than a count. */
const namesMax = 2

function fixLines(findings: readonly DoctorFinding[]): readonly Line[] {
  const toFix = findings.flatMap(({ check, about, fix }) => {
    return fix === null ? [] : [`  ${about === '' ? check : `${check} of ${about}`}: ${fix}`]
  })
  return toFix.length === 0 ? [] : ['', toned('strong', 'To fix'), ...toFix]
}

function verdictLine(log: string, findings: readonly DoctorFinding[]): Line {
  const failed = failuresIn(findings).length
  const warned = findings.filter(({ status }) => status === 'warning').length
  if (failed > 0) return toned('bad', `${log}: ${failed} failed, ${counted(warned, 'warning')}`)
  if (warned > 0) return toned('warn', `${log}: nothing failed, ${counted(warned, 'warning')}`)
  return toned('good', `${log}: all checks passed`)
}
