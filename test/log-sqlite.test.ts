import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemTimer } from '#adapters/clock'
import { sqliteLog } from '#adapters/log/sqlite'
import type { Log } from '#ports/log'
import type { Timer } from '#ports/clock'
import { logConformance } from './log-conformance.ts'

/** A timer that a dead process has: nothing that it set ever runs. */
function mortalTimer(): { readonly timer: Timer; readonly die: () => void } {
  let alive = true
  return {
    timer: { after: (delayMs, run) => systemTimer.after(delayMs, () => void (alive && run())) },
    die: () => void (alive = false),
  }
}

logConformance('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  const deaths = new Map<Log, () => void>()
  return {
    open: async () => {
      const { timer, die } = mortalTimer()
      const log = await sqliteLog(join(folder, 'log.db'), { timer, leaseMs: 300 })
      deaths.set(log, die)
      return log
    },
    kill: async (log) => deaths.get(log)?.(),
    dispose: async () => {
      for (const log of deaths.keys()) await log.close()
      rmSync(folder, { recursive: true })
    },
  }
})
