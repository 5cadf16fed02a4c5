// The gauges of eras: which one a log is in, how full that is, and whether its end is overdue.
import { eraAge } from '#state/eras/due'
import type { State } from '#state/state'

interface CellGauge {
  set(of: { readonly cell?: string }, value: number): void
}

interface EraMeters {
  readonly era: CellGauge
  readonly eraFacts: CellGauge
  readonly eraDue: CellGauge
}

export function eraMeters(gauge: (name: string, help: string) => CellGauge): EraMeters {
  return {
    era: gauge('warrant_era', 'The current era of the log'),
    eraFacts: gauge('warrant_era_facts', 'Facts of the current era that are folded here'),
    eraDue: gauge(
      'warrant_era_due',
      '1 where the current era is due to be rotated without a person, or is half rotated; else 0',
    ),
  }
}

/** `of`: the label of its cell, where there are several; `now`: by the clock of this machine. */
export function measureEra(
  { era, eraFacts, eraDue }: EraMeters,
  state: State,
  { of, now }: { readonly of: { readonly cell?: string }; readonly now: number },
): void {
  const { position, eras, place, sealed } = state
  era.set(of, place.era)
  eraFacts.set(of, Math.max(0, position - (eras.at(-1)?.from ?? position)))
  const at = { position: position + 1, appendedAt: Math.max(state.appendedAt, now) }
  const dueBy = eraAge(state, at)?.dueBy ?? null
  eraDue.set(of, dueBy !== null || sealed !== null ? 1 : 0)
}
