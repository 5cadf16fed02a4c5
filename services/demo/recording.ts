// Recorded conversations as files: what happened, step by step, and afterwards which calls were
// right. A line that cannot be read is an error with its number; nothing is guessed.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Fault } from '#core/kernel/fault'
import { readLines } from '#core/kernel/ndjson'

/** Of each line: in which session it is, and where. */
export const stepBase = { session: z.string().min(1), step: z.int() }

export const CallStep = z.looseObject({
  ...stepBase,
  kind: z.literal('call'),
  tool: z.string().min(1),
  args: z.record(z.string(), z.json()),
})

export const ResultStep = z.looseObject({
  ...stepBase,
  kind: z.literal('result'),
  call: z.int(),
  tool: z.string(),
  error: z.boolean(),
  value: z.json(),
})

const RecordedStep = z.discriminatedUnion('kind', [
  z.looseObject({ ...stepBase, kind: z.literal('customer'), confirmed: z.boolean() }),
  CallStep,
  ResultStep,
])
export type RecordedStep = z.infer<typeof RecordedStep>
export type Call = Extract<RecordedStep, { readonly kind: 'call' }>
export type Result = Extract<RecordedStep, { readonly kind: 'result' }>

const Label = z.looseObject({ ...stepBase, tool: z.string(), gold: z.boolean() })

export interface Conversation {
  readonly session: string
  readonly steps: readonly RecordedStep[]
}

export interface Recording {
  readonly conversations: readonly Conversation[]
  /** By `callKey`: whether the call belongs to the task's solution. Only for counting. */
  readonly labels: ReadonlyMap<string, boolean>
}

const lineBytesMax = 4 * 1024 * 1024

export function callKey(session: string, step: number): string {
  return `${session} ${step}`
}

/**
 * Reads `calls.ndjson` and `labels.ndjson` of the folder. Throws a Fault `line_invalid` for a bad
 * line.
 */
export async function readRecording(folder: string): Promise<Recording> {
  const sessions = new Map<string, RecordedStep[]>()
  for await (const step of readSteps(join(folder, 'calls.ndjson'), RecordedStep)) {
    const steps = sessions.get(step.session)
    if (steps === undefined) sessions.set(step.session, [step])
    else steps.push(step)
  }
  const labels = new Map<string, boolean>()
  for await (const { session, step, gold } of readSteps(join(folder, 'labels.ndjson'), Label)) {
    labels.set(callKey(session, step), gold)
  }
  const conversations = [...sessions].map(([session, steps]) => ({ session, steps }))
  return { conversations, labels }
}

/** Each line of the file. Throws a Fault `line_invalid` for a bad one. */
export async function* readSteps<T>(file: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const read of readLines(bytesOf(file), { lineBytesMax })) {
    if ('error' in read) throw lineFault(file, read.line, read.error.message)
    const parsed = schema.safeParse(read.value)
    if (parsed.success) yield parsed.data
    else throw lineFault(file, read.line, z.prettifyError(parsed.error).split('\n')[0] ?? '')
  }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk
  } catch (error) {
    const message = `\`${file}\` cannot be read: give a folder with calls.ndjson and labels.ndjson`
    throw new Fault('file_unreadable', message, { cause: error })
  }
}

function lineFault(file: string, line: number, why: string): Fault {
  return new Fault('line_invalid', `${file}, line ${line}: ${why}`)
}
