// What the catalog says of a resource, in an evaluation about it: it stands in the arguments,
// whatever the caller says.
import type { Intent } from '#schemas/intent'
import type { Catalog } from '#rules/catalog/catalog'
import type { Opening } from '#messages/opening'

type Args = Intent['args']
type Resources = Pick<Catalog, 'resources'>
type JsonIn = Args[string]

const before = new WeakMap<
  Opening,
  { readonly resources: Catalog['resources']; readonly opening: Opening }
>()

/** An evaluation as it is judged: with what the catalog knows of its resource. */
export function withListedResource({ resources }: Resources, published: Opening): Opening {
  const { request } = published
  if (resources.size === 0 || request?.subject === undefined) return published
  const made = before.get(published)
  if (made?.resources === resources) return made.opening
  const args = argsWithListed({ resources }, request.args)
  const opening =
    args === request.args ? published : { ...published, request: { ...request, args } }
  before.set(published, { resources, opening })
  return opening
}

function argsWithListed({ resources }: Resources, args: Args): Args {
  const { resource } = args
  if (!isJsonMap(resource)) return args
  const { type, id, properties } = resource
  // With a colon in its type it could be another.
  if (typeof type !== 'string' || typeof id !== 'string' || type.includes(':')) return args
  const listed = resources.get(`${type}:${id}`)
  if (listed === undefined) return args
  const said = isJsonMap(properties) ? properties : {}
  return { ...args, resource: { ...resource, properties: { ...said, ...listed.properties } } }
}

/** Of arguments, which may be anything. */
export function isJsonMap(value: JsonIn | undefined): value is Readonly<Record<string, JsonIn>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
