// An inbox as a person might find it: several requests of several kinds, the most urgent first.
import type { CardAnswer } from '#schemas/console/reviews'
import { cardOf } from './made-up-reviews.ts'

const shown = {
  owner: 'ann',
  sensitivity: 'NONE',
  goal: null,
  justification: 'The owner of the file asked for it in the ticket',
}

export function scenes(): readonly CardAnswer[] {
  return [
    cardOf({
      id: 'a1',
      minutes: 4,
      lastApproved: {
        intent: 'desk-bot.shop-6.r9',
        position: 44,
        decidedAt: '2026-11-20T09:00:00.000Z',
        confirmedBy: ['ann'],
        args: { order: 'O-4688', amount: 120, to: 'visa ending in 9001', note: 'Arrived broken' },
      },
      differs: [
        { pointer: '/order', before: 'O-4688', now: 'O-4711' },
        { pointer: '/amount', before: 120, now: 240 },
        { pointer: '/to', before: 'visa ending in 9001', now: 'visa ending in 4242' },
      ],
    }),
    madeUp('b2', 31, 'send_email', 'WRITE', 'Sends a letter in the name of the shop', {
      to: 'mia@example.org',
      subject: 'Your order',
      body: 'Dear Mia, we are sorry. A new vase is on its way to you.',
    }),
    madeUp('c3', 55, 'delete_customer', 'DESTRUCTIVE', 'Deletes a customer and all orders', {
      customer: 'C-90131',
      keep_invoices: true,
    }),
    madeUp('d4', 180, 'read_ledger', 'READ', 'Reads the ledger of a month', { month: '2026-10' }),
    madeUp('e5', 900, 'change_price', 'WRITE', 'Changes the price of an article', {
      article: 'vase-blue',
      price: { amount: 39, currency: 'EUR' },
    }),
  ]
}

function madeUp(
  id: string,
  minutes: number,
  capability: string,
  safetyClass: string,
  description: string,
  args: Readonly<Record<string, string | number | boolean | object>>,
): CardAnswer {
  const base = cardOf({ id, minutes })
  const { values: _, ...review } = base.review
  return cardOf({
    id,
    minutes,
    review: {
      ...review,
      values: [],
      shown: { ...shown, description, safetyClass },
      terms: { ...review.terms, capability, args: JSON.parse(JSON.stringify(args)) },
    },
  })
}
