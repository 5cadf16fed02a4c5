// The arguments of a call, one row for each value: where it stands, what it is, where the agent has
// it from, and what it was in the last call that people approved. No value is left out.
import { canonical, isList, jsonOf, type Json } from '#record/canonical'
import type { Difference } from '#schemas/operations/reviews'
import type { ValueFound } from '#schemas/values'
import { pointerToken, tokenName } from '#record/pointer-token'

export interface ArgumentRow {
  /** Such as `to` or `lines.0.amount`. */
  readonly label: string
  readonly pointer: string
  readonly text: string
  /** Where each value in it was found; empty where no rule asks for that. */
  readonly origins: readonly ValueOrigin[]
  readonly differs: 'same' | 'added' | 'changed' | 'removed'
  /** What it was before; absent where it was not there. */
  readonly before?: string
}

export interface ValueOrigin {
  readonly tone: 'good' | 'doubtful' | 'bad'
  readonly text: string
}

const rowsMax = 500

export function argumentRows(
  args: unknown,
  values: readonly ValueFound[],
  differs: readonly Difference[],
): readonly ArgumentRow[] {
  const leaves = leavesOf(jsonOf(args)).slice(0, rowsMax)
  const changes = new Map(differs.map((one) => [one.pointer, one]))
  const rows = leaves.map(([pointer, text]): ArgumentRow => {
    const change = changes.get(pointer) ?? above(changes, pointer)
    const origins = values.filter(({ arg }) => arg === pointer || isBelow(pointer, arg))
    const base = { label: labelOf(pointer), pointer, text, origins: origins.map(originOf) }
    if (change === undefined) return { ...base, differs: 'same' }
    if (change.before === undefined) return { ...base, differs: 'added' }
    return { ...base, differs: 'changed', before: textOf(jsonOf(change.before)) }
  })
  const gone = differs.filter(({ now }) => now === undefined)
  return [
    ...rows,
    ...gone.map(({ pointer, before }): ArgumentRow => {
      const text = before === undefined ? '' : textOf(jsonOf(before))
      return { label: labelOf(pointer), pointer, text, origins: [], differs: 'removed' }
    }),
  ]
}

function leavesOf(value: Json, pointer = ''): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[pointer, textOf(value)]]
  const members: readonly (readonly [string, Json | undefined])[] = isList(value)
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value)
  if (members.length === 0) return pointer === '' ? [] : [[pointer, textOf(value)]]
  return members.flatMap(([key, member]) => {
    if (member === undefined) return []
    const token = pointerToken(key)
    return leavesOf(member, `${pointer}/${token}`)
  })
}

function above(changes: ReadonlyMap<string, Difference>, pointer: string): Difference | undefined {
  return [...changes].find(([changed]) => isBelow(pointer, changed))?.[1]
}

function isBelow(pointer: string, other: string): boolean {
  return pointer.startsWith(`${other}/`)
}

function labelOf(pointer: string): string {
  return tokenName(pointer.slice(1).replaceAll('/', '.'))
}

/** A text as it is, anything else as JSON. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonical(value)
}

function originOf(of: ValueFound): ValueOrigin {
  const { principal = '', sender = '', tool } = of
  const whose = tool === undefined ? `what ${sender} wrote` : `a result of ${tool}`
  switch (of.found) {
    case 'attribute':
      return { tone: 'good', text: `of ${principal}, by the catalog` }
    case 'message':
      return { tone: 'good', text: `from ${whose}` }
    case 'untrusted':
      return { tone: 'doubtful', text: `only in ${whose}, which is not trusted for it` }
    case 'unnamed':
      return { tone: 'doubtful', text: `listed by ${whose}, and named by no one` }
    case 'repeated':
      return { tone: 'doubtful', text: `only repeated by ${whose}` }
    case 'beyond':
      return { tone: 'bad', text: 'not looked for: there are too many values' }
    case 'nowhere':
      return { tone: 'bad', text: 'from nothing that the agent was given' }
  }
}
