// The checks of what a text stands on, as far as the text alone shows it. They look nothing up:
// what only the world knows is a warning, `not_checked`.
import { hasCitation } from './citations.ts'
import { unresolvedReferences } from './cross-references.ts'
import type { ProseDocument } from './document.ts'
import { doubtfulDates, inconsistentUnits } from './numbers.ts'
import type { GroundingCheck } from './profiles.ts'
import type { ProseFinding } from './structure.ts'

/** What a check finds, and whether the text fails by it. */
export interface Grounds {
  readonly fails: boolean
  readonly findings: readonly ProseFinding[]
}

const warns = (findings: readonly ProseFinding[]): Grounds => ({ fails: false, findings })
const failsBy = (findings: readonly ProseFinding[]): Grounds => ({ fails: true, findings })

/** `now` is in milliseconds since 1970. */
export function groundingFindings(
  check: GroundingCheck,
  document: ProseDocument,
  now: number | undefined,
): Grounds {
  switch (check) {
    case 'url_reachable':
      return warns([{ detail: 'not_checked' }])
    case 'citations_present': {
      const isCited = document.blocks.some(({ prose }) => hasCitation(prose))
      return failsBy(isCited ? [] : [{ detail: 'no_citations' }])
    }
    case 'numbers_consistent':
      return warns(inconsistentUnits(document.text))
    case 'cross_refs_resolve':
      return failsBy(unresolvedReferences(document))
    case 'dates_valid':
      return warns(doubtfulDates(document.text, now))
  }
}
