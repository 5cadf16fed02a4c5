// A further look at a kept result: a table of some of its rows, or a refusal. All that bounds it is
// looked up each time: the result by its id, its owner from the store, the rules as they are in
// force now. Nothing that the caller says of a handle counts. Pure and total.
import { z } from 'zod'
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import type { Json } from '#record/canonical'
import { unreadable } from '#record/problem'
import { isItems, isRow } from './facts.ts'
import { frame, frameBudgets, type Frame } from './frame.ts'
import { redactedItems } from './redact.ts'
import type { ShownKinds } from './shown-kinds.ts'

/** Of a result what the store says, beside its value. */
export interface ExpandedResult {
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** What holds at the head of the log, for this result and its owner. */
export interface ExpansionRules {
  /** Whether the owner may still have it: not suspended, revoked, or denied since. */
  readonly permitted: boolean
  /** Null: all. */
  readonly allowedFields: readonly string[] | null
  /** So many rows of it may ever be seen, its first ones. Null: all. */
  readonly maxRows: number | null
  readonly reveal?: readonly ValueKind[]
  readonly redaction?: Redaction
}

export interface Expansion {
  /** Who asks, as authenticated. */
  readonly caller: string
  /** Milliseconds since 1970. */
  readonly now: number
  // From the agent: may be anything.
  readonly query: unknown
}

/** In order: the first that holds is the answer. */
export type ExpansionRefusal =
  | 'handle_unknown'
  | 'handle_expired'
  | 'handle_revoked'
  | 'query_invalid'
  | 'field_not_allowed'
  | 'rows_exceeded'

export type ExpansionAnswer =
  | { readonly frame: Frame; readonly refused?: never }
  | { readonly refused: ExpansionRefusal; readonly frame?: never }

const Name = z.string().max(256)
const Rows = z.int().min(0)

const Query = z.strictObject({
  /** Counted after the filter. */
  offset: Rows.default(0),
  limit: Rows.optional(),
  fields: z.array(Name).max(256).optional(),
  /** All must be equal to what is shown. */
  filter: z
    .record(Name, z.union([z.string().max(4_000), z.number(), z.boolean(), z.null()]))
    .optional(),
})
type Query = z.infer<typeof Query>

/** A page that may be shown. */
export interface ToPage {
  readonly rules: ExpansionRules
  readonly asked: Query
}

export type JudgedExpansion =
  | { readonly page: ToPage; readonly refused?: never }
  | { readonly refused: ExpansionRefusal; readonly page?: never }

/** `kept` is null where the store has none of that id. One of another owner is not known either. */
export function judgedExpansion(
  kept: ExpandedResult | null,
  rules: ExpansionRules,
  { caller, now, query }: Expansion,
): JudgedExpansion {
  if (kept === null || caller === '' || kept.owner !== caller) return { refused: 'handle_unknown' }
  if (kept.expiresAt <= now) return { refused: 'handle_expired' }
  if (!rules.permitted) return { refused: 'handle_revoked' }
  const parsed = Query.safeParse(query)
  // A key that only seems to be one would be dropped, and ask for nothing.
  if (!parsed.success || unreadable(query) !== null) return { refused: 'query_invalid' }
  const refused = fieldRefusal(parsed.data, rules) ?? rowsRefusal(parsed.data, rules)
  return refused === null ? { page: { rules, asked: parsed.data } } : { refused }
}

/** A filter shows whether a value is there, so it may look at no more than may be shown. */
function fieldRefusal({ fields = [], filter = {} }: Query, rules: ExpansionRules) {
  const { allowedFields } = rules
  if (allowedFields === null) return null
  const asked = [...fields, ...Object.keys(filter)]
  return asked.every((one) => allowedFields.includes(one)) ? null : 'field_not_allowed'
}

/** Pages together show no more rows than one: the first ones, however they are cut. */
function rowsRefusal({ offset, limit }: Query, { maxRows }: ExpansionRules) {
  if (maxRows === null) return null
  const isBeyond = limit === undefined ? offset >= maxRows : offset + limit > maxRows
  return isBeyond ? 'rows_exceeded' : null
}

/** It takes as long as the result is large. */
export function expansionPage(value: Json, { rules, asked: query }: ToPage): Frame {
  const { allowedFields, maxRows } = rules
  const all = isItems(value) ? value : [value]
  const visible = maxRows === null ? all : all.slice(0, maxRows)
  const { offset, fields = allowedFields } = query
  const left = maxRows === null ? frameBudgets.rows : maxRows - offset
  const limit = query.limit ?? left
  const rows = matching(visible, rules, query, offset + limit).slice(offset, offset + limit)
  const page = frame(rows, {
    mode: 'table',
    constraints: { maxRows: limit, ...(fields !== null && { allowedFields: fields }) },
    ...shownBy(rules),
  })
  return { ...page, handle: { rows: all.length } }
}

function shownBy({ reveal = [], redaction = 'all' }: ExpansionRules): ShownKinds {
  return { reveal, redaction }
}

/**
 * The first that match, compared with what is shown of each row: a value that is hidden cannot be
 * guessed by filters.
 */
function matching(
  rows: readonly Json[],
  rules: ExpansionRules,
  { filter }: Query,
  countMax: number,
): readonly Json[] {
  if (filter === undefined) return rows
  const wanted = Object.entries(filter)
  const { allowedFields } = rules
  const found: Json[] = []
  const shown = redactedItems(rows, {
    ...shownBy(rules),
    ...(allowedFields !== null && { allowedFields }),
  })
  let index = 0
  for (const { value: row } of shown) {
    const given = rows[index] ?? null
    index += 1
    if (!isRow(row)) continue
    if (!wanted.every(([key, one]) => Object.hasOwn(row, key) && row[key] === one)) continue
    found.push(given)
    if (found.length >= countMax) break
  }
  return found
}
