// What test cases came to, for people: the failures in full, and what no case covers.
import { outcomeText } from '#cases/check-case'
import { shareOf, type CoveredRule } from '#cases/coverage'
import type { CasesReport, TriedCase } from '#cases/tried-cases'
import { counted } from '#present/wording'
import { toned, type Line } from '#cli/terminal/line'

const uncoveredMax = 20
const plurals = {
  capability: 'capabilities',
  policy: 'policies',
  condition: 'conditions',
  budget: 'budgets',
  list: 'lists of who may',
} as const

export function testLines(
  { tried, rules }: CasesReport,
  { verbose }: { readonly verbose: boolean },
): readonly Line[] {
  const failed = tried.filter(({ differences }) => differences.length > 0)
  const passed = tried.length - failed.length
  return [
    ...tried.flatMap((one) => caseLines(one, verbose)),
    failed.length === 0
      ? toned('good', `${counted(passed, 'case')} passed`)
      : toned('bad', `${failed.length} of ${counted(tried.length, 'case')} failed`),
    ...coverageLines(rules),
  ]
}

function caseLines(
  { file, name, came, differences }: TriedCase,
  verbose: boolean,
): readonly Line[] {
  if (differences.length > 0) {
    return [toned('bad', `✗ ${name}  (${file})`), ...differences.map((line) => `    ${line}`)]
  }
  const what = came === null ? 'never' : outcomeText(came)
  return verbose ? [toned('good', `✓ ${name}: ${what}`)] : []
}

function coverageLines(rules: readonly CoveredRule[]): readonly Line[] {
  if (rules.length === 0) return []
  const kinds = (['capability', 'policy', 'condition', 'list'] as const).flatMap((kind) => {
    const all = rules.filter((rule) => rule.kind === kind)
    const covered = all.filter(({ cases }) => cases > 0).length
    return all.length === 0 ? [] : [`${plurals[kind]} ${covered} of ${all.length}`]
  })
  const left = rules.filter(({ cases }) => cases === 0)
  const more = left.length - uncoveredMax
  return [
    `coverage ${shareOf(rules)} %: ${kinds.join(', ')}`,
    ...left
      .slice(0, uncoveredMax)
      .map(({ kind, name }) => toned('warn', `  no case: ${kind} ${name}`)),
    ...(more > 0 ? [toned('dim', `  and ${more} more`)] : []),
  ]
}
