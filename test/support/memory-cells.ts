// A realm of several cells in memory: a control log, and the log of each cell, into which what is
// bound in the control log comes in its order, as a server sources it.
import { MemoryStore } from '#log/memory/log'
import { systemClock, systemTimer } from '#system/clock'
import { isShared, realmOfCell } from '#record/names'
import type { Appended, Entry, Fact, Log } from '#ports/log'
import { logOf } from './wrapped-log.ts'

export interface MemoryCells {
  readonly control: Log
  readonly logs: readonly Log[]
  /** From here on what is bound in the control log comes to that cell, or does not for a while. */
  cut(cell: number): () => void
  close(): Promise<void>
}

const ports = { clock: systemClock, timer: systemTimer }

export function memoryCells(realm: string, cells: number): MemoryCells {
  const control = new MemoryStore(ports).open()
  const ending = new AbortController()
  const sourcing = Array.from({ length: cells }, (_, index) => {
    const stored = new MemoryStore(ports).open()
    const gate = newGate()
    return { stored, gate, log: cellLog(realmOfCell({ of: realm, index }), stored, control) }
  })
  const running = sourcing.map(({ stored, gate }) => source(control, stored, gate, ending.signal))
  return {
    control,
    logs: sourcing.map(({ log }) => log),
    cut: (cell) => sourcing[cell]?.gate.shut() ?? (() => undefined),
    close: async () => {
      ending.abort()
      await Promise.all(running)
    },
  }
}

async function source(control: Log, cell: Log, gate: Gate, signal: AbortSignal): Promise<void> {
  for await (const { name, bytes } of control.follow(1, signal)) {
    await gate.open
    await cell.append({ name, bytes })
  }
}

function cellLog(realm: string, stored: Log, control: Log): Log {
  return {
    ...logOf(stored),
    append: async (entry: Entry): Promise<Appended> => {
      if (!isShared(entry.name, realm)) return stored.append(entry)
      const { appended } = await control.append(entry)
      return { appended, fact: await arrived(stored, entry.name) }
    },
  }
}

async function arrived(log: Log, name: string): Promise<Fact> {
  for (;;) {
    const fact = await log.get(name)
    if (fact !== undefined) return fact
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

interface Gate {
  open: Promise<void>
  shut(): () => void
}

function newGate(): Gate {
  const gate: Gate = {
    open: Promise.resolve(),
    shut: () => {
      let unlock = (): void => undefined
      gate.open = new Promise((resolve) => (unlock = resolve))
      return unlock
    },
  }
  return gate
}
