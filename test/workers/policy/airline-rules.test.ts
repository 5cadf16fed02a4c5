// The airline's rules, each against small evidence: what it refuses first, then what it lets
// through, at the boundary and beside it.
import { describe, expect, test } from 'vitest'
import * as rules from '../../../seeds/airline/callbacks.ts'
import {
  asks,
  bags,
  back,
  book,
  change,
  elsewhere,
  looked,
  out,
  people,
  present,
  profile,
  reservation,
  searched,
  reported,
  type Said,
  cancel,
  compensate,
} from './airline-sample.ts'

describe('consent', () => {
  const yes = { kind: 'customer', confirmed: true }
  const no = { kind: 'customer', confirmed: false }
  const consents = (tool: string, said: readonly Said[]) =>
    asks(rules.customerConsented, tool, {}, said).passed

  test('a change is a question without a yes, or when another message came after it', () => {
    expect(consents('cancel_reservation', [])).toBe(false)
    expect(consents('cancel_reservation', [yes, no])).toBe(false)
    expect(consents('cancel_reservation', [{ kind: 'tool', confirmed: true }])).toBe(false)
    expect(consents('cancel_reservation', [no, yes])).toBe(true)
    expect(consents('get_user_details', [])).toBe(true)
  })

  test('where the customer said yes the question is taken back, and a later yes has no effect', () => {
    const answer = (position: number) =>
      rules.customerConsented({
        intent: { tool: 'cancel_reservation', args: {}, position: 5 },
        evidence: [{ payload: yes, position }],
        now: present,
      })
    expect(answer(6)).toMatchObject({ passed: false })
    expect(answer(4)).toEqual({ passed: true, applies: false })
  })
})

describe('reservations', () => {
  const inHand = (said: readonly Said[]) =>
    asks(rules.reservationInHand, 'cancel_reservation', { reservation_id: 'R1' }, said).passed

  test('one that no one looked up, or that a tool failed to find, is not changed', () => {
    expect(inHand([])).toBe(false)
    expect(inHand([looked({ reservation_id: 'R2' })])).toBe(false)
    const args = { reservation_id: 'R1' }
    expect(inHand([reported('get_reservation_details', args, reservation, true)])).toBe(false)
    expect(inHand([looked()])).toBe(true)
  })

  test('another customer’s is not changed', () => {
    expect(inHand([profile('gold'), looked({ user_id: 'omar' })])).toBe(false)
    expect(inHand([profile('gold'), looked()])).toBe(true)
  })

  test('one that is cancelled, now or long ago, is not changed again', () => {
    const cancelled = { ...reservation, status: 'cancelled' }
    const args = { reservation_id: 'R1' }
    expect(inHand([looked(cancelled)])).toBe(false)
    expect(inHand([looked(), reported('cancel_reservation', args, cancelled)])).toBe(false)
    expect(inHand([looked(), reported('cancel_reservation', args, 'down', true)])).toBe(true)
  })

  test('the same flights are booked once for the same passenger, unless they were cancelled', () => {
    expect(book(rules.bookedOnce, {}, [looked()])).toBe(false)
    expect(book(rules.bookedOnce, {}, [looked({ status: 'cancelled' })])).toBe(true)
    expect(book(rules.bookedOnce, { flights: [back] }, [looked()])).toBe(true)
    const passengers = [{ first_name: 'Kevin', last_name: 'Smith', dob: '2001-04-12' }]
    expect(book(rules.bookedOnce, { passengers }, [looked()])).toBe(true)
  })
})

describe('passengers', () => {
  test('six are refused and five are not', () => {
    expect(book(rules.partyOfFive, { passengers: people(6) })).toBe(false)
    expect(book(rules.partyOfFive, { passengers: people(5) })).toBe(true)
  })

  test('their number never changes, neither up nor down', () => {
    const correct = (count: number) => {
      const args = { reservation_id: 'R1', passengers: people(count) }
      const said = [looked({ passengers: people(2) })]
      return asks(rules.partyKept, 'update_reservation_passengers', args, said).passed
    }
    expect([1, 2, 3].map(correct)).toEqual([false, true, false])
  })
})

