// Which secrets the catalog names, and which of them this gateway lacks: known before a call needs
// one.
import { secretsIn } from '#rules/drivers/call-template'
import type { Catalog } from '#rules/catalog/catalog'
import type { Secrets } from '#gateway/tools/secrets'

/** Their names, each once, in order. */
export async function missingSecrets(
  { capabilities, servers }: Pick<Catalog, 'capabilities' | 'servers'>,
  secrets: Secrets,
): Promise<readonly string[]> {
  const drivers = [...capabilities.values()].map(({ driver }) => driver)
  const names = secretsIn(textsIn([...drivers, ...servers])).toSorted()
  const found = await Promise.allSettled(names.map((name) => secrets.load(name)))
  return names.filter((_name, index) => found[index]?.status === 'rejected')
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
