// The principals that operations put there: what must hold of no two of them is looked at only then.
import type { CatalogOperation, Principal } from '#schemas/catalog'

export function principalsPut(operations: readonly CatalogOperation[]): readonly Principal[] {
  return operations.flatMap((operation) =>
    operation.op === 'put' && operation.collection === 'principals' ? [operation.entry] : [],
  )
}
