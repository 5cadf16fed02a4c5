// Measures redaction in MB a second over texts as tools return them, and over hostile texts of 1 kB
// to 16 MB: each ten times as long must take about ten times as long. It only measures.
import { redact } from '#core/firewall/redact'
import { whole, type Report } from '../figures.ts'
import { framesPerSecond } from '../frames.ts'
import { growthOf } from '../growth.ts'

const sizes = [1_000, 10_000, 100_000, 1_000_000]
/** Minutes for all texts together. */
const largest = 16_000_000

/** Each makes a text as long as asked; the first is what it repeats. */
const hostile: ReadonlyMap<string, string> = new Map([
  ['one run of letters', 'a'],
  ['addresses without an end', 'a@a.'],
  ['single digits apart', '4 1-1 '],
  ['logins in logins', 'a://b:c@'],
  ['tokens without a third part', 'eyJhbGciOi.eyJ '],
  ['private keys without an end', '-----BEGIN CERTIFICATE-----\n-----BEGIN X PRIVATE KEY '],
  ['key words and no values', 'api_key= "password":\\" bearer  card#'],
  ['percent signs', '%61%40'],
  ['entities and escapes', '&#64;\\u0061'],
  ['encoded runs', 'YW5uQGV4YW1wbGU/'],
  ['lists in lists in a text', '['],
  ['letters that show nothing', 'a\u200b4\u00ad'],
])

const prose =
  'On 2026-03-04 the customer (id 550e8400-e29b-41d4-a716-446655440000) asked us to move the ' +
  'booking ZX81QL to May, at no charge: see https://example.com/bookings/ZX81QL?lang=en. '

/** All in one run; texts of 16 MB only where they are asked for. */
export function benchRedact(isWhole: boolean): Promise<Report> {
  const lengths = isWhole ? [...sizes, largest] : sizes
  const texts = [['prose', prose] as const, ...hostile]
  const growth = growthOf({ texts, lengths, run: redact, digits: 1 })
  const frames = framesPerSecond('summary')
  return Promise.resolve({
    title: 'redaction, MB a second of CPU',
    head: growth.head,
    rows: growth.rows,
    notes: [
      `${whole(frames)} summaries a second of 50 rows of six fields`,
      'what is longer may cost up to three times as much a byte: caches and memory',
    ],
    targets: [
      {
        claim: 'linear: the longest costs a byte at most three times what 10 kB cost',
        met: growth.worst <= 3,
        figures: `${growth.worst.toFixed(2)} times at worst`,
      },
    ],
  })
}
