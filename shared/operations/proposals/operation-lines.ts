// What a change set does, a line an operation.
import { operationText } from '#authoring/operation-text'
import { toned, type Line } from '#present/lines'
import { counted, jsonText } from '#present/wording'
import type { Arrival, CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'

type Operation = GraphOperation | CatalogOperation

const shownMax = 20

export function operationLines(operations: readonly Operation[]): readonly Line[] {
  const shown = operations.slice(0, shownMax)
  const more = operations.length - shown.length
  return [
    ...shown.map((operation) => `  ${operationText(operation)}${contentText(operation)}`),
    ...(more === 0 ? [] : [toned('dim', `  and ${counted(more, 'more operation')}`)]),
  ]
}

/** What it says, behind what it does. */
function contentText(operation: Operation): string {
  switch (operation.op) {
    case 'describe':
      return detail(operation.properties)
    case 'relate': {
      const { metadata, policies } = operation.relatum
      return detail({ ...metadata, ...(policies.length > 0 && { policies }) })
    }
    case 'put': {
      const { id: _, ...entry } = operation.entry
      return detail(entry)
    }
    case 'set':
      return ` ${jsonText(operation.value)}`
    case 'arrive':
      return detail(broughtAlong(operation))
    default:
      return ''
  }
}

/** How often each capability was used, and what else is not nothing. */
function broughtAlong({ uses, asks, block }: Arrival): Readonly<Record<string, unknown>> {
  const tally = (all: Arrival['uses']) =>
    Object.fromEntries(all.map(({ capability, times }) => [capability, times.length]))
  return {
    ...(uses.length > 0 && { uses: tally(uses) }),
    ...(asks.length > 0 && { asks: tally(asks) }),
    ...(block !== null && { block }),
  }
}

function detail(content: Readonly<Record<string, unknown>>): string {
  return Object.keys(content).length === 0 ? '' : ` ${jsonText(content)}`
}
