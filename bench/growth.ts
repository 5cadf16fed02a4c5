// What a byte of a text costs as the text gets longer: what is linear costs about the same.
import { fixed, whole, type Report } from './figures.ts'

export interface GrowthOf {
  /** A name, and what the text repeats. */
  readonly texts: readonly (readonly [name: string, piece: string])[]
  /** In characters; the second is what the last is held against. */
  readonly lengths: readonly number[]
  /** What is measured. */
  readonly run: (text: string) => void
  /** Of the figures. */
  readonly digits: number
}

export interface Growth extends Pick<Report, 'head' | 'rows'> {
  /** How many times as much as of the second length a byte of the last costs, at worst. */
  readonly worst: number
  /** Of the first text at the first length, in MB a second of CPU. */
  readonly first: number
}

/** The best of some rounds, of CPU: what others do on the machine only makes one longer. */
const tries = { short: 5, long: 2 }
/** So much text is looked at in a round, at least. */
const roundCharacters = 100_000

export function growthOf({ texts, lengths, run, digits }: GrowthOf): Growth {
  const measured = texts.map(([name, piece]) => {
    const speeds = lengths.map((length) => {
      return perSecond(piece.repeat(Math.ceil(length / piece.length)).slice(0, length), run)
    })
    return { name, speeds, ratio: (speeds[1] ?? 0) / (speeds.at(-1) ?? 1) }
  })
  return {
    head: [
      'text',
      ...lengths.map((length) => `${whole(length / 1_000)} kB`),
      'longest against 10 kB, a byte',
    ],
    rows: measured.map(({ name, speeds, ratio }) => [
      name,
      ...speeds.map(fixed(digits)),
      ratio.toFixed(2),
    ]),
    worst: Math.max(...measured.map(({ ratio }) => ratio)),
    first: measured[0]?.speeds[0] ?? 0,
  }
}

function perSecond(text: string, run: (text: string) => void): number {
  const rounds = Math.ceil(roundCharacters / text.length)
  let best = Infinity
  for (let round = 0; round < (rounds === 1 ? tries.long : tries.short); round += 1) {
    const start = process.cpuUsage()
    for (let count = 0; count < rounds; count += 1) run(text)
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1_000 / rounds)
  }
  return text.length / 1_000 / best
}
