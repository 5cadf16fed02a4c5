// An answer of a tool server as an agent gets it through a proxy: whole, but redacted, and within
// the fields and rows that a verdict allows. Pictures, sounds and other bytes are left as they are:
// nothing here can look into them. Total.
import type { ValueKind } from '#schemas/values'
import { jsonOf, type Json, type JsonMap } from '../kernel/canonical.ts'
import { parseJson } from '../kernel/json.ts'
import { isItems, isRow } from './facts.ts'
import type { FrameConstraints } from './frame.ts'
import { redact, warningsInOrder, type FirewallWarning } from './redact.ts'

export interface ToolContent {
  readonly content: readonly Json[]
  readonly structuredContent?: Json
}

export interface ContentBounds {
  readonly constraints: FrameConstraints
  readonly reveal: readonly ValueKind[]
}

export interface ShownContent extends ToolContent {
  readonly warnings: readonly FirewallWarning[]
}

/** What an agent takes whole may be as deep as any value. */
const depthMax = 64

/** Text that is JSON is judged as that, with fields and rows. */
export function contentShown(answer: ToolContent, bounds: ContentBounds): ShownContent {
  const { content, structuredContent } = answer
  const { maxRows = Infinity } = bounds.constraints
  const warnings: FirewallWarning[] = []
  // Several texts are the rows of a result.
  const isRows = content.length > 1 && content.every((one) => isRow(one) && one['type'] === 'text')
  const blocks = isRows ? content.slice(0, maxRows) : content
  if (blocks.length < content.length) warnings.push({ code: 'rows', path: '/content' })
  const shown = blocks.map((block, index): Json => {
    const one = blockShown(block, bounds)
    warnings.push(...placed(one.warnings, `/content/${index}`))
    return one.value
  })
  const structured = structuredContent === undefined ? null : valueShown(structuredContent, bounds)
  warnings.push(...placed(structured?.warnings ?? [], '/structuredContent'))
  return {
    content: shown,
    ...(structured !== null && { structuredContent: structured.value }),
    warnings: warningsInOrder(warnings),
  }
}

interface Shown {
  readonly value: Json
  readonly warnings: readonly FirewallWarning[]
}

function placed(warnings: readonly FirewallWarning[], at: string): readonly FirewallWarning[] {
  return warnings.map(({ code, path }) => ({ code, path: `${at}${path}` }))
}

function blockShown(block: Json, bounds: ContentBounds): Shown {
  if (!isRow(block)) return plainShown(block, bounds)
  switch (block['type']) {
    case 'text':
      return memberShown(block, 'text', bounds)
    case 'image':
    case 'audio':
      return { value: { ...block }, warnings: [] }
    case 'resource': {
      const { resource } = block
      if (!isRow(resource)) return plainShown(block, bounds)
      const { value, warnings } = memberShown(resource, 'text', bounds)
      return { value: { ...block, resource: value }, warnings: placed(warnings, '/resource') }
    }
    default:
      return plainShown(block, bounds)
  }
}

function memberShown(of: JsonMap, member: string, bounds: ContentBounds): Shown {
  const text = of[member]
  if (typeof text !== 'string') return { value: { ...of }, warnings: [] }
  const { value, warnings } = textShown(text, bounds)
  return { value: { ...of, [member]: value }, warnings: placed(warnings, `/${member}`) }
}

function textShown(text: string, bounds: ContentBounds): Shown {
  const parsed = jsonIn(text)
  if (parsed === null) return plainShown(text, bounds)
  const shown = valueShown(parsed, bounds)
  // Written again only where something is left out: a reader may know its form.
  if (shown.warnings.length > 0) return { ...shown, value: JSON.stringify(shown.value) }
  // Of two members with one name only the last was looked at; so the text is as well.
  return plainShown(text, bounds)
}

const jsonStart = /^\s*[[{]/

function jsonIn(text: string): Json | null {
  if (!jsonStart.test(text)) return null
  try {
    return jsonOf(parseJson(text))
  } catch {
    return null
  }
}

function plainShown(value: Json, { reveal }: ContentBounds): Shown {
  return redact(value, { reveal, maxDepth: depthMax })
}

function valueShown(value: Json, { constraints, reveal }: ContentBounds): Shown {
  const { maxRows = Infinity, allowedFields } = constraints
  const isCut = isItems(value) && value.length > maxRows
  const rows = isCut ? value.slice(0, maxRows) : value
  const { value: shown, warnings } = redact(rows, {
    reveal,
    maxDepth: depthMax,
    ...(allowedFields !== undefined && { allowedFields }),
  })
  const cut: readonly FirewallWarning[] = isCut ? [{ code: 'rows', path: '' }] : []
  return { value: shown, warnings: [...warnings, ...cut] }
}
