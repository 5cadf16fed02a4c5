// How many answers of people count one by one: what each has answered lately.
import { z } from 'zod'
import { inNameOrder, KeptInstant, kept } from '../../part-lines.ts'
import type { Slice } from '../slice.ts'
import { takeAnswer } from './answers.ts'

export const attentionSlice = {
  name: 'attention',
  folds: {},
  answer: takeAnswer,
  kept: [
    kept('answers', 'log', {
      shape: () => ({
        person: z.string(),
        times: z.array(KeptInstant),
        batch: z.array(z.string()),
      }),
      write: ({ answers }) => {
        return inNameOrder(answers).map(([person, { times, batch }]) => ({ person, times, batch }))
      },
      read: ({ answers }, lines) => {
        for (const { person, ...lately } of lines) answers.set(person, lately)
      },
    }),
  ],
} as const satisfies Slice
