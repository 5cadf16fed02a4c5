// An operation of an OpenAPI document as a proxy sees it: the requests that are calls of it, and
// the arguments that such a call has. What a proxy could read otherwise is left to a person.
import { z } from 'zod'
import type { JsonObject } from '#schemas/catalog'
import { EdgeRequest } from '#schemas/rules/edge-request'

/** Such an operation as a capability. */
export interface EdgeOperation {
  /** Absent where the path cannot be mapped: then every request to it is denied. */
  readonly requests?: readonly EdgeRequest[]
  readonly argsSchema: JsonObject
  readonly notes: readonly string[]
}

interface Operation {
  readonly method: string
  readonly path: string
  /** The `servers` of the operation, of its path and of the document; the first that is there. */
  readonly servers: readonly unknown[]
}

const Servers = z.array(z.looseObject({ url: z.string() })).min(1)
const requestsMax = 8
const anyHost = 'http://host.invalid'

export function edgeOperation({ method, path, servers }: Operation): EdgeOperation {
  const template = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${named(name)}}`)
  const bases = basesOf(servers)
  const found = (bases ?? ['']).map((base) => {
    return EdgeRequest.safeParse({ method: method.toUpperCase(), path: `${base}${template}` })
  })
  const requests = found.flatMap(({ data }) => data ?? [])
  const argsSchema = argumentsAt(template)
  const notes =
    bases === null ? ['its server cannot be read: its requests are mapped from the root'] : []
  if (requests.length === found.length && found.length <= requestsMax) {
    return { requests, argsSchema, notes }
  }
  const unmapped = `a proxy cannot be asked about \`${path}\`: write its \`requests\` yourself`
  return { argsSchema, notes: [...notes, unmapped] }
}

function named(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_')
}

/** The paths that servers begin with, each once; null where that depends on variables. */
function basesOf(servers: readonly unknown[]): readonly string[] | null {
  const written = servers.find((one) => one !== undefined)
  if (written === undefined) return ['']
  const parsed = Servers.safeParse(written)
  if (!parsed.success) return null
  const bases = new Set<string>()
  for (const { url } of parsed.data) {
    if (url.includes('{') || !URL.canParse(url, anyHost)) return null
    bases.add(new URL(url, anyHost).pathname.replace(/\/$/, ''))
  }
  return [...bases]
}

const text = { type: 'string' }

/** What a call has that a proxy asks about. */
function argumentsAt(template: string): JsonObject {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const required = ['method', 'host', 'path', 'params', 'query']
  return {
    type: 'object',
    properties: {
      method: text,
      host: text,
      path: text,
      params: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, text])),
        required: names,
        additionalProperties: false,
      },
      query: { type: 'object', additionalProperties: { type: 'array', items: text } },
    },
    required,
    additionalProperties: false,
  }
}
