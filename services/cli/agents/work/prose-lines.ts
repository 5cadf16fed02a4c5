// One line of `prose-check`. Total: a line that cannot be read is answered with an error.
import { z } from 'zod'
import { firstProblem, type Problem } from '#record/problem'
import { short } from '#record/quote'
import {
  checkProse,
  textLengthMax,
  type FoundByCheck,
  type ProseResult,
} from '#work/prose/check-prose'
import { groundingChecks, structuralChecks } from '#work/prose/profiles'
import { nameKey } from '#work/prose/structure'
import { taskTypes } from '#schemas/work/contract'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'

interface ProseLineOptions {
  readonly details?: boolean
  readonly fail?: boolean
}

/** `prose-check`: the exit code. */
export function proseLines(
  file: string | undefined,
  { details = false, fail = false }: ProseLineOptions,
): Promise<number> {
  const failing = (answered: object): boolean => {
    return fail && 'passed' in answered && answered.passed === false
  }
  const answer = (line: unknown) => proseLine(line, details)
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer, failing })
}

const checksMax = 64
const sectionsMax = 100
const aboutCharactersMax = 80

const sectionName = z
  .string()
  .max(1_000)
  .refine((name) => nameKey(name) !== '', 'is empty')

const ProseLine = z.strictObject({
  text: z.string().max(textLengthMax),
  taskType: z.enum(taskTypes).nullish(),
  checks: z
    .array(z.enum([...structuralChecks, ...groundingChecks]))
    .max(checksMax)
    .nullish(),
  minWords: z.int().min(0).nullish(),
  requiredSections: z.array(sectionName).max(sectionsMax).nullish(),
  now: z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]).nullish(),
})

const eitherOr: Problem = { message: 'give either `taskType` or `checks`', at: '' }

function proseLine(line: unknown, details: boolean): ProseResult | LineRefusal {
  const parsed = ProseLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { text, taskType, checks, minWords, requiredSections, now } = parsed.data
  const asked = taskType ?? checks ?? null
  const isBoth = typeof taskType === 'string' && Array.isArray(checks)
  if (asked === null || isBoth) return lineRefusal(eitherOr)
  const { passed, failures, warnings } = checkProse({
    text,
    asked,
    ...(typeof minWords === 'number' && { minWords }),
    ...(Array.isArray(requiredSections) && { requiredSections }),
    ...(typeof now === 'string' && { now: timeOf(now) }),
  })
  const shown = details ? detailed : brief
  return { passed, failures: failures.map(shown), warnings: warnings.map(shown) }
}

/** A day is its first moment, and what names no zone is in UTC, as on every machine. */
function timeOf(now: string): number {
  const isDay = !now.includes('T')
  const isZoned = /(?:Z|[+-][0-9]{2}:?[0-9]{2})$/i.test(now)
  return Date.parse(isDay || isZoned ? now : `${now}Z`)
}

function brief({ check, detail }: FoundByCheck): FoundByCheck {
  return { check, detail }
}

function detailed({ check, detail, line, about }: FoundByCheck): FoundByCheck {
  return {
    check,
    detail,
    ...(line !== undefined && { line }),
    ...(about !== undefined && { about: short(about, aboutCharactersMax) }),
  }
}
