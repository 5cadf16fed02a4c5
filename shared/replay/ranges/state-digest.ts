// All of a state in one digest: two that have the same one decide alike, whatever they were folded
// from.
import { utf8 } from '#platform/bytes'
import { newSha256 } from '#platform/crypto'
import { writeSnapshot } from '#state/eras/genesis'
import { inNameOrder, numbersIn } from '#state/part-lines'
import type { State } from '#state/state'

export function stateDigest(state: State): string {
  const hash = newSha256()
  hash.add(utf8(`${JSON.stringify(besideText(state))}\n`))
  for (const chunk of writeSnapshot(state)) hash.add(utf8(chunk))
  return `sha256:${hash.hex()}`
}

/** What is not in its text, since an era begins without it or it follows from the text. */
function besideText(state: State): unknown {
  const { position, appendedAt, place, isPartial, rootKey, sealed, requests, agents } = state
  const open = inNameOrder(agents).map(([agent, { open: count }]) => [agent, count])
  const now = { position, appendedAt, place, isPartial, rootKey }
  return [now, inNameOrder(requests), open, sealed === null ? null : sealedText(sealed)]
}

function sealedText(sealed: NonNullable<State['sealed']>): unknown {
  const { by, position, appendedAt, sequence, digests, missing, catalogs, early } = sealed
  const used = numbersIn(sequence.used)
  const tooEarly = inNameOrder(early).map(([key, numbers]) => [key, numbersIn(numbers)])
  const left = [digests, [...missing].toSorted(), [...catalogs].toSorted(), tooEarly]
  return [by, position, appendedAt, sequence.next, used, ...left]
}
