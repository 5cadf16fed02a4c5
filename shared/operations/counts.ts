// What became of intents, in numbers: counted as the log is folded. No allow is derived again: to
// derive each costs a decision.
import { counted as countedText, duration, utc } from '#present/wording'
import { toned, type OnScreen, type Rows } from '#present/lines'
import {
  countsAsked,
  type BudgetLeft,
  type Spread,
  type TallyCounts,
} from '#schemas/operations/counts'
import type { OperationAnswer } from '#schemas/operations/table'
import { answersOf } from './answering.ts'
import { budgetsLeft, keysUsed, type BudgetsOf } from './counting/budgets-left.ts'
import { folding, foldsOf } from './counting/folded.ts'
import { counting, newCounted, spreadOf, type Tally } from './counting/tallies.ts'
import { meantKnown } from './finding/known-names.ts'

type Counts = OperationAnswer<'counts'>

export const countsAnswered = answersOf(countsAsked, {
  async answer({ realm }, { limit, ...given }) {
    const options = await meantKnown(realm, given)
    const counted = newCounted()
    const budgets: BudgetsOf[] = []
    const { begin, logs } = foldsOf(realm)
    for (const one of logs) {
      const count = counting(counted, options)
      const keys = keysUsed()
      const { state } = await folding(one, (fact, folded) => {
        count.take(fact, folded)
        keys.take(fact, folded)
      })
      count.end((address) => state.intents.has(address))
      budgets.push({ at: one.at, state, texts: keys.texts })
    }
    const tools = [...counted.tools].map(([tool, tally]) => ({ tool, ...tallyOf(tally) }))
    const agents = [...counted.agents].map(([agent, tally]) => ({ agent, ...tallyOf(tally) }))
    const confirmers = [...counted.confirmers].map(([confirmer, { yes, no, waitsMs }]) => {
      return { confirmer, agreed: yes, declined: no, timeToAnswer: spreadOf(waitsMs) }
    })
    const left = budgetsLeft(budgets, realm.now)
    return {
      ...begin,
      counts: 'recorded' as const,
      all: tallyOf(counted.all),
      tools: tools.toSorted(byIntents).slice(0, limit),
      agents: agents.toSorted(byIntents).slice(0, limit),
      confirmers: confirmers
        .toSorted((one, other) => other.timeToAnswer.count - one.timeToAnswer.count)
        .slice(0, limit),
      timeToDecide: {
        withoutPeople: spreadOf(counted.alone),
        withPeople: spreadOf(counted.withPeople),
      },
      calls: Object.fromEntries(counted.calls),
      budgets: left.slice(0, limit),
      found: {
        tools: tools.length,
        agents: agents.length,
        confirmers: confirmers.length,
        budgets: left.length,
      },
    }
  },
  shown: countsOnScreen,
})

function tallyOf({ reasons, ...counts }: Tally): TallyCounts {
  return { ...counts, reasons: Object.fromEntries(reasons) }
}

interface Asked {
  readonly intents: number
}

function byIntents(one: Asked, other: Asked): number {
  return other.intents - one.intents
}

function countsOnScreen(answer: Counts): readonly OnScreen[] {
  const { all, tools, agents, confirmers, timeToDecide, calls, budgets, found } = answer
  const left = sectionOf(leftHead, leftRows(budgets))
  if (all.intents === 0) return ['no intent matches', ...left]
  const observed = all.observed === 0 ? '' : `, ${all.observed} of them observed only`
  const parts = [
    `${all.allowed} allowed (${all.confirmed} after people agreed)`,
    `${all.denied} denied`,
    `${all.open} open`,
  ]
  const head = `${countedText(all.intents, 'intent')}: ${parts.join(', ')}${observed}`
  return [
    toned('strong', head),
    '',
    toolRows(tools.map(({ tool: name, ...tally }) => ({ name, ...tally }))),
    ...more(tools, found.tools),
    '',
    toolRows(
      agents.map(({ agent: name, ...tally }) => ({ name, ...tally })),
      'agent',
    ),
    ...more(agents, found.agents),
    ...sectionOf(['reason', 'denials', 'share'], reasonRows(all)),
    ...sectionOf(
      ['confirmer', 'agreed', 'declined', ...spreadHead],
      confirmers.map(({ confirmer, agreed, declined, timeToAnswer }) => {
        return [confirmer, String(agreed), String(declined), ...spreadTexts(timeToAnswer)]
      }),
    ),
    ...more(confirmers, found.confirmers),
    ...sectionOf(['time to decide', 'verdicts', ...spreadHead], timeRows(timeToDecide)),
    ...sectionOf(
      ['what came of the call', 'calls'],
      mostFirst(calls).map(([outcome, count]) => [outcome, String(count)]),
    ),
    ...left,
    ...more(budgets, found.budgets),
    ...(all.allowed > 0 ? ['', toned('dim', asRecordedText)] : []),
  ]
}