describe('flights', () => {
  test('one that no tool has shown on that day is refused', () => {
    const tomorrow = { ...out, date: '2024-05-21' }
    expect(book(rules.flightsLookedUp, {})).toBe(false)
    expect(book(rules.flightsLookedUp, {}, [searched(tomorrow)])).toBe(false)
    expect(book(rules.flightsLookedUp, {}, [searched(out)])).toBe(true)
    expect(change(rules.flightsLookedUp, { flights: [tomorrow] }, [looked()])).toBe(false)
    expect(change(rules.flightsLookedUp, { flights: [out] }, [looked()])).toBe(true)
  })

  test('those of a search with a stop are known one by one, with their own days', () => {
    const { date, ...undated } = out
    const said = [reported('search_onestop_flight', { date }, [[undated, back]])]
    expect(book(rules.flightsLookedUp, { flights: [out, back] }, said)).toBe(true)
    expect(book(rules.flightsLookedUp, { flights: [{ ...back, date }] }, said)).toBe(false)
  })

  test('a trip must follow on, arrive, and come back if it is a round trip', () => {
    const said = [searched(out, back, elsewhere)]
    const round = { flight_type: 'round_trip' }
    expect(book(rules.tripHolds, { ...round, flights: [out, out] }, said)).toBe(false)
    expect(book(rules.tripHolds, { ...round, flights: [out] }, said)).toBe(false)
    expect(book(rules.tripHolds, { flights: [out, back] }, said)).toBe(false)
    expect(book(rules.tripHolds, { flights: [elsewhere] }, said)).toBe(false)
    expect(book(rules.tripHolds, { ...round, flights: [out, back] }, said)).toBe(true)
    expect(book(rules.tripHolds, { flights: [out] }, said)).toBe(true)
  })

  test('a change keeps origin, destination and trip type, whatever the agent claims of a flight', () => {
    const said = [looked(), searched(elsewhere, back)]
    const posing = { ...elsewhere, destination: 'SEA' }
    expect(change(rules.tripHolds, { flights: [posing] }, said)).toBe(false)
    expect(change(rules.tripHolds, { flights: [out, back] }, said)).toBe(false)
    expect(change(rules.tripHolds, { flights: [out] }, said)).toBe(true)
  })

  test('basic economy keeps its flights, and may change its cabin', () => {
    const basic = looked({ cabin: 'basic_economy' })
    const other = { flights: [elsewhere] }
    const upgraded = reported('update_reservation_flights', { cabin: 'economy' }, reservation)
    expect(change(rules.fareAllowsChange, { ...other, cabin: 'basic_economy' }, [basic])).toBe(
      false,
    )
    expect(change(rules.fareAllowsChange, {}, [basic])).toBe(true)
    expect(change(rules.fareAllowsChange, other, [basic])).toBe(true)
    expect(change(rules.fareAllowsChange, other, [basic, upgraded])).toBe(true)
    expect(change(rules.fareAllowsChange, other, [looked()])).toBe(true)
  })

  test('a change that changes nothing is refused, also right after it was made', () => {
    const basic = looked({ cabin: 'basic_economy' })
    // The tool answers with the old cabin, and so does every later look-up.
    const changed = reported(
      'update_reservation_flights',
      { cabin: 'economy' },
      { ...reservation, cabin: 'basic_economy' },
    )
    expect(change(rules.fareAllowsChange, {}, [looked()])).toBe(false)
    expect(change(rules.fareAllowsChange, {}, [basic, changed, basic])).toBe(false)
    expect(change(rules.fareAllowsChange, { cabin: 'business' }, [looked()])).toBe(true)
  })
})

describe('payments', () => {
  const methods = (...ids: string[]) => {
    return { payment_methods: ids.map((payment_id) => ({ payment_id, amount: 1 })) }
  }

  test.each([
    ['certificate', 2],
    ['credit_card', 2],
    ['gift_card', 4],
  ])('of %s a booking takes less than %i', (kind, tooMany) => {
    const ids = Array.from({ length: tooMany }, (_, index) => `${kind}_${index}`)
    expect(book(rules.paymentMix, methods(...ids))).toBe(false)
    expect(book(rules.paymentMix, methods(...ids.slice(1)))).toBe(true)
  })

  test('the kind of a method comes from the profile, not from its name', () => {
    const value = { payment_methods: { gift_card_1: { source: 'certificate' } } }
    const said = [reported('get_user_details', { user_id: 'mia' }, value)]
    const both = methods('gift_card_1', 'certificate_2')
    expect(book(rules.paymentMix, both, said)).toBe(false)
    expect(book(rules.paymentMix, both, [profile('gold', 'gift_card_1')])).toBe(true)
  })

  test('a booking is paid from a profile that was read', () => {
    expect(book(rules.paymentFromProfile, {})).toBe(false)
    expect(book(rules.paymentFromProfile, {}, [profile('gold', 'credit_card_2')])).toBe(false)
    expect(book(rules.paymentFromProfile, {}, [profile('gold', 'credit_card_1')])).toBe(true)
  })

  test('a change is paid from the profile, or with what paid before if no profile was read', () => {
    const paid = (id: string, ...said: Said[]) =>
      change(rules.paymentFromProfile, { payment_id: id }, [looked(), ...said])
    expect(paid('credit_card_9')).toBe(false)
    expect(paid('gift_card_1', profile('gold', 'credit_card_9'))).toBe(false)
    expect(paid('gift_card_1')).toBe(true)
    expect(paid('credit_card_9', profile('gold', 'credit_card_9'))).toBe(true)
  })

  test('a certificate pays no change of flights, and may pay for bags', () => {
    const said = [looked(), profile('gold', 'certificate_1', 'gift_card_1')]
    const certificate = { payment_id: 'certificate_1' }
    const baggage = { reservation_id: 'R1', ...certificate }
    expect(change(rules.paymentFromProfile, certificate, said)).toBe(false)
    expect(change(rules.paymentFromProfile, {}, said)).toBe(true)
    expect(
      asks(rules.paymentFromProfile, 'update_reservation_baggages', baggage, said).passed,
    ).toBe(true)
  })
})

