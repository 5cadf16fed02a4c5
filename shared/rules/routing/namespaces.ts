// What the parts of a capability's id say: the namespaces it is in, and what it is called there.

const separator = /[./:]/

/** The parts of an id, the last of which names the capability. */
export function idParts(id: string): readonly string[] {
  return id.split(separator).filter((part) => part !== '')
}

/** Whether the id is in that namespace, or in one below it. */
export function isInNamespace(id: string, namespace: string): boolean {
  return id.startsWith(namespace) && separator.test(id.charAt(namespace.length))
}

/** All but the last part; empty where the id has only one. */
export function namespaceOf(id: string): string {
  const last = idParts(id).at(-1) ?? ''
  return id.slice(0, Math.max(0, id.length - last.length - 1))
}
