// Which capabilities of a catalog are no longer what their authors describe, and how that is shown:
// what was approved beside what they describe now.
import { toolChange, type ToolChange } from '#rules/routing/tool-change'
import { canonical, jsonOf } from '#record/canonical'
import { parseJson } from '#record/json'
import type { Capability, JsonObject } from '#schemas/catalog'
import { toned, visible, type Line } from '#cli/terminal/line'
import { proposedLike, type ProposedTool } from './proposed.ts'

export interface ComparedTools {
  readonly changed: readonly (ToolChange & { readonly isSuspended: boolean })[]
  /** Ids of capabilities whose tool is no longer there. */
  readonly gone: readonly string[]
  /** Names of tools that no capability was imported from. */
  readonly fresh: readonly string[]
}

/** Only capabilities that were imported from the same kind of list are compared. */
export function comparedTools(
  capabilities: Iterable<Capability>,
  tools: readonly ProposedTool[],
): ComparedTools {
  const live = new Map(tools.map((one) => [keyOf(one.capability.imported), one]))
  const kinds = new Set(tools.map(({ capability }) => capability.imported.from))
  const imported = [...capabilities].flatMap((one) =>
    one.imported !== undefined && kinds.has(one.imported.from)
      ? [{ capability: one, key: keyOf(one.imported) }]
      : [],
  )
  const known = new Set(imported.map(({ key }) => key))
  return {
    changed: imported.flatMap(({ capability, key }) => {
      const tool = live.get(key)
      const change = tool === undefined ? null : toolChange(capability, tool.live)
      if (tool === undefined || change === null) return []
      // The schema as it would be approved, since the one before is as it was approved.
      const now = proposedLike(capability, tool).capability
      const { argsSchema: schema = change.after.schema } = now
      const isSuspended = capability.suspended === true
      return [{ ...change, after: { ...change.after, schema }, isSuspended }]
    }),
    gone: imported.filter(({ key }) => !live.has(key)).map(({ capability }) => capability.id),
    fresh: [...live].flatMap(
      ([
        key,
        {
          live: { name },
        },
      ]) => (known.has(key) ? [] : [name]),
    ),
  }
}

function keyOf({ from, tool }: NonNullable<Capability['imported']>): string {
  return `${from} ${tool}`
}

/** The texts one below the other, and the lines of the schemas in which they differ. */
export function toolChangeLines({ capability, tool, before, after }: ToolChange): readonly Line[] {
  const description = diffLines(before.description, after.description)
  const schema = diffLines(pretty(before.schema), pretty(after.schema))
  const isUnseen = description.length === 0 && schema.length === 0
  return [
    toned('warn', `${capability}: \`${visible(tool)}\` is not what was approved`),
    ...titled('description', description),
    ...titled('arguments', schema),
    ...(isUnseen ? ['  in what the catalog does not keep: compare its whole description'] : []),
  ]
}

function titled(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines]
}

/** With the members of each object in one order, so that only what differs does. */
function pretty(schema: JsonObject): string {
  return JSON.stringify(parseJson(canonical(jsonOf(schema))), null, 2)
}

const linesShownMax = 200

function diffLines(before: string, after: string): readonly Line[] {
  if (before === after) return []
  const [old, now] = [before.split('\n'), after.split('\n')]
  const lines = [
    ...without(old, now).map((line) => toned('bad', `    - ${visible(line)}`)),
    ...without(now, old).map((line) => toned('good', `    + ${visible(line)}`)),
  ]
  const left = lines.length - linesShownMax
  return left > 0 ? [...lines.slice(0, linesShownMax), `    … ${left} more lines`] : lines
}

/** The lines that the other has fewer of. */
function without(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
