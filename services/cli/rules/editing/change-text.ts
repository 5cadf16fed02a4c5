// A change set for people: what it does, which revision it became, and who came first.
import type { Arrival, CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { operationText, operationsText } from '#authoring/operation-text'
import { counted, jsonText } from '#present/wording'
import type { ChangeKind, Moved } from '#authoring/moved'
import { toned, type Line } from '#cli/terminal/line'

type Operation = GraphOperation | CatalogOperation

export interface BoundRevision {
  readonly kind: ChangeKind
  readonly revision: number
  readonly by: string
  readonly operations: readonly Operation[]
  readonly moved: readonly Moved[]
}

const shownMax = 20

export function boundLines({
  kind,
  revision,
  by,
  operations,
  moved,
}: BoundRevision): readonly Line[] {
  return [
    toned('good', `revision ${revision} of the ${kind}`),
    ...operationLines(operations),
    toned('dim', `  signed by ${by}`),
    ...movedLines(moved, revision),
  ]
}

export function triedLines(
  kind: ChangeKind,
  operations: readonly Operation[],
  refused: string | null,
): readonly Line[] {
  const head =
    refused === null
      ? toned('warn', `this would change the ${kind}; nothing was changed`)
      : toned('bad', `this cannot change the ${kind}; nothing was changed`)
  const why = refused === null ? [] : [toned('bad', `refused: ${refused}`)]
  return [head, ...operationLines(operations), ...why]
}

/** What is about to be signed. */
export function toBindLines(kind: ChangeKind, operations: readonly Operation[]): readonly Line[] {
  return [`this changes the ${kind}:`, ...operationLines(operations)]
}

/** What came in between, so that no one takes it for their own. */
export function movedLines(moved: readonly Moved[], revision: number): readonly Line[] {
  return moved.map((first) => {
    const who = `revision ${first.revision} by ${first.by} came first`
    return toned('warn', `${who}: ${operationsText(first.operations)}; yours is ${revision}`)
  })
}

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
