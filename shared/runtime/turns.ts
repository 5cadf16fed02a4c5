// Turns: work that would only get in its own way is done one after the other. What is waited for
// must never itself wait for a turn under the same key.

export interface Turns {
  /** Runs it when all that came before it under that key has ended, well or not. */
  take(key: string, run: () => Promise<void>): Promise<void>
}

export function turns(): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    async take(key, run) {
      const mine = after(last.get(key), run)
      last.set(key, mine)
      try {
        await mine
      } finally {
        if (last.get(key) === mine) last.delete(key)
      }
    },
  }
}

async function after(before: Promise<void> | undefined, run: () => Promise<void>): Promise<void> {
  try {
    await before
  } catch {
    // Whoever took that turn was told.
  }
  await run()
}