describe('bags', () => {
  const silver = profile('silver')
  const booked = (cabin: string, total: number, nonfree: number, said: readonly Said[]) => {
    const passengers = people(2)
    const args = { cabin, passengers, total_baggages: total, nonfree_baggages: nonfree }
    return book(rules.freeBagsCounted, args, said)
  }

  test.each([
    ['regular', 'basic_economy', 0],
    ['silver', 'basic_economy', 1],
    ['gold', 'basic_economy', 2],
    ['regular', 'economy', 1],
    ['silver', 'economy', 2],
    ['gold', 'economy', 3],
    ['regular', 'business', 2],
    ['silver', 'business', 3],
    ['gold', 'business', 3],
  ])('a %s member in %s has %i free for each passenger', (membership, cabin, free) => {
    const said = [profile(membership)]
    expect(booked(cabin, 2 * free, 1, said)).toBe(false)
    expect(booked(cabin, 2 * free + 1, 0, said)).toBe(false)
    expect(booked(cabin, 2 * free + 1, 2, said)).toBe(false)
    expect(booked(cabin, 2 * free, 0, said)).toBe(true)
    expect(booked(cabin, 2 * free + 1, 1, said)).toBe(true)
  })

  test('while the membership is unknown, only what no membership allows is refused', () => {
    expect(bags(rules.freeBagsCounted, 2, 2, [looked()])).toBe(false)
    expect([0, 1].map((nonfree) => bags(rules.freeBagsCounted, 2, nonfree, [looked()]))).toEqual([
      true,
      true,
    ])
  })

  test('free bags go by the cabin that a change has given, not by the one first booked', () => {
    const basic = looked({ cabin: 'basic_economy' })
    const upgraded = reported('update_reservation_flights', { cabin: 'economy' }, reservation)
    expect(bags(rules.freeBagsCounted, 2, 1, [silver, basic, upgraded, basic])).toBe(false)
    expect(bags(rules.freeBagsCounted, 2, 0, [silver, basic])).toBe(false)
    expect(bags(rules.freeBagsCounted, 2, 0, [silver, basic, upgraded, basic])).toBe(true)
  })

  test('a bag that was paid before may stay paid', () => {
    const said = [silver, looked({ total_baggages: 2, nonfree_baggages: 1 })]
    expect(bags(rules.freeBagsCounted, 3, 2, said)).toBe(false)
    expect(bags(rules.freeBagsCounted, 3, 1, said)).toBe(true)
    expect(bags(rules.freeBagsCounted, 4, 2, said)).toBe(true)
  })

  test('they are added, never removed, and adding none is nothing', () => {
    const said = [looked({ total_baggages: 1 })]
    const added = [0, 1, 2].map((total) => bags(rules.bagsOnlyAdded, total, 0, said))
    expect(added).toEqual([false, false, true])
  })
})

test('a rule passes the tools that it does not concern, whatever their arguments are', () => {
  for (const [name, rule] of Object.entries(rules)) {
    expect({ name, ...asks(rule, 'get_user_details', {}, []) }).toMatchObject({ passed: true })
  }
})

test('arguments and results of the wrong shape make nothing known, and break no rule', () => {
  const odd = [null, 7, 'text', [], [null], { flights: [null], passengers: 'none' }]
  const said = odd.map((value) => reported('get_reservation_details', {}, value))
  const tools = ['book_reservation', 'update_reservation_flights', 'send_certificate']
  for (const rule of Object.values(rules)) {
    for (const tool of tools) {
      expect(asks(rule, tool, { flights: 7, payment_methods: [null] }, said)).toBeTypeOf('object')
    }
  }
  expect(book(rules.freeBagsCounted, { cabin: 'first' }, [profile('gold')])).toBe(false)
  expect(book(rules.freeBagsCounted, {}, [profile('platinum')])).toBe(false)
})

// What the airline gives back: cancellations and certificates, each refused first, then let
// through, at the boundary and beside it.

