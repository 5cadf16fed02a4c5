// Measures the console: what its page weighs, when it is there on a slow phone, how it scrolls with
// ten thousand open reviews, how fast events reach a hundred pages, and what all of that holds.
// Server, clients and browser are processes of their own, on one machine.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pagesOf } from '#services/console/pages'
import { median, quantile, spread, whole, type Report } from '../figures.ts'
import { inFolder } from '../nats/deployment.ts'
import { heapBytesOf, loadedSlowly, pageOf, scrolledAtOnce, type Scrolling } from './page.ts'
import { startConsole, watchers, type ConsoleProcess } from './server.ts'
import { streamsAt } from './streams.ts'

const reviews = 10_000
const streams = 100
const turns = 3
const targets = { startBytes: 60_000, paintMs: 1_000, frameMs: 50 }

/** Flooded with so many requests; and one each so often, so that none waits for another. */
const flood = 4_000
const drip = { count: 150, everyMs: 20 }

type Row = Report['rows'][number]

export function benchConsole(): Promise<Report> {
  return inFolder(async (folder) => {
    const on = await startConsole(join(folder, 'log.db'))
    const startBytes = await startPageBytes()
    const empty = await on.measure()
    await on.open(reviews)
    const full = await on.measure()
    const loading = await inTurns(() => loadedSlowly(on, 'olga'))
    const scrolls = await inTurns(() => scrolledAtOnce(on, 'olga'))
    const page = await pageOf(on, 'olga')
    const heap = await heapBytesOf(page)
    const events = await eventsTo(on)
    await on.stop()
    return {
      title: 'the console',
      head: ['what', 'figure'],
      rows: [
        ['start page, compressed, kB', (startBytes / 1e3).toFixed(1)],
        ['on a phone at 4 × slowdown, first paint, ms', over(loading, 'firstPaintMs')],
        ['the first request is there, ms', over(loading, 'firstLineMs')],
        ['interactive: no long task any more, ms', over(loading, 'interactiveMs')],
        ...scrollRows(scrolls),
        ...events.rows,
        ['server, resident MB, nothing open', megabytes(empty.residentBytes)],
        [`with ${whole(reviews)} open reviews`, megabytes(full.residentBytes)],
        [`with ${streams} streams too, after the flood`, megabytes(events.residentBytes)],
        ['of it on its heap', megabytes(events.heapBytes)],
        ['page, scripts’ heap, MB', megabytes(heap)],
      ],
      notes: [
        `medians of ${turns}, and between what they lie; Chromium beside the server`,
        `${streams} pages of ${watchers.length} people who read all, and one browser at its inbox`,
      ],
      targets: met(startBytes, scrolls),
    }
  })
}

/** What a browser loads before it shows anything. */
async function startPageBytes(): Promise<number> {
  const files = await pagesOf()
  const first = ['/', '/console.js', '/console.css', '/icon.svg', '/warrant.webmanifest']
  const sizes = first.map((path) => gzipSync(files.get(path)?.bytes ?? '').length)
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function inTurns<T>(measure: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = []
  for (let turn = 0; turn < turns; turn += 1) all.push(await measure())
  return all
}

function over<Key extends string>(all: readonly Readonly<Record<Key, number>>[], key: Key): string {
  return spread(
    all.map((one) => one[key]),
    whole,
  )
}

function scrollRows(scrolls: readonly Scrolling[]): readonly Row[] {
  return [
    [`with ${whole(reviews)} open reviews, the first is there, ms`, over(scrolls, 'paintMs')],
    ['longest frame of a five-second scroll, ms', over(scrolls, 'longestFrameMs')],
    ['dearest task of it, ms of CPU', over(scrolls, 'dearestTaskMs')],
  ]
}

interface Events {
  readonly rows: readonly Row[]
  readonly residentBytes: number
  readonly heapBytes: number
}

/** The same requests with no one who listens, and with all of them and the browser. */
async function eventsTo(on: ConsoleProcess): Promise<Events> {
  const alone = await on.answer(flood)
  const listening = await streamsAt(on, watchers, streams)
  const start = performance.now()
  const together = await on.answer(flood)
  await listening.reached(together.position)
  const seconds = (performance.now() - start) / 1_000
  const sent = listening.received / seconds
  const dripped = await on.drip(drip.count, drip.everyMs)
  await listening.reached(dripped.at(-1)?.[0] ?? 0)
  const waits = dripped.map(([position, at]) => (listening.arrivals.get(position) ?? at) - at)
  const used = await on.measure()
  listening.close()
  const facts = together.position - alone.position
  return {
    ...used,
    rows: [
      ['facts a second, no one listens', whole((flood * 3) / alone.seconds)],
      [`facts a second that all ${streams} pages have been sent`, whole(facts / seconds)],
      ['events a second of all pages', whole(sent)],
      ['of the rate when no one listens', (alone.seconds / seconds).toFixed(2)],
      ['a fact until the last page has it, p50, ms', whole(median(waits))],
      ['p99, ms', whole(quantile(waits, 0.99))],
    ],
  }
}

function met(startBytes: number, scrolls: readonly Scrolling[]): Report['targets'] {
  const paint = median(scrolls.map(({ paintMs }) => paintMs))
  const frame = median(scrolls.map(({ longestFrameMs }) => longestFrameMs))
  return [
    {
      claim: 'the start page is 60 kB at most',
      met: startBytes <= targets.startBytes,
      figures: `${whole(startBytes)} bytes`,
    },
    {
      claim: `the first of ${whole(reviews)} is there within a second`,
      met: paint <= targets.paintMs,
      figures: `${whole(paint)} ms`,
    },
    {
      claim: 'no frame of the scroll takes over 50 ms',
      met: frame <= targets.frameMs,
      figures: `${whole(frame)} ms`,
    },
  ]
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
