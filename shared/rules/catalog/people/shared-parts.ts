// What principals have in common is in memory once: of a million agents, most have the roles,
// the owner and the attributes of others.
import type { Principal } from '#schemas/catalog'

/** Then a pool begins again: what few share is not worth it. */
const partsMax = 65_536

function pool<T>(): (part: T) => T {
  const parts = new Map<string, T>()
  return (part) => {
    const key = JSON.stringify(part)
    const known = parts.get(key)
    if (known !== undefined) return known
    if (parts.size >= partsMax) parts.clear()
    parts.set(key, part)
    return part
  }
}

const owners = pool<string>()
const lists = pool<Principal['roles']>()
const attributesOf = pool<Principal['attributes']>()

/** The same principal, with such parts of others as are equal to its own. */
export function withSharedParts(principal: Principal): Principal {
  const { owner, roles, attributes, keys } = principal
  const parts = {
    ...(owner !== undefined && { owner: owners(owner) }),
    roles: lists(roles),
    attributes: attributesOf(attributes),
    keys: keys.length === 0 ? lists(keys) : keys,
  }
  const hasThem = parts.roles === roles && parts.attributes === attributes && parts.keys === keys
  return hasThem ? principal : { ...principal, ...parts }
}
