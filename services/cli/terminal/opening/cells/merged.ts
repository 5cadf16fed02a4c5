// Several orders as one: what is there already by time, and what is yet to come as it comes.

/** By time, and at one time in the order of the sources, of which each is in order itself. */
export async function* mergedByTime<T>(
  sources: readonly AsyncIterable<T>[],
  timeOf: (value: T) => number,
): AsyncGenerator<T, void, void> {
  const reading = sources.map((source) => source[Symbol.asyncIterator]())
  try {
    const heads = await Promise.all(reading.map((each) => each.next()))
    for (;;) {
      let first = -1
      let least: { readonly value: T; readonly time: number } | null = null
      for (const [index, head] of heads.entries()) {
        if (head.done === true) continue
        const time = timeOf(head.value)
        if (least !== null && least.time <= time) continue
        least = { value: head.value, time }
        first = index
      }
      const next = reading[first]
      if (least === null || next === undefined) return
      yield least.value
      heads[first] = await next.next()
    }
  } finally {
    for (const each of reading) await each.return?.()
  }
}

interface Waiting<T> {
  readonly value: T
  /** Whether more is wanted of its source. */
  readonly taken: (goesOn: boolean) => void
}

/** As it comes, each source in its own order. Ends when all have, and with the first that fails. */
export async function* asTheyCome<T>(
  sources: readonly AsyncIterable<T>[],
): AsyncGenerator<T, void, void> {
  const waiting: Waiting<T>[] = []
  const failed: unknown[] = []
  const ended = new AbortController()
  let running = sources.length
  let wake: () => void = () => undefined
  const given = (value: T): Promise<boolean> =>
    new Promise((taken) => {
      if (ended.signal.aborted) taken(false)
      else waiting.push({ value, taken })
      wake()
    })
  const pump = async (source: AsyncIterable<T>): Promise<void> => {
    try {
      for await (const value of source) if (!(await given(value))) return
    } catch (error) {
      failed.push(error)
    } finally {
      running -= 1
      wake()
    }
  }
  for (const source of sources) void pump(source)
  try {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) {
        next.taken(true)
        yield next.value
      } else if (failed.length > 0) throw failed[0]
      else if (running === 0) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    ended.abort()
    for (const { taken } of waiting) taken(false)
  }
}

/** The last so many. */
export async function lastOf<T>(source: AsyncIterable<T>, count: number): Promise<readonly T[]> {
  const kept: T[] = []
  let next = 0
  for await (const value of source) {
    kept[next] = value
    next = (next + 1) % count
  }
  return kept.length < count ? kept : [...kept.slice(next), ...kept.slice(0, next)]
}
