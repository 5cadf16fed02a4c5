// What a change set does, in words: one phrase an operation. It never says more than the operation.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { unreachable } from '#record/fault'
import { short } from '#record/quote'

const nameCharactersMax = 80

/** Such as `describe file D2`. */
export function operationText(operation: GraphOperation | CatalogOperation): string {
  switch (operation.op) {
    case 'put':
      return `put ${nounOf(operation.collection)} ${named(operation.entry.id)}`
    case 'set':
      return `set ${operation.key}`
    case 'suspend':
    case 'unsuspend':
    case 'leave':
    case 'stay':
      return `${operation.op} ${named(operation.id)}`
    case 'arrive':
      return `arrive ${named(operation.id)} from cell ${operation.from}`
    case 'accept_rollback':
      return `accept that ${named(operation.id)} goes on from position ${operation.position}`
    case 'remove':
      return 'collection' in operation
        ? `remove ${nounOf(operation.collection)} ${named(operation.id)}`
        : `remove ${named(operation.name)}`
    default:
      return graphText(operation)
  }
}

/** The first few of a set, and how many more. */
export function operationsText(
  operations: readonly (GraphOperation | CatalogOperation)[],
  shownMax = 5,
): string {
  const shown = operations.slice(0, shownMax).map(operationText)
  const more = operations.length - shown.length
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join(', ')
}

function graphText(operation: Exclude<GraphOperation, { readonly op: 'remove' }>): string {
  const name = named(operation.name)
  switch (operation.op) {
    case 'add':
      return `add ${name}`
    case 'rename':
      return `rename ${name} to ${named(operation.to)}`
    case 'describe':
      return `describe ${name} D${operation.level}`
    case 'erase':
      return `erase ${name} D${operation.level}`
    case 'relate': {
      const { type, target, targetDepth } = operation.relatum
      return `relate ${name} D${operation.level} ${type} ${named(target)} D${targetDepth}`
    }
    case 'unrelate':
      return `unrelate ${name} D${operation.level} ${operation.type} ${named(operation.target)}`
    default:
      return unreachable(operation)
  }
}

function named(text: string): string {
  return short(text, nameCharactersMax)
}

const nouns = {
  principals: 'principal',
  groups: 'group',
  capabilities: 'capability',
  confirmations: 'confirmation',
  resources: 'resource',
} as const

function nounOf(collection: keyof typeof nouns): string {
  return nouns[collection]
}
