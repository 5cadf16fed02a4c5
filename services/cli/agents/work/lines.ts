// One line of `score`, of `standing`, of `council` and of `url-check`. Total: a line that cannot be
// read is answered with an error, and what a worker or a reviewer wrote is never an error.
import { z } from 'zod'
import { judgeUrl, type UrlVerdict } from '#firewall/url-rules'
import { firstProblem } from '#record/problem'
import { councilResult, type CouncilResult } from '#work/council'
import {
  replayStanding,
  standingAlpha,
  standingStart,
  type StandingStep,
} from '#rules/catalog/earned-standing'
import { scoreOf, type WorkScore } from '#work/score'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'

/** `score`: the exit code. */
export function scoredLines(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer: scoreLine })
}

/** `standing --replay`: the exit code. */
export function standingLines(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer: standingLine })
}

/** `council`: the exit code. */
export function councilLines(file: string | undefined, fail: boolean): Promise<number> {
  const failing = (answered: object): boolean => {
    return fail && 'passed' in answered && answered.passed === false
  }
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer: councilLine, failing })
}

/** `url-check`: the exit code. */
export function urlLines(
  file: string | undefined,
  { fail = false }: { readonly fail?: boolean },
): Promise<number> {
  const failing = (answered: object): boolean => {
    return fail && 'verdict' in answered && answered.verdict === 'block'
  }
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer: urlLine, failing })
}

// From the worker: may be anything.
const said = z.unknown().optional()

/** Of a report that could not be read, the rest may be absent or nonsense. */
const ScoreLine = z.discriminatedUnion('parsed', [
  z.strictObject({
    parsed: z.literal(false),
    status: said,
    verification: said,
    retries: said,
    whatINeed: said,
    whatFailed: said,
  }),
  z.strictObject({
    parsed: z.literal(true),
    status: z.enum(['success', 'blocked', 'failed']),
    verification: z.enum(['verified', 'refuted', 'unverified', 'inconclusive', 'error']),
    retries: z.int().min(0),
    whatINeed: said,
    whatFailed: said,
  }),
])

function scoreLine(line: unknown): WorkScore | LineRefusal {
  const parsed = ScoreLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  return scoreOf(parsed.data.parsed ? parsed.data : null)
}

const StandingLine = z.strictObject({
  alpha: z.number().min(0).max(1).nullish(),
  start: z.number().min(-1).max(1).nullish(),
  scores: z.array(z.number()),
})

interface Replayed {
  readonly steps: readonly StandingStep[]
}

function standingLine(line: unknown): Replayed | LineRefusal {
  const parsed = StandingLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { alpha, start, scores } = parsed.data
  const steps = replayStanding({
    alpha: alpha ?? standingAlpha,
    start: start ?? standingStart,
    scores,
  })
  return { steps }
}

/** More than anyone convenes, and each takes a place in the answer. */
const seatsMax = 10_000

const CouncilLine = z.strictObject({
  seats: z.int().min(0).max(seatsMax),
  replies: z.array(z.unknown()),
  nonce: z.string().min(1).optional(),
})

function councilLine(line: unknown): CouncilResult | LineRefusal {
  const parsed = CouncilLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { seats, replies, nonce } = parsed.data
  return councilResult({ seats, replies, ...(nonce !== undefined && { nonce }) })
}

const UrlLine = z.strictObject({ url: z.string(), addresses: z.array(z.string()).nullish() })

function urlLine(line: unknown): UrlVerdict | LineRefusal {
  const parsed = UrlLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { url, addresses } = parsed.data
  return judgeUrl(url, addresses ?? undefined)
}
