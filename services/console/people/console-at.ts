// Which console of the catalog a server is: the one that lists its origin.
import type { Catalog } from '#rules/catalog/catalog'
import type { Console } from '#schemas/people/passkey'

/** Null where the catalog has none there: then no passkey works. */
export function consoleAt({ consoles }: Pick<Catalog, 'consoles'>, url: string): Console | null {
  const { origin } = new URL(url)
  return consoles.find(({ origins }) => origins.includes(origin)) ?? null
}
