// Tries test cases one after the other, by the functions that answer an agent: what each came to,
// what differs from what it expects, and which rules no case exercised.
import type { CallbackRunner } from '#ports/callbacks'
import type { Graph } from '#knowledge/graph/revision'
import type { CameTo } from '#replay/what-if/came-to'
import type { Catalog } from '#rules/catalog/catalog'
import { deciders } from '#workers/deciders'
import type { NeverCase, TestCase } from './case-format.ts'
import type { WrittenCase } from './case-texts.ts'
import { differencesOf } from './check-case.ts'
import { coverageOf, shareOf, type CoveredRule } from './coverage.ts'
import { tryCase, type CaseBase } from './try-case.ts'

/** What cases are judged by. */
export interface CasesBase {
  readonly catalog: Catalog
  readonly graph: Graph
  readonly callbacks: CallbackRunner
  /** The digest of their module; null where there is none. */
  readonly module: string | null
  /** Milliseconds since any moment. */
  readonly elapsed: () => number
  /** Checks what may never be, for every kind of call. */
  readonly never: (of: NeverCase, base: CaseBase) => Promise<TriedParts>
}

export type TriedParts = Pick<TriedCase, 'came' | 'differences'>

export interface TriedCase {
  readonly file: string
  readonly name: string
  /** Of a property: that of a call that breaks it; null where none is known. */
  readonly came: CameTo | null
  /** What was not as expected, one line for each thing. */
  readonly differences: readonly string[]
  readonly ms: number
}

export interface CasesReport {
  readonly tried: readonly TriedCase[]
  readonly rules: readonly CoveredRule[]
}

/** A Thursday, at noon in UTC: a case that says no time is the same on every day. */
export const caseTimeDefault = Date.UTC(2026, 0, 1, 12)

export async function triedCases(
  cases: readonly WrittenCase[],
  { catalog, graph, callbacks, module, elapsed, never }: CasesBase,
): Promise<CasesReport> {
  const coverage = coverageOf({ catalog, graph })
  const base = { catalog, graph, callbacks, module, stages: deciders, now: caseTimeDefault }
  const tried: TriedCase[] = []
  for (const { file, of } of cases) {
    const began = elapsed()
    const { came, differences } = 'never' in of ? await never(of, base) : await expected(of, base)
    if (!('never' in of) && came !== null) coverage.add(of, came)
    tried.push({ file, name: of.name, came, differences, ms: elapsed() - began })
  }
  return { tried, rules: [...coverage.rules.values()] }
}

async function expected(of: TestCase, base: CaseBase): Promise<TriedParts> {
  const came = await tryCase(of, base)
  return { came, differences: differencesOf(came, of.expect) }
}

/** As `warrant test --json` prints it. */
export function casesJson({ tried, rules }: CasesReport): object {
  return {
    passed: tried.filter(({ differences }) => differences.length === 0).length,
    failed: tried.filter(({ differences }) => differences.length > 0).length,
    coverage: shareOf(rules),
    cases: tried.map(({ file, name, came, differences }) => {
      const { outcome, reasons, questions, confirmers, constraints } = came ?? nothing
      return { file, name, differences, outcome, reasons, questions, confirmers, constraints }
    }),
    rules: rules.map((rule) => ({ ...rule, outcomes: [...rule.outcomes] })),
  }
}

/** Of a property that holds: no call comes to what it is about. */
const nothing = { outcome: 'never', reasons: [], questions: [], confirmers: [], constraints: {} }
