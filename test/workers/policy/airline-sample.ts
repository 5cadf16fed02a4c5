// Small evidence and small calls for tests of the airline's rules: a test writes out only what
// matters.
import * as rules from '../../../seeds/airline/callbacks.ts'

type Rule = (typeof rules)[keyof typeof rules]
/** The payload of a trusted message. */
export type Said = object

export const present = '2024-05-15T15:00:00-05:00'

export const asks = (
  rule: Rule,
  tool: string,
  args: object,
  said: readonly Said[],
  now = present,
) =>
  rule({
    intent: { tool, args, position: said.length },
    evidence: said.map((payload, position) => ({ payload, position })),
    now,
  })

export const reported = (tool: string, args: object, value: unknown, error = false): Said => {
  return { tool, args, error, value }
}

export const profile = (membership: string, ...methods: string[]): Said =>
  reported(
    'get_user_details',
    { user_id: 'mia' },
    {
      membership,
      payment_methods: Object.fromEntries(
        methods.map((id) => [id, { id, source: id.replace(/_\d+$/, '') }]),
      ),
    },
  )

export const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    first_name: 'Mia',
    last_name: `Li ${index}`,
    dob: '1990-04-05',
  }))

const leg = (number: string, origin: string, destination: string, date = '2024-05-20') => {
  return { flight_number: number, date, origin, destination }
}
export const out = leg('HAT1', 'JFK', 'SEA')
export const back = leg('HAT2', 'SEA', 'JFK', '2024-05-25')
export const elsewhere = leg('HAT3', 'JFK', 'LAX')

export const reservation = {
  reservation_id: 'R1',
  user_id: 'mia',
  origin: 'JFK',
  destination: 'SEA',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [out],
  passengers: people(1),
  payment_history: [{ payment_id: 'gift_card_1', amount: 100 }],
  created_at: '2024-05-01T10:00:00',
  total_baggages: 1,
  nonfree_baggages: 0,
  insurance: 'no',
}
export const looked = (changes: object = {}): Said =>
  reported('get_reservation_details', { reservation_id: 'R1' }, { ...reservation, ...changes })
export const searched = (...flights: readonly { date: string }[]): Said =>
  reported('search_direct_flight', { date: flights[0]?.date }, flights)

const bookingArgs = {
  user_id: 'mia',
  origin: 'JFK',
  destination: 'SEA',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [out],
  passengers: people(1),
  payment_methods: [{ payment_id: 'credit_card_1', amount: 100 }],
  total_baggages: 0,
  nonfree_baggages: 0,
  insurance: 'no',
}

export const book = (rule: Rule, changes: object, said: readonly Said[] = []) =>
  asks(rule, 'book_reservation', { ...bookingArgs, ...changes }, said).passed
export const change = (rule: Rule, changes: object, said: readonly Said[]) => {
  const args = { reservation_id: 'R1', cabin: 'economy', flights: [out], payment_id: 'gift_card_1' }
  return asks(rule, 'update_reservation_flights', { ...args, ...changes }, said).passed
}
export const bags = (rule: Rule, total: number, nonfree: number, said: readonly Said[]) => {
  const args = { total_baggages: total, nonfree_baggages: nonfree, payment_id: 'gift_card_1' }
  return asks(rule, 'update_reservation_baggages', { reservation_id: 'R1', ...args }, said).passed
}
export const cancel = (said: readonly Said[], now = present) => {
  const args = { reservation_id: 'R1' }
  return asks(rules.cancellationAllowed, 'cancel_reservation', args, said, now).passed
}
export const compensate = (amount: number, said: readonly Said[]) =>
  asks(rules.compensationDue, 'send_certificate', { user_id: 'mia', amount }, said).passed
