// The line of an agent's standing as points of a picture: where each step is drawn, and where the
// levels begin. What draws it decides colours alone.
import { levelBounds, levelOf, type StandingLevel } from '#rules/catalog/earned-standing'

interface Moved {
  readonly before: number
  readonly after: number
}

export interface ChartPoint {
  readonly x: number
  readonly y: number
}

export interface StandingChart {
  readonly width: number
  readonly height: number
  /** Of the part in which lines are drawn. */
  readonly left: number
  readonly right: number
  /** Before the first step; null where there is none. */
  readonly begins: ChartPoint | null
  /** One for each step, in their order. */
  readonly points: readonly ChartPoint[]
  /** The line through all of them, as the path of an SVG. */
  readonly path: string
  readonly bounds: readonly { readonly value: number; readonly level: StandingLevel; y: number }[]
  /** What stands at the top and at the foot. */
  readonly ends: readonly { readonly value: number; readonly y: number }[]
}

const size = { width: 640, height: 260 } as const
const inner = { left: 48, right: 510, top: 18, foot: 242 } as const

/** Steps are as far apart as each other, however long it was between them. */
export function standingChart(steps: readonly Moved[]): StandingChart {
  const [first] = steps
  const values = steps.flatMap(({ before, after }) => [before, after])
  // As far down as it must, in steps of 0.2.
  const least = Math.floor(Math.min(0, ...values) * 5) / 5
  const heightOf = (value: number): number => {
    return rounded(inner.top + ((1 - value) / (1 - least)) * (inner.foot - inner.top))
  }
  const gap = (inner.right - inner.left) / Math.max(1, steps.length)
  const begins = first === undefined ? null : { x: inner.left, y: heightOf(first.before) }
  const points = steps.map(({ after }, index) => {
    return { x: rounded(inner.left + gap * (index + 1)), y: heightOf(after) }
  })
  const all = begins === null ? [] : [begins, ...points]
  return {
    ...size,
    left: inner.left,
    right: inner.right,
    begins,
    points,
    path: all.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
    bounds: levelBounds.map(([value, level]) => ({ value, level, y: heightOf(value) })),
    ends: [1, ...(least < 0 ? [0] : []), least].map((value) => ({ value, y: heightOf(value) })),
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** In one sentence, for who does not see it. */
export function chartText(steps: readonly Moved[], value: (of: number) => string): string {
  const [first] = steps
  const last = steps.at(-1)
  if (first === undefined || last === undefined) return 'Nothing has moved it yet.'
  const all = steps.flatMap(({ before, after }) => [before, after])
  const range = `between ${value(Math.min(...all))} and ${value(Math.max(...all))}`
  const end = `${value(last.after)}, ${levelOf(last.after)}`
  return `${steps.length} steps from ${value(first.before)} to ${end}; ${range}.`
}
