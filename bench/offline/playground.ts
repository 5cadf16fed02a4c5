// How long a phone waits for the first verdict of the playground, and what it loads for it: from an
// empty cache to the outcome on the page, in a Chromium whose page is slowed down four times.
// Chromium slows no worker down, so what the worker takes is counted three times more. On a machine
// that others keep busy only the time of its processor says something.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import { z } from 'zod'
import { atMost, inRounds, sized, single, type Bench } from '../harness.ts'
import { siteFiles } from '../../docs/site/build.ts'

const slowed = 4
const [first, cpu, loading, judging] = [
  'the first verdict, all slowed four times',
  'time of the processor for it, four times',
  'of it in the worker: loading',
  'of it in the worker: judging',
]
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Notes when the outcome is shown first, and what the worker says of its own times. */
const watching = `
  const Before = Worker
  globalThis.Worker = class extends Before {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        globalThis.seen ??= { at: performance.now(), ...data, judged: null }
      })
    }
  }
`
const Seen = z.object({ at: z.number(), loadedMs: z.number(), judgedMs: z.number() })

export const bench: Bench = {
  title: 'What the playground takes to its first verdict, of five rules',
  needs: 'chromium',
  async run() {
    const files = await siteFiles()
    const server = await served(files)
    const browser = await chromium.launch({
      executablePath: process.env['CHROME_PATH'] ?? '',
      args: ['--no-sandbox'],
    })
    const loaded = new Set<string>()
    try {
      const ran = await inRounds(sized(7) + 2, async () => {
        const { at, loadedMs, judgedMs } = await verdict(browser, server.url, { loaded, slowed })
        const more = (slowed - 1) * (loadedMs + judgedMs)
        const { cpuMs } = await verdict(browser, server.url, { loaded, slowed: 1 })
        return {
          [first]: at + more,
          [cpu]: slowed * cpuMs,
          [loading]: slowed * loadedMs,
          [judging]: slowed * judgedMs,
        }
      })
      const bytes = [...loaded].map((place) => gzipSync(files.get(place) ?? '').length)
      const kilobytes = bytes.reduce((sum, one) => sum + one, 0) / 1_000
      return [
        ran.figure(first, 'ms', { aims: atMost(1_000) }),
        ran.figure(cpu, 'ms'),
        ran.figure(loading, 'ms'),
        ran.figure(judging, 'ms'),
        single('all that is loaded, compressed by gzip', 'kB', kilobytes, atMost(400)),
      ]
    } finally {
      await browser.close()
      server.close()
    }
  },
}

const Processes = z.object({
  processInfo: z.array(z.object({ type: z.string(), id: z.number() })),
})
const msInTick = 10

/** What each process of pages and their workers has used of the processor, as Linux counts it. */
async function usedBy(browser: Browser): Promise<ReadonlyMap<number, number>> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = Processes.parse(await session.send('SystemInfo.getProcessInfo'))
  await session.detach()
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  return new Map(
    pages.map(({ id }) => {
      const [, after = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')
      const fields = after.split(' ')
      return [id, msInTick * (Number(fields[11]) + Number(fields[12]))]
    }),
  )
}

interface Visit {
  /** What it asks for is added. */
  readonly loaded: Set<string>
  readonly slowed: number
}

async function verdict(browser: Browser, url: string, { loaded, slowed: rate }: Visit) {
  const before = await usedBy(browser)
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.on('request', (request) => loaded.add(new URL(request.url()).pathname.slice(1)))
  await page.addInitScript(watching)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto(`${url}playground.html`)
  await page.waitForFunction(() => Reflect.has(globalThis, 'seen'), null, { timeout: 0 })
  const seen = Seen.parse(await page.evaluate('seen'))
  const used = [...(await usedBy(browser))].map(([id, ms]) => ms - (before.get(id) ?? 0))
  await context.close()
  return { ...seen, cpuMs: used.reduce((sum, ms) => sum + ms, 0) }
}

async function served(files: ReadonlyMap<string, string | Uint8Array>) {
  const server = createServer(({ url = '/' }, response) => {
    const place = url.slice(1)
    response.setHeader('content-type', types[extname(place)] ?? 'application/json')
    response.end(files.get(place))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
