// What a person waits for at the page: when it is there on a slow phone, how smoothly it scrolls,
// and what it holds.
import type { CDPSession, Page } from 'playwright-core'
import { z } from 'zod'
import { openPage, phone } from '../../test/support/browser/chromium.ts'
import { paintedMs, scrolled, type Scroll } from '../../test/support/browser/scrolling.ts'
import { secretFor } from './streams.ts'
import type { ConsoleProcess } from './server.ts'

const slowness = 4
/** After so long without a task of 50 ms a page counts as ready for a person. */
const quietMs = 5_000
/** A page that is not ready by then counts as ready only then. */
const readyMsMax = 60_000

/** A browser on a phone in which that person is signed in. */
export async function pageOf(on: ConsoleProcess, person: string): Promise<Page> {
  const page = await openPage(phone)
  await page.goto(`${on.url}/#/link/${secretFor(on, person)}`)
  await page.locator('.line-link').first().waitFor({ timeout: 30_000 })
  return page
}

export interface Loading {
  readonly firstPaintMs: number
  /** The first request is on the screen. */
  readonly firstLineMs: number
  /** The end of the last long task, or the first line where there is none after it. */
  readonly interactiveMs: number
}

// It runs in the page, before anything of the page does.
const watching = `window.longTasks = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) longTasks.push(startTime + duration)
}).observe({ type: 'longtask', buffered: true })`
const seen = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  last: Math.max(0, ...longTasks),
  now: performance.now(),
})`
const Seen = z.object({ paint: z.number(), last: z.number(), now: z.number() })

/** Loads it again with nothing kept, with the processor that many times slower. */
export async function loadedSlowly(on: ConsoleProcess, person: string): Promise<Loading> {
  const page = await pageOf(on, person)
  const devtools = await page.context().newCDPSession(page)
  await page.addInitScript(watching)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  await page.goto(`${on.url}/`, { waitUntil: 'commit' })
  const firstLineMs = await paintedMs(page)
  const look = async () => Seen.parse(await page.evaluate(seen))
  let found = await look()
  const isQuiet = (): boolean => found.now - Math.max(found.last, firstLineMs) >= quietMs
  while (!isQuiet() && found.now < readyMsMax) {
    await page.waitForTimeout(250)
    found = await look()
  }
  await page.context().close()
  const interactiveMs = isQuiet() ? Math.max(found.last, firstLineMs) : readyMsMax
  return { firstPaintMs: found.paint, firstLineMs, interactiveMs }
}

export interface Scrolling extends Scroll {
  readonly paintMs: number
}

/** Loads it again, and scrolls. */
export async function scrolledAtOnce(on: ConsoleProcess, person: string): Promise<Scrolling> {
  const page = await pageOf(on, person)
  await page.goto(`${on.url}/`, { waitUntil: 'commit' })
  const paintMs = await paintedMs(page)
  const scroll = await scrolled(page)
  await page.context().close()
  return { paintMs, ...scroll }
}

const Metrics = z.object({
  metrics: z.array(z.object({ name: z.string(), value: z.number() })),
})

/** What its scripts hold, after their garbage was collected. */
export async function heapBytesOf(page: Page): Promise<number> {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('Performance.enable')
  const { metrics } = Metrics.parse(await devtools.send('Performance.getMetrics'))
  await devtools.detach()
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}
