// Which capability of the catalog a tool of the server behind is, and whether it is still the tool
// that a person approved. What is not known for sure is no capability.
import { toolChange, type ToolChange } from '#rules/routing/tool-change'
import type { ListedTool } from '#gateway/tools/mcp-library'
import { JsonObject, type Capability } from '#schemas/catalog'

export type MatchedTool =
  | { readonly is: 'known'; readonly capability: Capability }
  /** Its author describes it otherwise than when it was approved. */
  | { readonly is: 'changed'; readonly capability: Capability; readonly change: ToolChange }
  | { readonly is: 'unknown' }
  /** The catalog has another driver, or another server, carry that capability out. */
  | { readonly is: 'elsewhere'; readonly capability: Capability }
  /** Several capabilities were imported from a tool of that name, and none is just this one. */
  | { readonly is: 'ambiguous'; readonly ids: readonly string[] }

/** `server` is the server behind as the catalog knows it, or null. */
export function matchedTool(
  capabilities: ReadonlyMap<string, Capability>,
  tool: Pick<ListedTool, 'name' | 'description' | 'inputSchema'>,
  server: string | null,
): MatchedTool {
  const { name } = tool
  const all = [...capabilities.values()]
  const carried = all.filter(({ driver }) => {
    return driver?.kind === 'mcp' && driver.server === server && driver.tool === name
  })
  const guarded = all.filter(({ id, driver, imported }) => {
    if (driver !== undefined) return false
    return imported === undefined ? id === name : imported.from === 'mcp' && imported.tool === name
  })
  const found = carried.length > 0 ? carried : guarded
  const judged = found.map((capability) => ({ capability, change: changeOf(capability, tool) }))
  const same = judged.filter(({ change }) => change === null)
  const [only] = same.length === 1 ? same : judged
  if (only === undefined) {
    const capability = capabilities.get(name)
    return capability === undefined ? { is: 'unknown' } : { is: 'elsewhere', capability }
  }
  if (judged.length > 1 && same.length !== 1) {
    return { is: 'ambiguous', ids: judged.map(({ capability: { id } }) => id) }
  }
  const { capability, change } = only
  return change === null ? { is: 'known', capability } : { is: 'changed', capability, change }
}

function changeOf(
  capability: Capability,
  { name, description, inputSchema }: Pick<ListedTool, 'name' | 'description' | 'inputSchema'>,
): ToolChange | null {
  const live = { name, description, inputSchema: JsonObject.parse(inputSchema) }
  return toolChange(capability, live)
}
