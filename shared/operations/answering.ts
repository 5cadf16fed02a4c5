// How an operation is answered: from a realm, for who asks, and what people see of it.
import { Fault } from '#record/fault'
import { firstProblem } from '#record/problem'
import type { OnScreen, Tone } from '#present/lines'
import type { Operation, Page } from '#schemas/operations/operation'
import type { z } from 'zod'
import type { Asker, Realm } from './realm.ts'

export interface RealmAsked {
  readonly realm: Realm
  readonly by: Asker
}

interface AnswersBy<I extends z.ZodType, O extends z.ZodType> {
  /** Throws a Fault. */
  answer(asking: RealmAsked, given: z.output<I>): z.output<O> | Promise<z.output<O>>
  /** What of it is shown on a screen, and what a model reads. */
  shown(answer: z.output<O>): readonly OnScreen[]
}

export interface AnswerHere<O extends z.ZodType> {
  readonly answer: z.output<O>
  readonly shown: () => readonly OnScreen[]
}

export interface OperationAnswers<O extends z.ZodType> {
  /** Throws a Fault: `reader_refused` for who may not ask, `usage` for what it does not take. */
  ask(asking: RealmAsked, given: unknown): Promise<AnswerHere<O>>
}

export function answersOf<I extends z.ZodObject, O extends z.ZodType>(
  { title, who, input }: Operation & { readonly input: I; readonly output: O },
  by: AnswersBy<I, O>,
): OperationAnswers<O> {
  return {
    async ask(asking, given) {
      if (who === 'auditor' && !asking.by.readsAll) {
        throw new Fault('reader_refused', `only who may read all of the log: ${title}`)
      }
      const parsed = input.safeParse(given)
      if (!parsed.success) {
        const { at, message } = firstProblem(parsed.error.issues)
        throw new Fault('usage', at === '' ? message : `\`${at}\`: ${message}`)
      }
      const found = await by.answer(asking, parsed.data)
      return { answer: found, shown: () => by.shown(found) }
    },
  }
}

/** How a list stands on a screen. */
export interface Columns<Row> {
  readonly columns: readonly (readonly [head: string, cell: (row: Row) => string])[]
  readonly tone?: (row: Row) => Tone
  /** Where there are no rows. */
  readonly empty: string
}

type InCells<Row> = Row & { readonly cell?: number | undefined }

export function listShown<Row>(
  of: Columns<Row>,
  { rows, count, next }: Page<InCells<Row>>,
): readonly OnScreen[] {
  if (rows.length === 0 || next === null) return rowsShown(of, rows)
  return [...rowsShown(of, rows), '', pageLeft(rows.length, { count, next })]
}

/** A column in which nothing stands is left out. */
export function rowsShown<Row>(
  { columns, tone, empty }: Columns<Row>,
  rows: readonly InCells<Row>[],
): readonly OnScreen[] {
  if (rows.length === 0) return [empty]
  const all: Columns<InCells<Row>>['columns'] = [['cell', cellText], ...columns]
  const filled = all.filter(([, cell]) => rows.some((row) => cell(row) !== ''))
  return [
    {
      head: filled.map(([head]) => head),
      rows: rows.map((row) => ({
        cells: filled.map(([, cell]) => cell(row)),
        tone: tone?.(row) ?? 'plain',
      })),
    },
  ]
}

/** Where there are more than are shown. */
export function pageLeft(shown: number, { count, next }: Pick<Page<unknown>, 'count' | 'next'>) {
  return `${shown} of ${count} are shown; cursor of the next page: ${next}`
}

function cellText({ cell }: { readonly cell?: number | undefined }): string {
  return cell === undefined ? '' : String(cell)
}