describe('cancellation', () => {
  test('24 hours after booking it ends, a second later it is refused', () => {
    const said = [looked({ created_at: '2024-05-14T15:00:00' })]
    expect(cancel(said, '2024-05-15T15:00:01-05:00')).toBe(false)
    expect(cancel(said, '2024-05-15T15:00:00-05:00')).toBe(true)
    expect(cancel(said, '2024-05-15T20:00:00Z')).toBe(true)
    expect(cancel([looked({ created_at: 'yesterday' })])).toBe(false)
    expect(() => cancel(said, 'soon')).toThrow()
  })

  test('economy of whatever membership needs insurance, business does not', () => {
    expect(cancel([profile('gold'), looked()])).toBe(false)
    expect(cancel([looked({ cabin: 'basic_economy' })])).toBe(false)
    expect(cancel([looked({ insurance: 'yes' })])).toBe(true)
    expect(cancel([looked({ cabin: 'basic_economy', insurance: 'yes' })])).toBe(true)
    expect(cancel([looked({ cabin: 'business' })])).toBe(true)
  })

  test('a trip with a flight of yesterday is flown, one of today is not yet', () => {
    const flown = (date: string) => [
      looked({
        insurance: 'yes',
        flights: [
          { ...out, date },
          { ...back, date: '2024-05-30' },
        ],
      }),
    ]
    expect(cancel(flown('2024-05-14'))).toBe(false)
    expect(cancel(flown('2024-05-15'))).toBe(true)
    // Still the 14th where the airline keeps its clock.
    expect(cancel(flown('2024-05-14'), '2024-05-15T04:59:59Z')).toBe(true)
    expect(cancel(flown('2024-05-14'), '2024-05-15T05:00:00Z')).toBe(false)
  })

  test('a flight that the airline cancelled is a reason, and was never flown', () => {
    const flight = (status: string) => [
      looked({ flights: [{ ...out, date: '2024-05-14', status }] }),
    ]
    expect(cancel(flight('landed'))).toBe(false)
    expect(cancel(flight('cancelled'))).toBe(true)
  })

  test('who has just paid for a higher fare has just booked it, who got money back has not', () => {
    const priced = (amount: number) => {
      const payments = [...reservation.payment_history, { payment_id: 'gift_card_1', amount }]
      const value = { ...reservation, payment_history: payments }
      return [looked(), reported('update_reservation_flights', { cabin: 'economy' }, value)]
    }
    expect(cancel(priced(-10))).toBe(false)
    expect(cancel(priced(0))).toBe(false)
    expect(cancel(priced(10))).toBe(true)
  })
})

describe('certificates', () => {
  const due = { flights: [{ ...out, date: '2024-05-15' }], passengers: people(3) }

  test('none is sent before customer and trip are looked up', () => {
    expect(compensate(150, [])).toBe(false)
    expect(compensate(150, [looked(due)])).toBe(false)
    expect(compensate(150, [profile('gold')])).toBe(false)
    expect(compensate(150, [profile('gold'), looked({ ...due, user_id: 'omar' })])).toBe(false)
    expect(compensate(150, [profile('gold'), looked(due)])).toBe(true)
  })

  test('regular members need insurance or business class', () => {
    const regular = profile('regular')
    expect(compensate(150, [regular, looked(due)])).toBe(false)
    expect(compensate(150, [regular, looked({ ...due, insurance: 'yes' })])).toBe(true)
    expect(compensate(150, [regular, looked({ ...due, cabin: 'business' })])).toBe(true)
    expect(compensate(150, [profile('silver'), looked(due)])).toBe(true)
  })

  test('it is 50 or 100 dollars a passenger of one trip', () => {
    const said = [profile('gold'), looked(due)]
    const sent = [50, 100, 149, 150, 151, 300].map((amount) => compensate(amount, said))
    expect(sent).toEqual([false, false, false, true, false, true])
  })

  test('a flight of tomorrow has not gone wrong, unless it is known to be cancelled', () => {
    const tomorrow = { ...out, date: '2024-05-16' }
    const trip = (changes: object) => [profile('gold'), looked({ ...due, ...changes })]
    expect(compensate(150, trip({ flights: [tomorrow] }))).toBe(false)
    expect(compensate(150, trip({ flights: [{ ...tomorrow, status: 'delayed' }] }))).toBe(true)
    expect(compensate(150, trip({ flights: [tomorrow], status: 'cancelled' }))).toBe(true)
  })

  test('the same one is not sent twice', () => {
    const args = { user_id: 'mia', amount: 150 }
    const said = [profile('gold'), looked(due)]
    expect(compensate(150, [...said, reported('send_certificate', args, 'sent')])).toBe(false)
    expect(compensate(150, [...said, reported('send_certificate', args, 'down', true)])).toBe(true)
  })
})
