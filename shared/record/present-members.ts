// An object read by the members that it has. Of each optional one that is absent zod makes a fault
// and drops it again, and that costs more than to read all that is there.
import { z } from 'zod'

interface Reached<S> {
  /** Of the members that led here, and all that are not optional. */
  readonly schema: S
  readonly next: Map<string, Reached<S>>
}

interface Known {
  readonly root: Reached<z.ZodObject>
  count: number
}

/** What is sent may have its members in any order, and makes no more schemas than this. */
const schemasMax = 64

const known = new WeakMap<object, Known>()

/**
 * A schema that reads this value as the whole one does, without what the value does not have. Of a
 * strict object without refinements.
 */
export function forPresent<S extends z.ZodType>(whole: S & z.ZodObject, value: unknown): S
export function forPresent(whole: z.ZodObject, value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return whole
  let of = known.get(whole)
  if (of === undefined) known.set(whole, (of = begun(whole)))
  let reached = of.root
  for (const member in value) {
    const next = reached.next.get(member) ?? reach(whole, of, reached, member)
    if (next === null) return whole
    reached = next
  }
  return reached.schema
}

function begun(whole: z.ZodObject): Known {
  const needed = Object.keys(whole.shape).filter((member) => {
    const part: unknown = whole.shape[member]
    return !(part instanceof z.ZodType && part._zod.optout === 'optional')
  })
  const root = { schema: picked(whole, needed), next: new Map() }
  return { root, count: 1 }
}

function reach(
  whole: z.ZodObject,
  of: Known,
  from: Reached<z.ZodObject>,
  member: string,
): Reached<z.ZodObject> | null {
  if (!Object.hasOwn(whole.shape, member) || of.count >= schemasMax) return null
  const isThere = Object.hasOwn(from.schema.shape, member)
  const members = [...Object.keys(from.schema.shape), member]
  const next = { schema: isThere ? from.schema : picked(whole, members), next: new Map() }
  from.next.set(member, next)
  of.count += 1
  return next
}

/** In the order of the whole one, in which its faults come. */
function picked(whole: z.ZodObject, members: readonly string[]): z.ZodObject {
  const kept = Object.entries(whole.shape).filter(([member]) => members.includes(member))
  return z.strictObject(Object.fromEntries(kept))
}
