// A pick: what an agent or its model chose, checked against what it was offered in that turn. It is
// never guessed, and a pick that is one of the candidates is not allowed by that.
import { caseFold } from '#record/case-fold'

export type PickRefusal =
  | 'empty_selection'
  | 'not_a_candidate'
  | 'ambiguous_case_fold'
  | 'ambiguous_prefix'

export type Picked =
  | { readonly id: string; readonly refused?: never }
  | { readonly refused: PickRefusal; readonly among: readonly string[]; readonly id?: never }

/** As it is written, without spaces around it, in another case, as the beginning of one alone. */
export function pickOf(candidates: readonly string[], written: string): Picked {
  if (candidates.includes(written)) return { id: written }
  const text = written.trim()
  if (text === '') return { refused: 'empty_selection', among: [] }
  if (candidates.includes(text)) return { id: text }
  const folded = caseFold(text)
  return (
    only(candidates, (id) => caseFold(id) === folded, 'ambiguous_case_fold') ??
    only(candidates, (id) => caseFold(id).startsWith(folded), 'ambiguous_prefix') ?? {
      refused: 'not_a_candidate',
      among: [],
    }
  )
}

function only(
  candidates: readonly string[],
  fits: (id: string) => boolean,
  refused: PickRefusal,
): Picked | null {
  const among = [...new Set(candidates.filter(fits))].toSorted()
  const [id] = among
  if (id === undefined) return null
  return among.length === 1 ? { id } : { refused, among }
}
