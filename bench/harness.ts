// How everything here is measured and printed. A measurement is repeated in rounds; all sides of
// a round are measured within moments of each other, in turn, so that of a busy machine the
// ratios can be believed. A figure is a median, beside what it is against and what is aimed at.
import { assert } from '#record/fault'

export interface Aim {
  readonly of: 'figure' | 'ratio'
  readonly least?: number
  readonly most?: number
}

export const atLeast = (least: number): readonly Aim[] => [{ of: 'figure', least }]
export const atMost = (most: number): readonly Aim[] => [{ of: 'figure', most }]
export const ratioAtLeast = (least: number): readonly Aim[] => [{ of: 'ratio', least }]
export const ratioAtMost = (most: number): readonly Aim[] => [{ of: 'ratio', most }]

export interface Figure {
  readonly name: string
  readonly unit: string
  /** One of each round. */
  readonly values: readonly number[]
  readonly against?: { readonly name: string; readonly values: readonly number[] }
  readonly aims: readonly Aim[]
}

export interface Bench {
  readonly title: string
  /** What the machine must have; without it the bench is left out. */
  readonly needs?: 'nats' | 'neo4j'
  /** It takes minutes: only when it is asked for by name. */
  readonly isLong?: boolean
  run(options: Options): Promise<readonly Figure[]>
}

export interface Options {
  /** Whether it was asked for by name. */
  readonly isNamed: boolean
  /** Folders that were given, by `--corpus`. */
  readonly corpora: readonly string[]
  /** Of a bench that has several, those that were asked for by `--part`; all where none were. */
  readonly parts?: readonly string[]
}

/** Of one round: each side by its name. */
export type Sample = Readonly<Record<string, number>>

/** What a figure may have beside its name and unit; what it is against is another side's name. */
interface Beside {
  readonly against?: string
  readonly aims?: readonly Aim[]
}

export interface Ran {
  figure(of: string, unit: string, beside?: Beside): Figure
  /** The median and the slowest hundredth of times that `percentiles` gave, in milliseconds. */
  times(of: string, against?: string): readonly Figure[]
}

/** Whether this is only to see that all of it runs: then the figures mean nothing. */
export const isQuick: boolean = process.argv.includes('--quick')

/** So many, or a hundredth of it. */
export function sized(count: number): number {
  return isQuick ? Math.max(1, Math.round(count / 100)) : count
}

/** The first round warms up and is not counted. */
export async function inRounds(
  rounds: number,
  measure: (round: number) => Promise<Sample> | Sample,
): Promise<Ran> {
  const samples: Sample[] = []
  for (let round = isQuick ? 1 : 0; round <= (isQuick ? 1 : rounds); round += 1) {
    const sample = await measure(round)
    if (round > 0) samples.push(sample)
  }
  const valuesOf = (name: string): readonly number[] =>
    samples.map((sample) => {
      const value = sample[name]
      assert(value !== undefined, `\`${name}\` is measured in each round`)
      return value
    })
  const figure: Ran['figure'] = (of, unit, { against, aims = [] } = {}) => ({
    name: of,
    unit,
    values: valuesOf(of),
    ...(against !== undefined && { against: { name: against, values: valuesOf(against) } }),
    aims,
  })
  return {
    figure,
    times: (of, against) =>
      ['p50', 'p99'].map((part) => {
        const beside = against === undefined ? {} : { against: `${against}, ${part}` }
        return figure(`${of}, ${part}`, 'ms', beside)
      }),
  }
}

/** A figure of which there is one. */
export function single(name: string, unit: string, value: number, aims: readonly Aim[] = []) {
  return { name, unit, values: [value], aims } satisfies Figure
}

export function percentiles(name: string, times: readonly number[]): Sample {
  return { [`${name}, p50`]: median(times), [`${name}, p99`]: quantile(times, 0.99) }
}

/** The value below which that part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** In milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Microseconds of a CPU that this process uses for it, all its threads together. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** Runs each, so many at once, in order; how long each took, in milliseconds. */
export async function inLanes<T>(
  all: readonly T[],
  lanes: number,
  run: (one: T) => Promise<unknown>,
): Promise<readonly number[]> {
  const rest = all.values()
  const times: number[] = []
  const lane = async (): Promise<void> => {
    for (const one of rest) times.push(await timed(() => run(one)))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return times
}

interface Summed {
  readonly figure: Figure
  readonly ratios: readonly number[]
  readonly aims: readonly (Aim & { readonly isMet: boolean })[]
}

function summed(figure: Figure): Summed {
  const { values, against } = figure
  const ratios = values.flatMap((value, round) => {
    const other = against?.values[round]
    return other === undefined ? [] : [value / other]
  })
  const aims = figure.aims.map((aim) => {
    const value = median(aim.of === 'ratio' ? ratios : values)
    return { ...aim, isMet: value >= (aim.least ?? -Infinity) && value <= (aim.most ?? Infinity) }
  })
  return { figure, ratios, aims }
}

/** One line of JSON a figure. */
export function inJson(bench: string, figures: readonly Figure[]): string {
  const lines = figures.map(summed).map(({ figure, ratios, aims }) => {
    const { name, unit, values, against } = figure
    const other = against && { ...spread(against.values), name: against.name }
    const ratio = against && spread(ratios)
    return JSON.stringify({ bench, name, unit, ...spread(values), against: other, ratio, aims })
  })
  return lines.map((line) => `${line}\n`).join('')
}

function spread(values: readonly number[]) {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) }
}

const head = ['what', '', 'median', 'against', 'median', 'ratio', 'aim']

export function inText(title: string, figures: readonly Figure[]): string {
  const rows = figures
    .map(summed)
    .map(({ figure, ratios, aims }) => [
      figure.name,
      figure.unit,
      spreadText(figure.values),
      figure.against?.name ?? '',
      figure.against === undefined ? '' : shown(median(figure.against.values)),
      ratios.length === 0 ? '' : spreadText(ratios),
      aims.map(aimText).join(', '),
    ])
  const widths = head.map((_, at) => {
    return Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0))
  })
  const lines = [head, ...rows].map((row) => {
    return `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  })
  return `${[title, ...lines].join('\n')}\n\n`
}

function aimText({ of, least, most, isMet }: Summed['aims'][number]): string {
  const what = of === 'ratio' ? 'ratio ' : ''
  const bound = least === undefined ? `≤ ${shown(most ?? 0)}` : `≥ ${shown(least)}`
  return `${what}${bound}: ${isMet ? 'met' : 'not met'}`
}

/** The median, and between which values all lie. */
function spreadText(values: readonly number[]): string {
  const { median: middle, low, high } = spread(values)
  const between = values.length === 1 ? '' : ` (${shown(low)}–${shown(high)})`
  return `${shown(middle)}${between}`
}

/** Three digits of it at most, but for what is large. */
function shown(value: number): string {
  const digits = value < 1_000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }
  return value.toLocaleString('en', digits)
}
