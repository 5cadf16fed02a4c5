// What an agent gets of a result: a summary, a table, a handle alone, or all of it where its roles
// entitle it; always redacted first, and never more than the budgets allow. What of it is not shown
// is not looked at, and there is no warning of it. Total.
import type { Redaction } from '#schemas/action/driver'
import type { ValueKind } from '#schemas/values'
import type { Json } from '#record/canonical'
import { factsOf, isItems, isRow, lengthOf } from './facts.ts'
import { redact, redactedItems, type Redacted, type RedactOptions } from './redact.ts'
import { warningsInOrder, type FirewallWarning } from './warnings.ts'
import { pointerToken } from '#record/pointer-token'

export const frameModes = ['summary', 'table', 'handle_only', 'raw'] as const
export type FrameMode = (typeof frameModes)[number]

/** The constraints of a verdict that bound what is shown; those not named here change nothing. */
export interface FrameConstraints {
  /** Rows of a table; a whole number, at least 0. 50 if absent. */
  readonly maxRows?: number
  /** The fields that may be shown; of an empty list none may. Absent: all. */
  readonly allowedFields?: readonly string[]
}

export interface FrameOptions {
  readonly mode: FrameMode
  readonly constraints?: FrameConstraints
  /** The roles of the reader as the catalog has them. */
  readonly roles?: readonly string[]
  readonly reveal?: readonly ValueKind[]
  readonly redaction?: Redaction
}

export interface Frame {
  /** The mode used. */
  readonly mode: FrameMode
  readonly facts?: readonly string[]
  readonly table?: readonly Json[]
  readonly raw?: Json
  /** How much the whole result holds: the items of a list, else 1. Null where all of it is here. */
  readonly handle: { readonly rows: number } | null
  /** In order of their paths; at most `warningsMax`, then one more of `chars` at the whole. */
  readonly warnings: readonly FirewallWarning[]
}

export const frameBudgets = {
  rows: 50,
  fields: 20,
  /** Of all facts together, and what a raw result may have without a warning; in code points. */
  chars: 4_000,
  /** Of a table as JSON, in UTF-16 units. */
  tableChars: 64_000,
  facts: 20,
  warningsMax: 256,
}

/** Who gets a result raw. */
const rawRole = 'admin'

export function frame(value: Json, options: FrameOptions): Frame {
  const { constraints = {}, roles = [], reveal = [], redaction = 'all' } = options
  const { maxRows = frameBudgets.rows, allowedFields } = constraints
  const redacting = { reveal, redaction, ...(allowedFields !== undefined && { allowedFields }) }
  const isRefused = options.mode === 'raw' && !roles.includes(rawRole)
  const mode = isRefused ? 'summary' : options.mode
  const content = contentOf(value, mode, { ...redacting, maxRows })
  const refused: FirewallWarning[] = isRefused ? [{ code: 'mode', path: '' }] : []
  return {
    mode,
    ...content.shown,
    handle: mode === 'raw' ? null : { rows: isItems(value) ? value.length : 1 },
    warnings: bounded(warningsInOrder([content.warnings, refused].flat())),
  }
}

const cutShort: FirewallWarning = { code: 'chars', path: '' }

function bounded(warnings: readonly FirewallWarning[]): readonly FirewallWarning[] {
  if (warnings.length <= frameBudgets.warningsMax) return warnings
  return warningsInOrder([...warnings.slice(0, frameBudgets.warningsMax), cutShort])
}

interface Content {
  readonly shown: Pick<Frame, 'facts' | 'raw' | 'table'>
  readonly warnings: readonly FirewallWarning[]
}

interface Showing extends RedactOptions {
  readonly maxRows: number
}

function contentOf(value: Json, mode: FrameMode, showing: Showing): Content {
  switch (mode) {
    case 'summary':
      return summaryOf(redact(value, showing))
    case 'table':
      return tableOf(value, showing)
    case 'raw': {
      const { value: raw, warnings } = redact(value, showing)
      const isLong = lengthOf(JSON.stringify(raw)) > frameBudgets.chars
      return { shown: { raw }, warnings: isLong ? [...warnings, cutShort] : warnings }
    }
    case 'handle_only':
      return { shown: {}, warnings: [] }
  }
}

function summaryOf({ value, warnings }: Redacted): Content {
  const all = factsOf(value, frameBudgets.facts)
  let length = 0
  const facts: string[] = []
  for (const fact of all) {
    length += lengthOf(fact)
    if (length > frameBudgets.chars) break
    facts.push(fact)
  }
  const isShort = facts.length < all.length
  return { shown: { facts }, warnings: isShort ? [...warnings, cutShort] : warnings }
}

function tableOf(value: Json, { maxRows, ...redacting }: Showing): Content {
  const isList = isItems(value)
  const count = isList ? value.length : 1
  const rows = isList ? redactedItems(value.slice(0, maxRows), redacting) : oneRow(value, redacting)
  const warnings: FirewallWarning[] = []
  const table: Json[] = []
  if (count > maxRows) warnings.push({ code: 'rows', path: '' })
  let length = 0
  let index = 0
  for (const row of maxRows > 0 ? rows : []) {
    const path = isList ? `/${index}` : ''
    index += 1
    const { shown, dropped } = rowOf(row.value)
    length += JSON.stringify(shown).length
    if (length > frameBudgets.tableChars) {
      warnings.push(cutShort)
      break
    }
    table.push(shown)
    // Not by spreading, which an engine bounds.
    for (const warning of row.warnings) warnings.push(warning)
    for (const key of dropped) {
      const token = pointerToken(key)
      warnings.push({ code: 'field_dropped', path: `${path}/${token}` })
    }
  }
  return { shown: { table }, warnings }
}

function* oneRow(value: Json, redacting: RedactOptions): Generator<Redacted> {
  yield redact(value, redacting)
}

function rowOf(row: Json): { readonly shown: Json; readonly dropped: readonly string[] } {
  if (!isRow(row)) return { shown: { value: row }, dropped: [] }
  const members = Object.entries(row)
  const kept = members
    .slice(0, frameBudgets.fields)
    .map(([key, one]) => [key, one ?? null] as const)
  return {
    shown: Object.fromEntries(kept),
    dropped: members.slice(frameBudgets.fields).map(([key]) => key),
  }
}
