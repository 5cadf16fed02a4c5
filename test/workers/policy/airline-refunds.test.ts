// What the airline gives back: cancellations and certificates, each refused first, then let
// through, at the boundary and beside it.
import { describe, expect, test } from 'vitest'
import {
  back,
  cancel,
  compensate,
  looked,
  out,
  people,
  profile,
  reservation,
  reported,
} from './airline-sample.ts'

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
