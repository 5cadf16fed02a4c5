// Runs what answers one line over all lines of a file or of standard input, to the exit code.
import { createReadStream } from 'node:fs'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'
import { exitCodes } from '#schemas/faults/exit'
import { answerEachLine, type LineAnswering } from './lines.ts'

export interface Judging extends Pick<LineAnswering, 'lineBytesMax' | 'inexact' | 'answer'> {
  /** The answers that fail the command: by their outcome, or by a question. */
  readonly failing?: readonly string[] | ((answered: object) => boolean)
}

// Room for a whole graph in the line.
export const lineBytesMax = 64 * 1024 * 1024

/** Answers each line of the file, or of standard input; the exit code. */
export async function judgeLines(
  file: string | undefined,
  { failing = [], answer: answerTo, ...limits }: Judging,
): Promise<number> {
  const failed: object[] = []
  const answer = async (value: unknown): Promise<object> => {
    const answered = await answerTo(value)
    if (failed.length === 0 && isFailing(answered, failing)) failed.push(answered)
    return answered
  }
  const output = process.stdout
  // The write that failed reports it to anyone who waits for it; unheard, this would end the
  // process.
  output.on('error', () => {})
  try {
    const input = inputOf(file)
    const { badLines } = await answerEachLine({ input, output, ...limits, answer })
    if (badLines > 0) return exitCodes.badLines
    return failed.length > 0 ? exitCodes.denied : exitCodes.yes
  } catch (error) {
    // Anyone who reads the answers has read enough of them.
    if (isClosedPipe(error)) return exitCodes.yes
    throw error
  }
}

function isFailing(answered: object, failing: NonNullable<Judging['failing']>): boolean {
  if (typeof failing === 'function') return failing(answered)
  return 'outcome' in answered && failing.includes(String(answered.outcome))
}

function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Object.getOwnPropertyDescriptor(error, 'code')?.value === 'EPIPE'
}

async function* inputOf(file: string | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  const path = file === '-' ? undefined : file
  if (path === undefined && process.stdin.isTTY) {
    process.stderr.write('reading lines of JSON from the terminal; end with Ctrl-D\n')
  }
  const source: AsyncIterable<Uint8Array> =
    path === undefined ? process.stdin : createReadStream(path)
  try {
    yield* source
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    const what = path === undefined ? 'standard input' : `\`${path}\``
    throw new Fault('input_unreadable', `${what}: ${why}`, { cause })
  }
}
