// What people say beside their answers: which browser answers for them, and who is away.
import { z } from 'zod'
import { AbsenceData, EnrolmentData } from '#schemas/people/said'
import { withAbsence, withEnrolment } from '#messages/people/people-said'
import { inNameOrder, kept, placed } from '../../part-lines.ts'
import type { Slice } from '../slice.ts'
import { evolveAbsence, evolveEnrolment, evolveNote } from './saying.ts'

export const peopleSlice = {
  name: 'people',
  folds: { enrolment: evolveEnrolment, absence: evolveAbsence, note: evolveNote },
  kept: [
    kept('enrolment', 'all_cells', {
      shape: () => ({ enrolled: placed(EnrolmentData).extend({ console: z.string() }) }),
      write: ({ people }) => people.enrolments.map((enrolled) => ({ enrolled })),
      read: (state, lines) => {
        for (const { enrolled } of lines) state.people = withEnrolment(state.people, enrolled)
      },
    }),
    kept('absence', 'all_cells', {
      shape: () => ({ absence: placed(AbsenceData) }),
      write: ({ people }) => inNameOrder(people.absences).map(([, absence]) => ({ absence })),
      read: (state, lines) => {
        for (const { absence } of lines) state.people = withAbsence(state.people, absence)
      },
    }),
  ],
} as const satisfies Slice
