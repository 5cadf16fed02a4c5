// An answer of a tool server as an agent gets it through a proxy: whole, but redacted, and within
// the fields and rows that a verdict allows. Pictures, sounds and other bytes that are no text are
// left as they are: nothing here can look into them. Total.
import type { Json } from '#record/canonical'
import { isRow } from './facts.ts'
import { warnedAt, rebuilt, valueShown, type ContentBounds, type Shape } from './rebuilt.ts'
import { warningsInOrder, type FirewallWarning } from './warnings.ts'

export interface ToolContent {
  readonly content: readonly Json[]
  readonly structuredContent?: Json
  readonly _meta?: Json
}

export interface ShownContent extends ToolContent {
  readonly warnings: readonly FirewallWarning[]
}

const annotations: Shape = {
  members: { audience: { list: 'text' }, priority: 'number', lastModified: 'text' },
}

const icons: Shape = {
  list: { members: { src: 'text', mimeType: 'text', sizes: { list: 'text' }, theme: 'text' } },
}

/** What most things that a server lists have. */
export const described = {
  name: 'text',
  title: 'text',
  description: 'text',
  icons,
  _meta: 'meta',
} as const

const ofResource = { ...described, mimeType: 'text', annotations } as const

export const resource: Shape = { members: { ...ofResource, uri: 'text', size: 'number' } }

/** Of the resources whose addresses have an argument in them. */
export const resourceTemplate: Shape = { members: { ...ofResource, uriTemplate: 'text' } }

/** What is in a resource. */
export const resourceContents: Shape = {
  members: { uri: 'text', mimeType: 'text', text: 'body', blob: 'bytes', _meta: 'meta' },
}

const bytes: Shape = {
  members: { type: 'text', data: 'bytes', mimeType: 'text', annotations, _meta: 'meta' },
}

/** A piece of an answer, or of a prompt. */
export const contentBlock: Shape = {
  types: {
    text: { members: { type: 'text', text: 'body', annotations, _meta: 'meta' } },
    image: bytes,
    audio: bytes,
    resource_link: { members: { type: 'text', ...ofResource, uri: 'text', size: 'number' } },
    resource: {
      members: { type: 'text', resource: resourceContents, annotations, _meta: 'meta' },
    },
  },
}

/** Text that is JSON is judged as that, with fields and rows. */
export function contentShown(answer: ToolContent, bounds: ContentBounds): ShownContent {
  const { content, structuredContent, _meta } = answer
  const { maxRows = Infinity } = bounds.constraints
  const warnings: FirewallWarning[] = []
  // Several texts are the rows of a result.
  const isRows = content.length > 1 && content.every((one) => isRow(one) && one['type'] === 'text')
  const blocks = isRows ? content.slice(0, maxRows) : content
  if (blocks.length < content.length) warnings.push({ code: 'rows', path: '/content' })
  const shown = blocks.flatMap((block, index): readonly Json[] => {
    const one = rebuilt(contentBlock, block, bounds)
    warnings.push(...warnedAt(one?.warnings ?? left, `/content/${index}`))
    return one === null ? [] : [one.value]
  })
  const structured = structuredContent === undefined ? null : valueShown(structuredContent, bounds)
  warnings.push(...warnedAt(structured?.warnings ?? [], '/structuredContent'))
  const meta = _meta === undefined ? null : rebuilt('meta', _meta, bounds)
  warnings.push(...warnedAt(meta?.warnings ?? [], '/_meta'))
  return {
    content: shown,
    ...(structured !== null && { structuredContent: structured.value }),
    ...(meta !== null && { _meta: meta.value }),
    warnings: warningsInOrder(warnings),
  }
}

const left: readonly FirewallWarning[] = [{ code: 'field_dropped', path: '' }]
