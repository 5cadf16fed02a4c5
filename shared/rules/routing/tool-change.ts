// Whether a tool is still what a person approved: its name, description and schema by their digest,
// and what changed of them. From the tool's author: may be anything, and only ever shown.
import type { Capability, JsonObject } from '#schemas/catalog'
import { jsonOf } from '#record/canonical'
import { digestOfJson } from '#record/digest'

/** A tool as its server, or its document, describes it now. */
export interface LiveTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema?: JsonObject | undefined
  /** Of an operation of OpenAPI: its method and path. */
  readonly calls?: string | undefined
}

interface ToolText {
  readonly digest: string
  readonly description: string
  readonly schema: JsonObject
}

export interface ToolChange {
  /** The id of the capability. */
  readonly capability: string
  readonly tool: string
  /** The digest that was approved, and the description and schema that the catalog has. */
  readonly before: ToolText
  readonly after: ToolText
}

/** By which a later description of the same tool is compared. */
export function toolDigest({ name, description = '', inputSchema = {}, calls }: LiveTool): string {
  const schema = jsonOf(inputSchema)
  return digestOfJson({ name, description, schema, ...(calls !== undefined && { calls }) })
}

/** Null where it is the tool that was approved, or where none was: not all are imported. */
export function toolChange(
  { id, description, argsSchema, imported }: Capability,
  tool: LiveTool,
): ToolChange | null {
  if (imported === undefined) return null
  const digest = toolDigest(tool)
  if (digest === imported.digest) return null
  return {
    capability: id,
    tool: imported.tool,
    before: { digest: imported.digest, description, schema: argsSchema },
    after: { digest, description: tool.description ?? '', schema: tool.inputSchema ?? {} },
  }
}
