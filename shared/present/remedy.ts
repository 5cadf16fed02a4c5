// What a policy admin would write so that a refused call is allowed, where that is one line of a
// file. It is shown to the person at the terminal, and never to the agent's model.
import type { Catalog } from '#rules/catalog/catalog'
import { nearest, quoted } from '#record/quote'
import type { JsonObject, Principal } from '#schemas/catalog'
import type { Reason } from '#schemas/reasons'
import { shellWord } from './wording.ts'

export type Remedy =
  | {
      readonly what: string
      /** Without the program's name. */
      readonly command: string
    }
  | {
      readonly what: string
      /** The entry of `catalog.json`, and what it has then. */
      readonly entry: string
      readonly written: string
      readonly change: EntryChange
    }

/** What an entry of the catalog has then, beside what it has. */
export interface EntryChange {
  readonly list: 'principals' | 'capabilities'
  readonly id: string
  readonly members: JsonObject
}

export function remediesOf(
  { principals, capabilities }: Pick<Catalog, 'principals' | 'capabilities'>,
  { agent, tool, reasons, args = {} }: RefusedCall,
): readonly Remedy[] {
  // It may lack something, and so may those for whom it acts.
  const others = reasons.flatMap(({ params: { actingFor } }) => actingFor ?? [])
  const lacking = [...new Set([agent, ...others])].flatMap((id) => {
    const principal = principals.get(id)
    const own = reasons.filter(({ params: { actingFor = agent } }) => actingFor === id)
    return principal === undefined ? [] : lackingRemedies(principal, own)
  })
  const unknown = reasons.flatMap(({ code, params }) =>
    code === 'invalid_arguments' ? unknownArgument(params) : [],
  )
  const schema = capabilities.get(tool)?.argsSchema
  const isUnknown = reasons.some(({ code }) => code === 'unknown_capability')
  return [
    ...lacking,
    ...(isUnknown ? nearest(capabilities.keys(), tool).map(nearRemedy) : []),
    ...reasons.flatMap(({ params }) => textRemedies(tool, params, args)),
    ...(schema === undefined || unknown.length === 0 || !takesNone(schema)
      ? []
      : [argumentsRemedy(tool, unknown)]),
  ]
}

function nearRemedy(name: string): Remedy {
  return { what: `Did you mean ${quoted(name)}?`, command: `ask ${shellWord(name)}` }
}

/** On the command line a value that is JSON is taken as that, where the tool takes text. */
function textRemedies(
  tool: string,
  { path = '', keyword, expected = {} }: Reason['params'],
  args: JsonObject,
): readonly Remedy[] {
  const [, name = ''] = /^\/args\/([^/~]+)$/.exec(path) ?? []
  const value = args[name]
  const takesText = keyword === 'type' && [expected['type']].flat().includes('string')
  if (!takesText || value === undefined || typeof value === 'string') return []
  const asText = `${name}=${JSON.stringify(JSON.stringify(value))}`
  const what = `${quoted(name)} takes text, and what is JSON is taken as that. As text it is`
  return [{ what, command: `ask ${shellWord(tool)} --arg ${shellWord(asText)}` }]
}

interface RefusedCall {
  readonly agent: string
  readonly tool: string
  /** As they were given, where that is known. */
  readonly args?: JsonObject
  readonly reasons: readonly Reason[]
}

function lackingRemedies(
  { id, roles, attributes: there }: Principal,
  reasons: readonly Reason[],
): readonly Remedy[] {
  const needed = reasons.flatMap(({ params }) => params.needs ?? []).map(({ roles: [one] }) => one)
  const attributes = reasons.flatMap(({ params }) => params.attribute ?? [])
  return [
    ...(needed.length === 0
      ? []
      : [rolesRemedy(id, [...roles, ...needed.flatMap((one) => one ?? [])])]),
    ...(attributes.length === 0 ? [] : [attributesRemedy(id, there, attributes)]),
  ]
}

function rolesRemedy(agent: string, roles: readonly string[]): Remedy {
  const what = `Give ${quoted(agent)} the role`
  return principalRemedy(what, agent, { roles: [...new Set(roles)] })
}

function attributesRemedy(
  agent: string,
  there: Readonly<Record<string, string>>,
  names: readonly string[],
): Remedy {
  const missing = Object.fromEntries(names.map((name) => [name, name.toUpperCase()]))
  const what = `Give ${quoted(agent)} the attribute, with a value of your own`
  return principalRemedy(what, agent, { attributes: { ...there, ...missing } })
}

function principalRemedy(what: string, id: string, members: JsonObject): Remedy {
  const change = { list: 'principals' as const, id, members }
  return { what, entry: `the principal ${quoted(id)}`, written: memberText(members), change }
}

function argumentsRemedy(tool: string, names: readonly string[]): Remedy {
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const members = { argsSchema: { type: 'object', properties } }
  const what = `${quoted(tool)} has no \`argsSchema\`, so it takes no arguments. Say which it takes`
  const change = { list: 'capabilities' as const, id: tool, members }
  return { what, entry: `the tool ${quoted(tool)}`, written: memberText(members), change }
}

function unknownArgument({ path, expected = {} }: Reason['params']): readonly string[] {
  const name = expected['additionalProperty']
  return path === '/args' && typeof name === 'string' ? [name] : []
}

/** What a capability without a schema has. */
function takesNone({ properties, additionalProperties }: JsonObject): boolean {
  return properties === undefined && additionalProperties === false
}

/** Members of an entry as they stand in a file. */
export function memberText(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ')
}