const asRecordedText =
  'Allows are counted as recorded: `warrant log --void` derives each again and names the forged.'

const leftHead = ['cell', 'budget', 'for', 'used', 'of', 'left', 'frees']
const spreadHead = ['median', '95 %', 'longest']

function more(shown: readonly unknown[], found: number): readonly OnScreen[] {
  return shown.length < found ? [toned('dim', `and ${found - shown.length} more`)] : []
}

/** What became of the calls of a tool, as the table of the demo shows it too. */
interface ToolRow extends Pick<TallyCounts, 'allowed' | 'confirmed' | 'denied' | 'reasons'> {
  readonly name: string
  readonly open?: number
}

/** The most asked for first; `open` is a column where it is counted. */
export function toolRows(rows: readonly ToolRow[], head = 'tool'): Rows {
  const hasOpen = rows.some(({ open }) => open !== undefined)
  const titles = [head, 'allowed', 'confirmed', 'denied', ...(hasOpen ? ['open'] : [])]
  const callsIn = ({ allowed, denied, open = 0 }: ToolRow): number => allowed + denied + open
  const cells = rows
    .toSorted((one, other) => callsIn(other) - callsIn(one))
    .map(({ name, allowed, confirmed, denied, open, reasons }) => {
      const counts = [allowed, confirmed, denied, ...(hasOpen ? [open ?? 0] : [])]
      return [name, ...counts.map(String), reasonsText(reasons)]
    })
  return rowsOf([...titles, 'by first reason'], cells)
}

/** Such as `ungrounded 8, message_blocked 2`. */
export function reasonsText(reasons: TallyCounts['reasons']): string {
  return mostFirst(reasons)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ')
}

export function mostFirst(counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).toSorted(([, one], [, other]) => other - one)
}

function rowsOf(head: readonly string[], rows: readonly (readonly string[])[]): Rows {
  return { head, rows: rows.map((cells) => ({ cells, tone: 'plain' as const })) }
}

/** A table after a line that parts it from what is above; nothing where it has no rows. */
export function sectionOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly OnScreen[] {
  if (rows.length === 0) return []
  // Such as the cell, where there is one log.
  const isEmpty = rows.every(([first]) => first === '')
  if (!isEmpty) return ['', rowsOf(head, rows)]
  return [
    '',
    rowsOf(
      head.slice(1),
      rows.map((cells) => cells.slice(1)),
    ),
  ]
}

function leftRows(budgets: readonly BudgetLeft[]): readonly (readonly string[])[] {
  return budgets.map(({ cell = '', budget, key, used, limit, left: rest, freesAt }) => {
    return [String(cell), budget, key ?? 'all', used, limit, rest, utc(Date.parse(freesAt))]
  })
}

function reasonRows({ reasons, denied }: TallyCounts): readonly (readonly string[])[] {
  return mostFirst(reasons).map(([code, count]) => {
    return [code, String(count), `${Math.round((100 * count) / Math.max(1, denied))} %`]
  })
}

function timeRows(times: Counts['timeToDecide']): readonly (readonly string[])[] {
  const rows = [
    ['without people', times.withoutPeople],
    ['with people', times.withPeople],
  ] as const
  return rows
    .filter(([, { count }]) => count > 0)
    .map(([name, spread]) => [name, String(spread.count), ...spreadTexts(spread)])
}

function spreadTexts({ medianMs, p95Ms, maxMs }: Spread): readonly string[] {
  return [medianMs, p95Ms, maxMs].map((ms) => (ms === null ? '' : duration(ms)))
}
