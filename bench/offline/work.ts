// Measures what is checked of finished work: URLs and texts a second, and texts of 1 kB to 1 MB
// written to take long. Each ten times as long must take about ten times as long.
import { judgeUrl } from '#core/egress/url-rules'
import { checkProse } from '#core/work/prose/check-prose'
import { groundingChecks, structuralChecks } from '#core/work/prose/profiles'
import { fixed, median, whole, type Report } from '../figures.ts'

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

function perSecond(text: string): number {
  const rounds = Math.ceil(30_000 / text.length)
  const times: number[] = []
  for (let round = 0; round < (rounds === 1 ? 1 : 3); round += 1) {
    const start = performance.now()
    for (let count = 0; count < rounds; count += 1) {
      checkProse({ text, asked: [...structuralChecks, ...groundingChecks], minWords: 50, now: 0 })
    }
    times.push((performance.now() - start) / rounds)
  }
  return text.length / 1_000 / median(times)
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
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
  // The engine compiles what it has seen often.
  perSecond(repeated(report, 30_000))
  const measured = texts.map(([name, piece]) => {
    return { name, speeds: lengths.map((size) => perSecond(repeated(piece, size))) }
  })
  const ratios = measured.map(({ speeds }) => (speeds[1] ?? 0) / (speeds.at(-1) ?? 1))
  const reports = ((measured[0]?.speeds[0] ?? 0) * 1_000_000) / report.length
  return Promise.resolve({
    title: 'texts checked by all checks, MB a second',
    head: [
      'text',
      ...lengths.map((size) => `${whole(size / 1_000)} kB`),
      'longest against 10 kB, a byte',
    ],
    rows: measured.map(({ name, speeds }, index) => [
      name,
      ...speeds.map(fixed(2)),
      (ratios[index] ?? 0).toFixed(2),
    ]),
    notes: [
      `${whole(reports)} reports a second of ${report.length} characters`,
      `${whole(urlsPerSecond())} URLs a second with two addresses each`,
      'what is longer may cost up to five times as much a byte: caches and memory',
    ],
    targets: [
      {
        claim: 'linear: the longest costs a byte at most five times what 10 kB cost',
        met: Math.max(...ratios) <= 5,
        figures: `${Math.max(...ratios).toFixed(2)} times at worst`,
      },
    ],
  })
}
