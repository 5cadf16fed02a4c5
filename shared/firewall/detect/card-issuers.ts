// Which numbers of cards are given out: how those of each network begin, and how long they are.

interface Issued {
  /** Of the first four digits. */
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}

const maestro: readonly number[] = [13, 14, 15, 16]

const issued: readonly Issued[] = [
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  { from: 2200, to: 2204, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3000, to: 3059, lengths: [14, 16] },
  { from: 3095, to: 3095, lengths: [14, 16] },
  { from: 3056, to: 3099, lengths: [14] },
  { from: 3400, to: 3499, lengths: [15] },
  { from: 3500, to: 3599, lengths: [16] },
  { from: 3600, to: 3699, lengths: [14, 16] },
  { from: 3700, to: 3799, lengths: [15] },
  { from: 3800, to: 3999, lengths: [14, 16] },
  { from: 4000, to: 4999, lengths: [13, 16] },
  { from: 5000, to: 5099, lengths: maestro },
  { from: 5100, to: 5599, lengths: [16] },
  { from: 5600, to: 5899, lengths: maestro },
  { from: 6000, to: 6099, lengths: maestro },
  { from: 6100, to: 6999, lengths: [16] },
]

/** Whether a network gives out numbers that begin and are as long as this one. */
export function issuesLength(digits: string): boolean {
  const first = Number(digits.slice(0, 4))
  return issued.some(({ from, to, lengths }) => {
    return from <= first && first <= to && lengths.includes(digits.length)
  })
}
