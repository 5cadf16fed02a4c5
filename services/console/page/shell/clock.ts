// The time of the server as the page knows it, and a signal that moves once a second while someone
// looks at a clock.
import { signal } from '@preact/signals'

let ahead = 0

/** The server's clock counts, not that of a phone. */
export function setServerTime(now: string): void {
  ahead = Date.parse(now) - Date.now()
  ticking.value = serverNow()
}

export function serverNow(): number {
  return Date.now() + ahead
}

const ticking = signal(Date.now())

/** Milliseconds since 1970; who reads it is drawn again each second. */
export const second = ticking

export function startClock(): void {
  window.setInterval(() => {
    if (document.visibilityState === 'visible') ticking.value = serverNow()
  }, 1_000)
  document.addEventListener('visibilitychange', () => {
    ticking.value = serverNow()
  })
}
