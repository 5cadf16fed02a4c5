// What a drill and an answer to it make of the state, under the rules that have them: they stand
// beside everything that is decided.
import { z } from 'zod'
import {
  drillAnswerRefusal,
  drillRefusal,
  withDrill,
  withDrillAnswer,
} from '#messages/attention/drills'
import { hasRules } from '#rules/catalog/rules-version'
import { readEvent } from '#record/event'
import type { NameParts } from '#record/names'
import { later } from '#schemas/later'
import { Digest } from '#schemas/values'
import { asInstant, Count, KeptInstant, kept } from '../../part-lines.ts'
import type { LoggedFact } from '../../folded.ts'
import type { State } from '../../state.ts'
import type { Slice } from '../slice.ts'

function evolveDrilling(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const { rules } = state.catalog
  if (hasRules(state.catalog, 'withoutDrills')) return `there are no drills under rules ${rules}`
  return parts.kind === 'drill' ? planted(state, fact, parts) : answered(state, fact, parts)
}

function planted(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('drill', fact)
  if (!reading.ok) return reading.why
  const [id = ''] = parts.tokens
  const { name, position, appendedAt } = fact
  const drill = { name, position, appendedAt, data: reading.event.data }
  const why = drillRefusal(state, id, drill)
  if (why === null) state.drills = withDrill(state.drills, id, drill)
  return why
}

function answered(state: State, fact: LoggedFact, parts: NameParts): string | null {
  const reading = readEvent('drillanswer', fact)
  if (!reading.ok) return reading.why
  const [id = ''] = parts.tokens
  const { name, position, appendedAt } = fact
  const { data } = reading.event
  const why = drillAnswerRefusal(state, id, { name, position, appendedAt, data })
  if (why === null) state.drills = withDrillAnswer(state.drills, id, data.confirmer)
  return why
}

const Drill = later(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    position: Count,
    appendedAt: KeptInstant,
    shownTo: z.array(z.string()),
    digest: Digest,
    questions: Count,
    decideBy: asInstant(z.number()),
    answered: z.array(z.string()),
  }),
)

export const drillsSlice = {
  name: 'drills',
  folds: { drill: evolveDrilling, drillanswer: evolveDrilling },
  kept: [
    kept('drill', 'log', {
      shape: () => ({ drill: Drill }),
      write: ({ drills }) => {
        return [...drills.values()].map((drill) => {
          return { drill: { ...drill, answered: [...drill.answered] } }
        })
      },
      read: (state, lines) => {
        const read = lines.map(({ drill }) => [drill.id, drill] as const)
        state.drills = new Map([...state.drills, ...read])
      },
    }),
  ],
} as const satisfies Slice
