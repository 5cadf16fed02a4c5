// How far the current era is from being rotated by an era keeper, in words.
import type { EraAge } from '#state/eras/due'
import { counted, duration } from './wording.ts'

const by = { facts: 'size', age: 'age' } as const

export function eraAgeText(era: number, age: EraAge): string {
  const { rules, facts, leftMs, heldMs, dueBy } = age
  const { facts: most } = rules
  const so = most === undefined ? '' : `${facts} of `
  const has = `era ${era} has ${so}${counted(most ?? facts, 'fact')}`
  if (dueBy !== null) return `${has}, and is due to be rotated, by its ${by[dueBy]}`
  if (most !== undefined && facts >= most) {
    const least = duration(age.ageMs + heldMs)
    return `${has}, and is due in ${duration(heldMs)}: it lasts ${least} at least`
  }
  return leftMs === null
    ? has
    : `${has}, and is due in ${duration(Math.max(leftMs, heldMs))}, by its age`
}
