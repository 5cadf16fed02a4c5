// The answer of a tool as the client gets it: through the firewall, and still of the form that the
// tool declares, or reported as withheld.
import type { ListedTool, ToolAnswer } from '#gateway/tools/mcp-library'
import { fitsForeign } from '#rules/catalog/arguments'
import { contentShown } from '#firewall/content'
import type { ContentBounds } from '#firewall/rebuilt'
import { jsonOf, type Json } from '#record/canonical'
import { JsonObject } from '#schemas/catalog'
import { toolAnswerOf } from './protocol.ts'

interface Shown extends ContentBounds {
  readonly intent: string
  /** As the client has it. */
  readonly tool: Pick<ListedTool, 'outputSchema'>
}

export function answerShown(answer: ToolAnswer, shown: Shown): ToolAnswer {
  const { structuredContent, content, _meta } = answer
  const isError = answer.isError === true
  const seen = contentShown(
    {
      content: content.map((block) => jsonOf(block)),
      ...(structuredContent !== undefined && { structuredContent: jsonOf(structuredContent) }),
      ...(_meta !== undefined && { _meta: jsonOf(_meta) }),
    },
    shown,
  )
  const { warnings, structuredContent: structured, _meta: theirs } = seen
  const meta = {
    ...JsonObject.parse(theirs ?? {}),
    ...(warnings.length > 0 && { 'warrant/withheld': noted(warnings) }),
  }
  const more = {
    ...(answer.isError !== undefined && { isError }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
  const isFit = fits(structured, shown.tool)
  if (isError || isFit) {
    // Clients read what is structured in an error too, and hosts know a refusal by `authorization`.
    const isKept = structured !== undefined && isFit && !(isError && imitatesUs(structured))
    const kept = isKept ? { structuredContent: structured } : {}
    return toolAnswerOf({ content: seen.content, ...kept, ...more })
  }
  // A client refuses a result that is not as declared, and could take the call for not done.
  const done = `The call was carried out: do not repeat it. Parts of its result are withheld.`
  const note = { type: 'text', text: `${done}\nIntent: ${shown.intent}` }
  return toolAnswerOf({ content: [note, ...seen.content], ...more, isError: true })
}

function imitatesUs(structured: Json): boolean {
  const isObject = typeof structured === 'object' && structured !== null
  return isObject && Object.hasOwn(structured, 'authorization')
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
