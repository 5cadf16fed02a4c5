// One line of `redact` and of `frame`. Total: a line that cannot be read is answered with an error.
import { z } from 'zod'
import { frame, type Frame, type FrameMode } from '#firewall/frame'
import { frameConstraints } from '#firewall/frame-constraints'
import { redact, type Redacted } from '#firewall/redact'
import type { Json } from '#record/canonical'
import { firstProblem } from '#record/problem'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'

/** `redact`: the exit code. */
export function redactLines(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer: redactLine })
}

/** `frame`: the exit code. */
export function frameLines(
  file: string | undefined,
  { mode }: { readonly mode: FrameMode },
): Promise<number> {
  const answer = (line: unknown) => frameLine(line, mode)
  return judgeLines(file, { lineBytesMax, inexact: 'change', answer })
}

// JSON of any depth and size: whatever it is, it gets an answer.
const Value = z.custom<Json>((value) => value !== undefined, 'is missing')

const RedactLine = z.strictObject({
  value: Value,
  allowedFields: z.array(z.string()).nullish(),
  maxDepth: z.int().min(0).nullish(),
})

const FrameLine = z.strictObject({
  value: Value,
  constraints: z.record(z.string(), z.unknown()).nullish(),
  roles: z.array(z.string()).nullish(),
})

/** An empty list of allowed fields is taken as absent, as others write it. */
function redactLine(line: unknown): Redacted | LineRefusal {
  const parsed = RedactLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { value, allowedFields, maxDepth } = parsed.data
  const allowed = allowedFields ?? []
  return redact(value, {
    ...(allowed.length > 0 && { allowedFields: allowed }),
    ...(typeof maxDepth === 'number' && { maxDepth }),
  })
}

function frameLine(line: unknown, mode: FrameMode): Frame | LineRefusal {
  const parsed = FrameLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { value, constraints, roles } = parsed.data
  const read = frameConstraints(constraints ?? {})
  if (read.problem !== undefined) return lineRefusal(read.problem)
  return frame(value, { mode, constraints: read.constraints, roles: roles ?? [] })
}
