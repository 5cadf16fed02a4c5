// A change set in words, one line for each operation, and what it says in full below.
import { levelNames, type GraphOperation } from '#schemas/graph'
import type { CatalogOperation } from '#schemas/catalog'

export interface ChangeLine {
  readonly text: string
  /** All that it puts there; null where it only takes away. */
  readonly content: unknown
}

const collections = {
  principals: 'principal',
  groups: 'group',
  capabilities: 'capability',
  confirmations: 'confirmation',
  resources: 'resource',
} as const

/** Such as `D1 identity`. */
export function levelTitle(level: number): string {
  return `D${level} ${(levelNames[level] ?? '').toLowerCase()}`
}

export function changeLine(operation: GraphOperation | CatalogOperation): ChangeLine {
  switch (operation.op) {
    case 'add':
      return { text: `Add the concept ${operation.name}`, content: null }
    case 'rename':
      return { text: `Rename ${operation.name} to ${operation.to}`, content: null }
    case 'describe': {
      const { name, level, properties } = operation
      return { text: `Describe ${name} at ${levelTitle(level)}`, content: properties }
    }
    case 'erase':
      return { text: `Erase ${levelTitle(operation.level)} of ${operation.name}`, content: null }
    case 'relate': {
      const { name, level, relatum } = operation
      const { type, target, targetDepth, metadata, policies } = relatum
      const text = `Relate ${name} (D${level}) ${type} ${target} (D${targetDepth})`
      const has = policies.length > 0 || Object.keys(metadata).length > 0
      return { text, content: has ? { metadata, policies } : null }
    }
    case 'unrelate': {
      const { name, level, type, target } = operation
      return { text: `Take away ${name} (D${level}) ${type} ${target}`, content: null }
    }
    case 'put': {
      const { collection, entry } = operation
      return { text: `Put the ${collections[collection]} ${entry.id}`, content: entry }
    }
    case 'set':
      return { text: `Set ${operation.key}`, content: operation.value }
    case 'remove':
      return 'collection' in operation
        ? { text: `Remove the ${collections[operation.collection]} ${operation.id}`, content: null }
        : { text: `Remove the concept ${operation.name}`, content: null }
    case 'suspend':
      return { text: `Suspend ${operation.id}`, content: null }
    case 'unsuspend':
      return { text: `Resume ${operation.id}`, content: null }
    case 'leave':
    case 'stay':
    case 'arrive':
      return { text: `${operation.op} ${operation.id}`, content: operation }
    case 'accept_rollback': {
      const { id, position } = operation
      const text = `Accept that the log of ${id} goes on from position ${position}`
      return { text, content: operation.seen }
    }
  }
}
