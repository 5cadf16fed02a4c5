// Reads recorded sessions from files: a line that cannot be read is an error with its number, and
// nothing is guessed.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { readLines } from '#record/ndjson'
import { AirlineStep, callKey, stepBase, type RecordedSession } from '#demo/recorded'

const Label = z.looseObject({ ...stepBase, tool: z.string(), gold: z.boolean() })

export interface Recording {
  readonly conversations: readonly RecordedSession<AirlineStep>[]
  /** By `callKey`: whether the call belongs to the task's solution. Only for counting. */
  readonly labels: ReadonlyMap<string, boolean>
}

const lineBytesMax = 4 * 1024 * 1024

/**
 * Reads `calls.ndjson` and `labels.ndjson` of the folder. Throws a Fault `line_invalid` for a bad
 * line.
 */
export async function readRecording(folder: string): Promise<Recording> {
  const conversations = await readRecorded(folder, AirlineStep)
  const labels = new Map<string, boolean>()
  for await (const label of readSteps(join(folder, 'labels.ndjson'), Label)) {
    labels.set(callKey(label), label.gold)
  }
  return { conversations, labels }
}

/** The steps in `calls.ndjson`, in the order of the first step of each session. */
export async function readRecorded<S extends { readonly session: string }>(
  folder: string,
  schema: z.ZodType<S>,
): Promise<readonly RecordedSession<S>[]> {
  const sessions = new Map<string, S[]>()
  for await (const step of readSteps(join(folder, 'calls.ndjson'), schema)) {
    const steps = sessions.get(step.session)
    if (steps === undefined) sessions.set(step.session, [step])
    else steps.push(step)
  }
  return [...sessions].map(([session, steps]) => ({ session, steps }))
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
