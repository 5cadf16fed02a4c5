// A keyed mutex: work under the same key runs one after the other, in the order it came. Work that
// runs must never wait for more work under its own key.

export interface KeyedMutex {
  /** Runs it when all that came before it under that key has ended, well or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function keyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const mine = after(last.get(key), work)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}

async function after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
  try {
    await before
  } catch {
    // The caller of that work gets its error.
  }
  return work()
}
