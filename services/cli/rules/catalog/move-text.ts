// What the move of an agent says to people: what it waits for, and what became of it.
import type { Move } from '#rules/catalog/cells'
import { listed } from '#record/quote'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import { runningText, waitsText } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { counted } from '#present/wording'
import type { FalseArrival } from '#authoring/moves/departure'
import { toned, type Line } from '#cli/terminal/line'

const shownMax = 5

export function arrivedText(moves: readonly Move[], revision: number | null): readonly Line[] {
  const lines = moves.map(({ id, from, to }) =>
    toned('good', `${id} is in cell ${to}, and was in ${from}: catalog revision ${revision}`),
  )
  const how = 'by what `warrant nats-config --catalog` writes now'
  return [...lines, toned('dim', `  where servers have users, each may speak there ${how}`)]
}

export function spreadText(
  cells: number,
  moves: readonly Move[],
  revision: number | null,
): readonly Line[] {
  const over = `spread over ${counted(cells, 'cell')}`
  if (revision === null) return [`all are ${over} already; nothing was changed`]
  return [
    toned('good', `all are ${over}: catalog revision ${revision}`),
    ...arrivedText(moves, revision).slice(moves.length > 0 ? 0 : 1),
  ]
}

export function plainText(
  id: string,
  { cell, revision }: { readonly cell: number | null; readonly revision: number | null },
): readonly Line[] {
  const where = cell === null ? 'the realm has one log' : `it is in cell ${cell}`
  if (revision === null) return [`${id} has that already: ${where}; nothing was changed`]
  return [toned('good', `${where}, and ${id} is not moved: catalog revision ${revision}`)]
}

export function stayedText(
  id: string,
  ids: readonly string[],
  revision: number | null,
): readonly Line[] {
  if (revision === null) return [`${id} is not leaving its cell; nothing was changed`]
  const who = listed(ids, 'and')
  const verb = ids.length === 1 ? 'stays in its cell' : 'stay in their cell'
  return [toned('good', `${who} ${verb}, and may ask again: catalog revision ${revision}`)]
}

export function unreadText(ids: readonly string[], realm: string): string {
  return `the log of ${realm} does not have it yet that ${listed(ids, 'and')} leaves it`
}

/** What is open in the old cell, what it waits for, and until when. */
export function waitingText(state: State, intents: readonly OpenIntent[], now: number): string {
  const shown = intents.slice(0, shownMax).map((intent) => {
    const waits = waitsOf(state, intent, now)
    return `${intent.address} for ${waitsText(waits)}${runningText(waits.for)}`
  })
  const more = intents.length - shown.length
  const all = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  const verb = intents.length === 1 ? 'waits' : 'wait'
  return `${counted(intents.length, 'intent')} in ${state.place.realm} ${verb}: ${all}`
}

export function tooLargeText(moves: readonly Move[]): string {
  const ids = moves.map(({ id }) => id)
  const fix = 'wait until the windows of the limits have passed, and run the same again'
  return `what ${listed(ids, 'and')} used is more than one change set can hold: ${fix}`
}

/** It was moved, and what its old cell has of it changed after that was looked at. */
export function differsText({ id, why, stops }: FalseArrival, moves: readonly Move[]): string {
  const to = moves.find((move) => move.id === id)?.to
  const where = `\`${id}\` is in cell ${to} now`
  if (why !== 'block') return `${where}, and its old cell has counted on (${why}): suspend it`
  if (stops === null) return `${where} with a block that was lifted meanwhile: unblock it there`
  const fix = 'suspend it, or block it there as well'
  return `${where}, and \`${stops.sender}\` has blocked it in its old cell meanwhile: ${fix}`
}
