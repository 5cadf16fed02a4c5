// What a policy admin would run so that a refused call is allowed, where that is one command. It is
// shown to the person at the terminal, and never to the agent's model.
import type { Catalog } from '#core/catalog/catalog'
import { nearest, quoted } from '#core/kernel/quote'
import type { JsonObject, Principal } from '#schemas/catalog'
import type { Reason } from '#schemas/reasons'
import { shellWord } from '../terminal/hint.ts'

export interface Remedy {
  readonly what: string
  /** Without the program's name. */
  readonly command: string
}

export function remediesOf(
  { principals, capabilities }: Pick<Catalog, 'principals' | 'capabilities'>,
  { agent, tool, reasons }: RefusedCall,
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
    ...(schema === undefined || unknown.length === 0 || !takesNone(schema)
      ? []
      : [argumentsRemedy(tool, unknown)]),
  ]
}

function nearRemedy(name: string): Remedy {
  return { what: `Did you mean ${quoted(name)}?`, command: `ask ${shellWord(name)}` }
}

interface RefusedCall {
  readonly agent: string
  readonly tool: string
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
  const all = [...new Set(roles)].join(',')
  const command = `catalog put principal ${shellWord(`id=${agent}`)} ${shellWord(`roles=${all}`)}`
  return { what: `Give ${quoted(agent)} the role:`, command }
}

function attributesRemedy(
  agent: string,
  there: Readonly<Record<string, string>>,
  names: readonly string[],
): Remedy {
  const missing = Object.fromEntries(names.map((name) => [name, name.toUpperCase()]))
  const value = shellWord(`attributes=${JSON.stringify({ ...there, ...missing })}`)
  const command = `catalog put principal ${shellWord(`id=${agent}`)} ${value}`
  return { what: `Give ${quoted(agent)} the attribute, with a value of your own:`, command }
}

function argumentsRemedy(tool: string, names: readonly string[]): Remedy {
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  const schema = JSON.stringify({ type: 'object', properties })
  const why = `${quoted(tool)} has no \`argsSchema\`, so it takes no arguments`
  const what = `${why}. Say which it takes:`
  const put = `catalog put capability ${shellWord(`id=${tool}`)}`
  return { what, command: `${put} ${shellWord(`argsSchema=${schema}`)}` }
}

function unknownArgument({ path, expected = {} }: Reason['params']): readonly string[] {
  const name = expected['additionalProperty']
  return path === '/args' && typeof name === 'string' ? [name] : []
}

/** What a capability without a schema has. */
function takesNone({ properties, additionalProperties }: JsonObject): boolean {
  return properties === undefined && additionalProperties === false
}
