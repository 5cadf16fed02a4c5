// Tools as others describe them, as the tests of importing ask about them.
import { expect } from 'vitest'
import { argumentFault } from '#rules/catalog/arguments'
import { toolsOfMcp } from '#cli/rules/catalog/tools/from-mcp'
import { toolsOfOpenApi } from '#cli/rules/catalog/tools/propose'
import type { ProposedTool } from '#cli/rules/catalog/tools/proposed'
import type { JsonObject } from '#schemas/catalog'

export const listed = (...tools: readonly unknown[]): readonly ProposedTool[] => {
  return toolsOfMcp({ tools }, { acceptsHints: false }) ?? expect.fail()
}
export const tool = (inputSchema: unknown): ProposedTool => {
  return listed({ name: 't', inputSchema })[0] ?? expect.fail()
}
export const operations = (paths: JsonObject, more: JsonObject = {}): readonly ProposedTool[] => {
  return toolsOfOpenApi({ openapi: '3.2.0', info: {}, paths, ...more }) ?? expect.fail()
}
export const operation = (path: string, more: JsonObject, components: JsonObject = {}) => {
  const [one] = operations({ [path]: { post: { operationId: 'o', ...more } } }, { components })
  return one ?? expect.fail()
}
export const faultOf = ({ capability, refused }: ProposedTool, args: JsonObject): string | null => {
  expect(refused).toBeUndefined()
  const { argsSchema = expect.fail() } = capability
  return argumentFault({ argsSchema }, args)?.path ?? null
}
/** All that a person is shown of it. */
export const shown = ({ notes, refused = '' }: ProposedTool): string =>
  [...notes, refused].join('; ')

export const text = { type: 'string' }
export const part = (name: string): JsonObject => ({
  properties: { [name]: text },
  required: [name],
})
