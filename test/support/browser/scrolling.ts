// How a long list behaves in a real browser: when its first line is on the screen, and what the
// longest frame and the dearest task of a five-second scroll take.
import type { Page } from 'playwright-core'
import { z } from 'zod'

// Both run in the page, whose types are not those of tests.
const painting = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.line-link')) resolve(performance.now())
    else requestAnimationFrame(look)
  }
  look()
})`
const scrolling = `new Promise((resolve) => {
  const list = document.querySelector('.long-list')
  const begin = performance.now()
  let last = begin
  let longest = 0
  const step = (now) => {
    longest = Math.max(longest, now - last)
    last = now
    list.scrollTop += 120
    if (now - begin < 5000) requestAnimationFrame(step)
    else resolve(longest)
  }
  requestAnimationFrame((now) => { last = now; step(now) })
})`

/** From the begin of its loading, in milliseconds. */
export async function paintedMs(page: Page): Promise<number> {
  return z.number().parse(await page.evaluate(painting))
}

export interface Scroll {
  /** Wall time from one frame to the next, in milliseconds. */
  readonly longestFrameMs: number
  /** CPU time of the page’s own thread in one task: what else the machine does is not in it. */
  readonly dearestTaskMs: number
}

export async function scrolled(page: Page): Promise<Scroll> {
  const tasks = await tasksOf(page)
  const longestFrameMs = z.number().parse(await page.evaluate(scrolling))
  return { longestFrameMs, dearestTaskMs: Math.max(0, ...(await tasks())) }
}

const Traced = z.object({
  value: z.array(
    z.looseObject({ name: z.string(), ph: z.string(), pid: z.number(), tid: z.number() }),
  ),
})
const Named = z.object({ args: z.object({ name: z.string() }) })
const Timed = z.object({ tdur: z.number() })
const categories = ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata']

/** Gives the CPU time of each task of the page’s thread from now on. */
async function tasksOf(page: Page): Promise<() => Promise<readonly number[]>> {
  const devtools = await page.context().newCDPSession(page)
  const events: z.output<typeof Traced>['value'] = []
  devtools.on('Tracing.dataCollected', (data) => events.push(...Traced.parse(data).value))
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: categories },
  })
  return async () => {
    const whole = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
    await devtools.send('Tracing.end')
    await whole
    await devtools.detach()
    const isMain = new Set(
      events
        .filter((event) => Named.safeParse(event).data?.args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    return events
      .filter(({ name, pid, tid }) => name.endsWith('RunTask') && isMain.has(`${pid} ${tid}`))
      .map((event) => (Timed.safeParse(event).data?.tdur ?? 0) / 1_000)
  }
}
