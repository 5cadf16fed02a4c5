// The answer of a tool as the client gets it: through the firewall, and still of the form that the
// tool declares, or reported as withheld.
import type { ListedTool, ToolAnswer } from '#adapters/tools/mcp-library'
import { fitsForeign } from '#core/catalog/arguments'
import { contentShown, type ContentBounds } from '#core/firewall/content'
import { jsonOf, type Json } from '#core/kernel/canonical'
import { JsonObject } from '#schemas/catalog'
import { toolAnswerOf } from './protocol.ts'

interface Shown extends ContentBounds {
  readonly intent: string
  readonly tool: Pick<ListedTool, 'outputSchema'>
}

export function answerShown(answer: ToolAnswer, shown: Shown): ToolAnswer {
  const { isError, structuredContent, content, _meta } = answer
  const seen = contentShown(
    {
      content: content.map((block) => jsonOf(block)),
      ...(structuredContent !== undefined && { structuredContent: jsonOf(structuredContent) }),
    },
    shown,
  )
  const { warnings, ...left } = seen
  const meta = { ..._meta, ...(warnings.length > 0 && { 'warrant/withheld': noted(warnings) }) }
  const more = {
    ...(isError !== undefined && { isError }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
  const isWhole = isError === true || fits(left.structuredContent, shown.tool)
  if (isWhole) return toolAnswerOf({ ...left, ...more })
  // A client refuses a result that is not as declared, and could take the call for not done.
  const done = `The call was carried out: do not repeat it. Parts of its result are withheld.`
  const note = { type: 'text', text: `${done}\nIntent: ${shown.intent}` }
  return toolAnswerOf({ content: [note, ...left.content], ...more, isError: true })
}

function fits(structured: Json | undefined, { outputSchema }: Shown['tool']): boolean {
  if (outputSchema === undefined) return true
  if (structured === undefined) return false
  return fitsForeign(JsonObject.parse(outputSchema), structured)
}

const notedMax = 64

function noted(warnings: readonly { readonly code: string; readonly path: string }[]): Json {
  return warnings.slice(0, notedMax).map(({ code, path }) => ({ code, path }))
}
