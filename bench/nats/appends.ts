// Measures durable appends a second on a NATS server that syncs every fact, where what waits at the
// same moment goes together, against the library's publishes one by one, with as many outstanding.
import { ulidIds } from '#adapters/system/ids'
import { JetStreamAppends } from '#adapters/jetstream/appends'
import { NatsLink } from '#adapters/nats/link'
import { Requests } from '#adapters/nats/requests'
import { addressOf, nameOf, type Place } from '#core/kernel/names'
import { assert } from '#core/kernel/fault'
import type { Entry } from '#ports/log'
import { fixed, median, quantile, spread, whole, type Report } from '../figures.ts'
import { openRaw, publishSeconds, type Raw } from './raw.ts'
import { makeStreamOn, onServer, place, rawPlace } from './server.ts'

const rounds = 5
const bytes = Buffer.alloc(500, 'x')
const sides = [
  { outstanding: 1, count: 500 },
  { outstanding: 16, count: 2_000 },
  { outstanding: 256, count: 4_000 },
  { outstanding: 1_000, count: 8_000 },
]
type Side = (typeof sides)[number]

interface Measured {
  readonly side: Side
  readonly perSecond: number
  readonly rawPerSecond: number
  readonly times: readonly number[]
}

export function benchNatsAppends(): Promise<Report> {
  return onServer({ syncAlways: true }, async (server) => {
    await makeStreamOn(server, place)
    await makeStreamOn(server, rawPlace)
    const requests = new Requests(await NatsLink.open({ servers: server.url }))
    const appends = new JetStreamAppends(requests)
    const raw = await openRaw(server.url)
    const measured: Measured[] = []
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of sides) {
        const one = await measure(side, appends, raw)
        if (round > 0) measured.push(one)
      }
    }
    await raw.connection.close()
    requests.close()
    await requests.link.close()
    return reportOf(measured)
  })
}

async function measure(side: Side, appends: JetStreamAppends, raw: Raw): Promise<Measured> {
  const { outstanding, count } = side
  const ours = entriesOf(place, count)
  const times: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let entry = ours[next++]; entry !== undefined; entry = ours[next++]) {
      const began = performance.now()
      assert((await appends.push(entry)) !== null, 'each name is new')
      times.push(performance.now() - began)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: outstanding }, lane))
  const perSecond = count / ((performance.now() - start) / 1_000)
  const rawSeconds = await publishSeconds(raw, entriesOf(rawPlace, count), outstanding)
  return { side, perSecond, rawPerSecond: count / rawSeconds, times }
}

function reportOf(measured: readonly Measured[]): Report {
  const found = sides.map((side) => measured.filter((one) => one.side === side))
  return {
    title: 'durable appends a second on NATS, every fact synced',
    head: ['outstanding', 'appends/s', 'publishes/s', 'ratio', 'append p50 ms', 'p99 ms'],
    rows: found.map((of) => [
      `${of[0]?.side.outstanding}`,
      spread(
        of.map(({ perSecond }) => perSecond),
        whole,
      ),
      whole(median(of.map(({ rawPerSecond }) => rawPerSecond))),
      spread(
        of.map(({ perSecond, rawPerSecond }) => perSecond / rawPerSecond),
        fixed(2),
      ),
      median(of.map(({ times }) => median(times))).toFixed(2),
      median(of.map(({ times }) => quantile(times, 0.99))).toFixed(2),
    ]),
    notes: [
      `${rounds} rounds of ${bytes.length} bytes each, in turn, into two streams configured alike`,
      'on one server; a publish of the library goes by itself, with as many outstanding',
    ],
    targets: [],
  }
}

const ids = ulidIds()

function entriesOf(at: Place, count: number): readonly Entry[] {
  const now = Date.now()
  return Array.from({ length: count }, () => {
    return { name: nameOf(at, 'vlp', addressOf('bot', null, ids.next(now))), bytes }
  })
}
