// `council --prompts`: what each reviewer of a council is asked, for reviewers of one's own. It is
// what `verify-work` asks a model, and the replies go to `council` with the nonce.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sha256Hex } from '#record/crypto/crypto'
import { firstProblem } from '#record/problem'
import { utf8 } from '#platform/bytes'
import { councilQuestion, type CouncilQuestion } from '#work/verification/council-question'
import { TaskContract } from '#schemas/work/contract'
import { judgeLines, lineBytesMax } from '#cli/terminal/judge-lines'
import { lineRefusal, type LineRefusal } from '#cli/terminal/lines'

/** The exit code. */
export function councilPromptLines(file: string | undefined): Promise<number> {
  return judgeLines(file, { lineBytesMax, answer: promptsLine })
}

const PromptsLine = z.strictObject({
  contract: TaskContract,
  work: z
    .record(z.string().min(1), z.string())
    .refine((work) => Object.keys(work).length > 0, 'give the text of at least one path'),
  nonce: z.string().min(1).optional(),
})

interface Prompts extends Pick<CouncilQuestion, 'schema'> {
  readonly seats: number
  readonly nonce: string
  /** One a seat: each reviewer is asked alone. */
  readonly prompts: readonly Pick<CouncilQuestion, 'system' | 'user'>[]
}

function promptsLine(line: unknown): Prompts | LineRefusal {
  const parsed = PromptsLine.safeParse(line)
  if (!parsed.success) return lineRefusal(firstProblem(parsed.error.issues))
  const { contract, work, nonce = randomUUID() } = parsed.data
  // Who made the work could not know it before, as little as the nonce.
  const fence = `=== ${sha256Hex(utf8(nonce)).slice(0, fenceCharacters)}`
  const asked = { contract, work: new Map(Object.entries(work)), nonce, fence }
  const { system, user, schema } = councilQuestion(asked)
  const seats = contract.councilSize
  return { seats, nonce, schema, prompts: Array.from({ length: seats }, () => ({ system, user })) }
}

const fenceCharacters = 32
