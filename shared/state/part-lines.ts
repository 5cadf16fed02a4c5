// How a part of the state is kept, as lines of an era or a snapshot, said once: from a codec
// follows how its lines are written and read back, and what becomes of them where the log's clock
// is set back. It believes nothing of who wrote them.
import { z } from 'zod'
import { firstIssue } from '#record/event'
import { later } from '#schemas/later'
import type { State } from './state.ts'
import { newSequence, type Sequence } from './sequence.ts'

/**
 * Whose the lines are. What people wrote keeps the order of its keys: a rule that walks over it
 * must find it as it was. What cannot be folded from a few facts alone is of this log; the rest is
 * folded from facts that are signed and few, and that all cells share.
 */
export type KeptOf = 'people' | 'log' | 'all_cells'

/** The log's time is set back: what an instant becomes. */
export type MoveInstant = (instant: number) => number

export interface Kept {
  readonly line: string
  readonly of: KeptOf
  readonly lines: (state: State) => Iterable<object>
  readonly reading: () => LineReading
  /** Nothing but what is marked as an instant changes. */
  readonly move: (state: State, moved: MoveInstant) => void
}

/** Takes all lines of a codec and then puts them into a state. */
export interface LineReading {
  /** What is wrong with the line; null where nothing is. */
  readonly take: (line: unknown) => string | null
  readonly end: (state: State) => void
}

/** As a state has it, where nothing is changed in place. */
type Held<T> = T extends readonly (infer E)[]
  ? readonly Held<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Held<T[K]> }
    : T

type Written<S extends z.core.$ZodShape> = {
  readonly [K in keyof Body<S>]: Held<Body<S>[K]>
}

type Body<S extends z.core.$ZodShape> = z.output<z.ZodObject<S, z.core.$strict>>

export function kept<S extends z.core.$ZodShape>(
  line: string,
  of: KeptOf,
  {
    shape,
    check = () => undefined,
    write,
    read,
  }: {
    /** Beside its name. */
    readonly shape: () => S
    /** Throws for what cannot be read on from here. */
    readonly check?: (line: Body<S>) => void
    readonly write: (state: State) => Iterable<Written<S>>
    /** Gets all lines, in their order; where the state has such a part, this takes its place. */
    readonly read: (state: State, lines: readonly Body<S>[]) => void
  },
): Kept {
  const schema = later(() => z.strictObject(shape()))
  const reading = (): LineReading => {
    const bodies: Body<S>[] = []
    return {
      take(given) {
        const parsed = schema.safeParse(given)
        if (!parsed.success) return firstIssue(parsed.error)
        check(parsed.data)
        bodies.push(parsed.data)
        return null
      },
      end: (state) => read(state, bodies),
    }
  }
  return {
    line,
    of,
    reading,
    *lines(state) {
      for (const body of write(state)) yield { line, ...body }
    },
    move(state, moved) {
      if (!hasInstants(schema)) return
      const bodies = [...write(state)].map((body) => schema.parse(movedIn(schema, body, moved)))
      read(state, bodies)
    },
  }
}

const instants = new WeakSet<z.core.$ZodType>()

/** Marks a number as a time of the log, in milliseconds since 1970. */
export function asInstant<T extends z.core.$ZodType>(schema: T): T {
  instants.add(schema)
  return schema
}

export const Count = later(() => z.int().min(0))
/** When a fact was appended. */
export const KeptInstant = asInstant(later(() => z.int().min(0)))
export const Numbers = later(() => z.array(z.int().min(1)))
export const SequenceLine = later(() => z.strictObject({ next: z.int().min(1), spent: Numbers }))

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values<z.core.$ZodType>(schema.shape)
  if (schema instanceof z.ZodArray) return [schema.element]
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? [schema.unwrap()] : []
}

function hasInstants(schema: z.core.$ZodType): boolean {
  return instants.has(schema) || partsOf(schema).some(hasInstants)
}

const Members = z.record(z.string(), z.unknown())

function movedIn(schema: z.core.$ZodType, value: unknown, moved: MoveInstant): unknown {
  if (instants.has(schema)) return typeof value === 'number' ? moved(value) : value
  if (value === null || value === undefined || !hasInstants(schema)) return value
  if (schema instanceof z.ZodArray) {
    return z
      .array(z.unknown())
      .parse(value)
      .map((one) => movedIn(schema.element, one, moved))
  }
  if (schema instanceof z.ZodObject) {
    const shape: z.core.$ZodShape = schema.shape
    const members = Object.entries(Members.parse(value)).map(([key, one]) => {
      const part = shape[key]
      return [key, part === undefined ? one : movedIn(part, one, moved)]
    })
    return Object.fromEntries(members)
  }
  const [inner] = partsOf(schema)
  return inner === undefined ? value : movedIn(inner, value, moved)
}

/** What a fact said, and where it stands; its time is no instant unless that is asked for. */
export function placed<T extends z.ZodType>(data: T, appendedAt: z.ZodInt = Count) {
  return z.strictObject({ name: z.string(), position: Count, appendedAt, data })
}

export function writtenSequence({ next, used }: Sequence): z.infer<typeof SequenceLine> {
  return { next, spent: numbersIn(used) }
}

export function numbersIn(numbers: ReadonlySet<number>): number[] {
  return [...numbers].toSorted((a, b) => a - b)
}

export function readSequence({ next, spent: used }: z.infer<typeof SequenceLine>): Sequence {
  return used.length === 0 ? { ...newSequence, next } : { next, used: new Set(used) }
}

/** A state that was restored may have another order of its own. */
export function inNameOrder<T>(entries: ReadonlyMap<string, T>): readonly [string, T][] {
  return [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
