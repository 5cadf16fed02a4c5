// Measures what is checked of finished work: URLs and texts a second, and texts of 1 kB to 1 MB
// written to take long. Each ten times as long must take about ten times as long.
import { judgeUrl } from '#core/egress/url-rules'
import { checkProse } from '#core/work/prose/check-prose'
import { groundingChecks, structuralChecks } from '#core/work/prose/profiles'
import { whole, type Report } from '../figures.ts'
import { growthOf } from '../growth.ts'

const sizes = [1_000, 10_000, 100_000]
const largest = 1_000_000

/** Each makes a text as long as asked; the first is what it repeats. */
const hostile: ReadonlyMap<string, string> = new Map([
  ['one run of letters', 'a'],
  ['links', '[a](https://a.example) '],
  ['headings without a name', '#\n'],
  ['headings', '# a\n'],
  ['brackets', '['],
  ['pictures without an end', '!['],
  ['quotes in quotes', '> '],
  ['lists in lists', '- '],
  ['tables', '|a|b|\n|-|-|\n'],
  ['emphasis without an end', '*a **b '],
  ['code without an end', '`a``b'],
  ['tags without an end', '<a '],
  ['references', 'see section a. '],
  ['citations without an end', '(Smith, '],
])

const report =
  '## Findings\n\nThe survey (Smith & Doe, 2024) covers 1,200 users; see section "Costs" for ' +
  'more, and the table in [the appendix](https://example.com/appendix?page=2).\n\n' +
  '1. Read the answers.\n2. Count them, as of 2026-03-04.\n\n### Costs\n\nNone so far [1].\n\n'

const urls = [
  'https://example.com/bookings/ZX81QL?lang=en',
  'http://169.254.169.254/latest/meta-data/',
  'https://[2606:4700:4700::1111]/dns-query',
  'http://user@localhost:8080/',
]

function check(text: string): void {
  checkProse({ text, asked: [...structuralChecks, ...groundingChecks], minWords: 50, now: 0 })
}

function urlsPerSecond(): number {
  const rounds = 20_000
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) {
    for (const url of urls) judgeUrl(url, ['93.184.215.14', '2606:2800:21f::1'])
  }
  return (rounds * urls.length * 1_000) / (performance.now() - start)
}

/** All in one run; texts of 1 MB only where they are asked for. */
export function benchWork(isWhole: boolean): Promise<Report> {
  const lengths = isWhole ? [...sizes, largest] : sizes
  const texts = [['a report', report] as const, ...hostile]
  const growth = growthOf({ texts, lengths, run: check, digits: 2 })
  const reports = (growth.first * 1_000_000) / report.length
  return Promise.resolve({
    title: 'texts checked by all checks, MB a second of CPU',
    head: growth.head,
    rows: growth.rows,
    notes: [
      `${whole(reports)} reports of ${report.length} characters a second of CPU`,
      `${whole(urlsPerSecond())} URLs a second with two addresses each`,
      'what is longer may cost up to five times as much a byte: caches and memory',
    ],
    targets: [
      {
        claim: 'linear: the longest costs a byte at most five times what 10 kB cost',
        met: growth.worst <= 5,
        figures: `${growth.worst.toFixed(2)} times at worst`,
      },
    ],
  })
}
