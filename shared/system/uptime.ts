// How long this machine has run since it was started, where that is known: on Linux. Elsewhere that
// moves with the clock, or nothing distinguishes one start from another.
import { readFileSync } from 'node:fs'
import type { Clock, Uptime } from '#ports/clock'
import { systemClock } from './clock.ts'

const bootFile = '/proc/sys/kernel/random/boot_id'
const uptimeFile = '/proc/uptime'

/** Null where it is not known. */
export function systemUptime(): Uptime | null {
  try {
    const boot = readFileSync(bootFile, 'utf8').trim()
    const ms = Math.round(Number.parseFloat(readFileSync(uptimeFile, 'utf8')) * 1_000)
    return boot !== '' && Number.isSafeInteger(ms) ? { boot, ms } : null
  } catch {
    return null
  }
}

/** Beside another clock than the system's the machine has run for no time that is known. */
export function uptimeBeside(clock: Clock): () => Uptime | null {
  return clock === systemClock ? systemUptime : () => null
}
