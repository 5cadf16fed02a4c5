// The arguments of a call, one row for each value: where it stands, what it is, where the agent has
// it from, and what it was in the last call that people approved. What people look at first comes
// first, and what stands in one object stays together. What is left out is counted.
import { canonical, isList, jsonOf, type Json } from '#record/canonical'
import type { Difference } from '#schemas/operations/reviews'
import type { ValueFound } from '#schemas/values'
import { pointerToken, tokenName } from '#record/pointer-token'
import { utc } from '../wording.ts'
import { weighs, inWords } from './name-words.ts'

export interface ArgumentRow {
  /** In what it stands, such as `lines 1`; empty where it stands alone. */
  readonly group: string
  /** Its name there, in words. */
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

/** Rows of one object, in their order. */
export function argumentGroups(
  rows: readonly ArgumentRow[],
): readonly { readonly title: string; readonly rows: readonly ArgumentRow[] }[] {
  const groups: { title: string; rows: ArgumentRow[] }[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last?.title === row.group) last.rows.push(row)
    else groups.push({ title: row.group, rows: [row] })
  }
  return groups
}

export function argumentRows(
  args: unknown,
  values: readonly ValueFound[],
  differs: readonly Difference[],
): readonly ArgumentRow[] {
  const all = leavesOf(jsonOf(args))
  const leaves = all.slice(0, rowsMax)
  const changes = new Map(differs.map((one) => [one.pointer, one]))
  const rows = leaves.map(([pointer, text]): ArgumentRow => {
    const change = changes.get(pointer) ?? above(changes, pointer)
    const origins = values.filter(({ arg }) => arg === pointer || isBelow(pointer, arg))
    const base = { ...placeOf(pointer), pointer, text, origins: origins.map(originOf) }
    if (change === undefined) return { ...base, differs: 'same' }
    if (change.before === undefined) return { ...base, differs: 'added' }
    return { ...base, differs: 'changed', before: textOf(jsonOf(change.before)) }
  })
  const gone = differs.filter(({ now }) => now === undefined)
  const shown = foremostFirst([
    ...rows,
    ...gone.map(({ pointer, before }): ArgumentRow => {
      const text = before === undefined ? '' : textOf(jsonOf(before))
      return { ...placeOf(pointer), pointer, text, origins: [], differs: 'removed' }
    }),
  ])
  const left = all.length - leaves.length
  if (left === 0) return shown
  const text = `${left} more values are not shown: \`warrant reviews\` has all of them`
  return [...shown, { group: '', label: '…', pointer: '', text, origins: [], differs: 'same' }]
}

/** What belongs together stays so: it stands where its foremost value does. */
function foremostFirst(rows: readonly ArgumentRow[]): readonly ArgumentRow[] {
  const weight = (row: ArgumentRow): number => weighs(row.label, row.text)
  const blocks = new Map<string, ArgumentRow[]>()
  for (const row of rows) {
    const [, first = ''] = row.pointer.split('/')
    blocks.set(first, [...(blocks.get(first) ?? []), row])
  }
  const foremost = (block: readonly ArgumentRow[]): number => Math.min(...block.map(weight))
  return [...blocks.values()]
    .toSorted((one, other) => foremost(one) - foremost(other))
    .flatMap((block) =>
      argumentGroups(block).flatMap((group) =>
        group.rows.toSorted((one, other) => weight(one) - weight(other)),
      ),
    )
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

const isIndex = (token: string | undefined): boolean => /^\d+$/.test(token ?? '')

/** Items of a list are counted from one. */
function placeOf(pointer: string): Pick<ArgumentRow, 'group' | 'label'> {
  const tokens = pointer.split('/').slice(1).map(tokenName)
  const nameAt = isIndex(tokens.at(-1)) ? -2 : -1
  return { group: placed(tokens.slice(0, nameAt)), label: placed(tokens.slice(nameAt)) }
}

function placed(tokens: readonly string[]): string {
  return tokens
    .map((token) => (isIndex(token) ? String(Number(token) + 1) : inWords(token)))
    .join(' ')
}

/** A text as it is, anything else as JSON. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonical(value)
}

function agreedEarlier({ tool = '', agreed }: ValueFound): string {
  const earlier = 'agreed to earlier in this session'
  if (agreed === undefined) return earlier
  return `${earlier}: by ${agreed.by.join(', ')} on ${utc(agreed.at)} for ${tool}`
}

function writerOf({ writer }: ValueFound): string {
  return writer === undefined ? '' : ` by ${writer}`
}

function originOf(of: ValueFound): ValueOrigin {
  const { principal = '', sender = '', tool } = of
  const whose = tool === undefined ? `what ${sender} wrote` : `a result of ${tool}`
  switch (of.found) {
    case 'attribute':
      return { tone: 'good', text: `of ${principal}, by the catalog` }
    case 'message':
      return { tone: 'good', text: `from ${whose}` }
    case 'named':
      return {
        tone: 'good',
        text: `from ${of.source ?? ''}${writerOf(of)}, which was named`,
      }
    case 'confirmed':
      return { tone: 'good', text: agreedEarlier(of) }
    case 'made':
      return { tone: 'good', text: `made by an earlier call of ${tool ?? ''}` }
    case 'shown':
      return { tone: 'good', text: `shown by ${whose}, and no more is needed` }
    case 'person':
      return { tone: 'good', text: `of ${of.called ?? ''}, who was named: by ${whose}` }
    case 'unasked':
      return { tone: 'doubtful', text: 'known, and no one asked for this to be done to it' }
    case 'absent':
      return { tone: 'good', text: 'stands for no value' }
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
