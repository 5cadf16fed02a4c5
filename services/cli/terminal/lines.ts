// Lines in, one answer a line out, in order and in bounded memory. It reads no further than it has
// been able to write, and a bad line costs only itself.
import type { FaultCode } from '#schemas/faults/registry'
import type { Writable } from 'node:stream'
import { readLines, writeLine, type LineLimits } from '#record/ndjson'
import type { Problem } from '#record/problem'

/** What a line is answered that cannot be judged. */
export interface LineRefusal {
  readonly error: { readonly code: FaultCode; readonly message: string }
}

/** The answer to a line that is not what its command reads. */
export function lineRefusal({ at, message }: Problem): LineRefusal {
  return { error: { code: 'line_invalid', message: at === '' ? message : `${at}: ${message}` } }
}

export interface LineAnswering extends LineLimits {
  readonly input: AsyncIterable<Uint8Array>
  readonly output: Writable
  readonly answer: (value: unknown) => object | Promise<object>
}

const waitingCharactersMax = 65_536

/** Answers every line, and says how many could not be judged. */
export async function answerEachLine(of: LineAnswering): Promise<{ readonly badLines: number }> {
  const { input, output, lineBytesMax, inexact, answer } = of
  let badLines = 0
  let waiting = ''

  const flush = async (): Promise<void> => {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    await written(output, text)
  }

  // Anyone who asks line by line gets each answer before we wait for more.
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of input) {
      yield chunk
      await flush()
    }
  }

  const limits = { lineBytesMax, ...(inexact && { inexact }) }
  for await (const { line, value, error } of readLines(chunks(), limits)) {
    const answered = error === undefined ? await answer(value) : { error }
    if (isRefusal(answered)) {
      const { code, message } = answered.error
      waiting += writeLine({ error: { code, message, line } })
      badLines += 1
    } else {
      waiting += writeLine(answered)
    }
    if (waiting.length >= waitingCharactersMax) await flush()
  }
  await flush()
  return { badLines }
}

function isRefusal(answered: object): answered is LineRefusal {
  return Object.hasOwn(answered, 'error')
}

function written(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (error === null || error === undefined) resolve()
      else reject(error)
    })
  })
}
