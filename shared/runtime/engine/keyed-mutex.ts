// Turns: work that would only get in its own way is done one after the other. What is waited for
// must never itself wait for a turn under the same key.

export interface Turns {
  /** Runs it when all that came before it under that key has ended, well or not. */
  take<T>(key: string, run: () => Promise<T>): Promise<T>
}

export function turns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(key, run) {
      const mine = after(last.get(key), run)
      last.set(key, mine)
      try {
        return await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}

async function after<T>(before: Promise<unknown> | undefined, run: () => Promise<T>): Promise<T> {
  try {
    await before
  } catch {
    // Whoever took that turn was told.
  }
  return run()
}
