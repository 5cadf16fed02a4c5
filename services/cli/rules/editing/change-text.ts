// A change set for people: what it does, which revision it became, and who came first.
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { operationsText } from '#authoring/operation-text'
import { operationLines } from '#operations/proposals/operation-lines'
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
