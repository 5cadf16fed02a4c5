// A tool that yields parts as it goes, behind a judge: nothing is yielded before the verdict, and
// it counts as having run when it has ended.

/** Judges, and has what it is handed called with the arguments that were judged. */
export type JudgedRun<O> = (
  input: unknown,
  options: O,
  begin: (args: object) => Promise<unknown>,
) => Promise<unknown>

type Executes<O> = (input: object, options: O) => unknown

/** What is no generator is awaited; the last part of one is its result. */
export function streamedRun<O>(execute: Executes<O>, judge: JudgedRun<O>) {
  const whole = (input: unknown, options: O): Promise<unknown> =>
    judge(input, options, (args) => lastPartOf(execute(args, options), () => undefined))
  const inParts = async function* (input: unknown, options: O): AsyncGenerator {
    const parts = new Parts()
    const running = judge(input, options, (args) =>
      lastPartOf(execute(args, options), (part) => parts.add(part)),
    )
    running.then(parts.end, parts.end)
    let yielded = 0
    for await (const part of parts.all()) {
      yielded += 1
      yield part
    }
    const result = await running
    // An equal call that ran meanwhile has had the parts.
    if (yielded === 0) yield result
  }
  return isGenerator(execute) ? inParts : whole
}

/** Frameworks distinguish by what a function returns at once, and then nothing is judged yet. */
function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]'
}

/** What it comes to; of parts the last, and each is handed over as it comes. */
export async function lastPartOf(
  returned: unknown,
  part: (part: unknown) => void,
): Promise<unknown> {
  const value = await returned
  if (!isAsyncIterable(value)) return value
  let last: unknown
  for await (const one of value) {
    last = one
    part(one)
  }
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** What was added, in order, until it ends. */
class Parts {
  readonly #waiting: unknown[] = []
  #wake: () => void = () => undefined
  #hasEnded = false

  add(part: unknown): void {
    this.#waiting.push(part)
    this.#wake()
  }

  readonly end = (): void => {
    this.#hasEnded = true
    this.#wake()
  }

  async *all(): AsyncGenerator {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift()
      if (this.#hasEnded) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
