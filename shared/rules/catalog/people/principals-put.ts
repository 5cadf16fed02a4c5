// The principals that operations put there: only then is it looked at what no two may share.
import type { CatalogOperation, Principal } from '#schemas/catalog'

export function principalsPut(operations: readonly CatalogOperation[]): readonly Principal[] {
  return operations.flatMap((operation) =>
    operation.op === 'put' && operation.collection === 'principals' ? [operation.entry] : [],
  )
}
