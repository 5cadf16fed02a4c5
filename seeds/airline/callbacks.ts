// The airline's written rules, as pure functions of what its own tools and its own desk said in the
// conversation: the catalog names whom each rule believes. Nothing here may read a clock, draw a
// number, reach outside, or believe the agent.

/** What these rules read of a policy callback's argument. */
interface Context {
  readonly intent: { readonly tool: string; readonly args: unknown; readonly position: number }
  /** Of the senders that the catalog trusts for this rule, in log order; nothing of the agent's. */
  readonly evidence: readonly { readonly payload: unknown; readonly position: number }[]
  readonly now: string
}

interface Result {
  readonly passed: boolean
  /** False takes the policy back: there is nothing to ask. */
  readonly applies?: boolean
  readonly message?: string
}

// ---- The figures the airline wrote down ----

const partyMax = 5
const certificatesMax = 1
const creditCardsMax = 1
const giftCardsMax = 3
const cancelledFlightDollars = 100
const delayedFlightDollars = 50
const freeCancellationMs = 24 * 60 * 60 * 1000
const memberships = ['regular', 'silver', 'gold']
const freeBags = new Map([
  ['basic_economy', [0, 1, 2]],
  ['economy', [1, 2, 3]],
  ['business', [2, 3, 3]],
])
/** The airline keeps Eastern Standard Time all year, and its records name no zone. */
const zone = '-05:00'
const zoneMs = -5 * 60 * 60 * 1000

const booking = 'book_reservation'
const flightChange = 'update_reservation_flights'
const bagChange = 'update_reservation_baggages'
const passengerChange = 'update_reservation_passengers'
const cancellation = 'cancel_reservation'
const compensation = 'send_certificate'
const onReservation = [flightChange, bagChange, passengerChange, cancellation]
const anyChange = [booking, compensation, ...onReservation]

// ---- How a rule is asked ----

interface Asked {
  readonly tool: string
  readonly args: unknown
  /** What the arguments ask for; from the agent, and so a wish, never a fact. */
  readonly wanted: Trip
  readonly known: Known
  readonly customer: Customer | undefined
  readonly nowMs: number
  readonly today: string
}

/** A rule passes what it does not concern; of the rest its judge returns what it refuses with. */
const rule =
  (tools: readonly string[], judge: (asked: Asked) => string | null) =>
  ({ intent: { tool, args }, evidence, now }: Context): Result => {
    if (!tools.includes(tool)) return { passed: true }
    const known = know(evidence)
    const owner = known.trips.get(text(args, 'reservation_id'))?.owner ?? text(args, 'user_id')
    const customer = known.customers.get(owner)
    const nowMs = Date.parse(now)
    const today = new Date(nowMs + zoneMs).toISOString().slice(0, 10)
    const message = judge({ tool, args, wanted: tripOf(args), known, customer, nowMs, today })
    return message === null ? { passed: true } : { passed: false, message }
  }

/**
 * A rule about a trip: the reservation as it is known, or the booking that is asked for. What is
 * not known is left to `reservationInHand`, so that it is refused, and only once.
 */
const tripRule = (
  tools: readonly string[],
  judge: (trip: Trip, asked: Asked) => string | null,
): ReturnType<typeof rule> =>
  rule(tools, (asked) => {
    const { tool, args, known, wanted } = asked
    const trip = tool === booking ? wanted : known.trips.get(text(args, 'reservation_id'))
    return trip === undefined ? null : judge(trip, asked)
  })

// ---- The rules ----

/**
 * Where the last thing the customer said before the call was a yes, no one has to be asked again.
 */
export const customerConsented = ({ intent, evidence }: Context): Result => {
  const turn = evidence.findLast(
    ({ payload, position }) => position < intent.position && text(payload, 'kind') === 'customer',
  )
  return !anyChange.includes(intent.tool) || field(turn?.payload, 'confirmed') === true
    ? { passed: true, applies: false }
    : {
        passed: false,
        message:
          'Before a change its details are listed and the customer must say an explicit yes.',
      }
}

export const reservationInHand = rule(onReservation, ({ args, known }) => {
  const id = text(args, 'reservation_id')
  const trip = known.trips.get(id)
  if (trip === undefined) {
    return `We change a reservation only after looking it up, and ${id} has not been looked up.`
  }
  if (known.customers.size > 0 && !known.customers.has(trip.owner)) {
    return `Reservation ${id} belongs to another customer; only its own customer may change it.`
  }
  return trip.cancelled ? `Reservation ${id} is already cancelled.` : null
})

export const partyOfFive = tripRule([booking], ({ passengers }) =>
  passengers.length <= partyMax ? null : 'A reservation holds at most five passengers.',
)

export const partyKept = tripRule([passengerChange], ({ passengers }, { wanted }) =>
  passengers.length === wanted.passengers.length
    ? null
    : 'Passengers can be corrected, but their number can never be changed.',
)

export const bookedOnce = tripRule([booking], (trip, { known }) => {
  for (const [id, other] of known.trips) {
    const shared = other.passengers.some((passenger) => trip.passengers.includes(passenger))
    if (shared && sameFlights(trip, other) && !other.cancelled) {
      return `These flights are already booked for the same passenger, in reservation ${id}.`
    }
  }
  return null
})

export const flightsLookedUp = tripRule([booking, flightChange], (_, { wanted, known }) => {
  const unseen = wanted.legs.find(({ key }) => legKnown(known, key) === undefined)
  return unseen === undefined
    ? null
    : `We list a flight's details before booking it, and ${unseen.key} has not been looked up.`
})

export const tripHolds = tripRule([booking, flightChange], (trip, { wanted, known }) => {
  const { origin, destination, roundTrip } = trip
  let at = origin
  let arrived = false
  for (const { key } of wanted.legs) {
    const leg = legKnown(known, key)
    if (leg === undefined) return null // Left to `flightsLookedUp`.
    if (leg.origin !== at) return `Flight ${key} does not leave from ${at}, where the trip is then.`
    at = leg.destination
    arrived ||= at === destination
  }
  if (arrived && at === (roundTrip ? origin : destination)) return null
  const andBack = roundTrip ? ' and back' : ''
  return `The flights must keep to the trip, ${origin} to ${destination}${andBack}.`
})

export const fareAllowsChange = tripRule([flightChange], (trip, { wanted }) => {
  const same = sameFlights(trip, wanted)
  if (!same && trip.cabin === 'basic_economy' && wanted.cabin === 'basic_economy') {
    return 'Basic economy flights cannot be changed; the cabin can, with the difference paid.'
  }
  return same && trip.cabin === wanted.cabin
    ? 'The reservation already has these flights in this cabin: there is nothing to change.'
    : null
})

export const paymentMix = tripRule([booking], ({ payments }, { customer }) => {
  const sources = payments.map(({ id }) => sourceOf(id, customer))
  const count = (source: string): number => sources.filter((other) => other === source).length
  return count('certificate') <= certificatesMax &&
    count('credit_card') <= creditCardsMax &&
    count('gift_card') <= giftCardsMax
    ? null
    : 'A booking is paid with at most one certificate, one credit card and three gift cards.'
})

export const paymentFromProfile = tripRule(
  [booking, flightChange, bagChange],
  (trip, { tool, args, customer }) => {
    const ids = tool === booking ? trip.payments.map(({ id }) => id) : [text(args, 'payment_id')]
    // Where no one opened the profile, what already paid for a reservation is the customer's.
    const own = (id: string): boolean =>
      customer === undefined
        ? tool !== booking && trip.payments.some((payment) => payment.id === id)
        : customer.sources.has(id)
    const foreign = ids.find((id) => !own(id))
    if (foreign !== undefined) {
      return `Payment is taken from the customer's profile only, and ${foreign} is not known there.`
    }
    return tool === flightChange && ids.some((id) => sourceOf(id, customer) === 'certificate')
      ? 'A change of flights is paid or refunded with one gift card or credit card.'
      : null
  },
)

export const freeBagsCounted = tripRule([booking, bagChange], (trip, { wanted, customer }) => {
  const paidBefore = wanted === trip ? 0 : trip.paidBags
  // As long as the membership is unknown, what is right for some membership may be right.
  const fits = memberships.some((membership, rank) => {
    if (customer !== undefined && customer.membership !== membership) return false
    const free = (freeBags.get(trip.cabin)?.[rank] ?? Number.NaN) * trip.passengers.length
    const extra = Math.max(0, wanted.bags - free)
    return wanted.paidBags === extra || wanted.paidBags === Math.max(extra, paidBefore)
  })
  return fits
    ? null
    : 'Free checked bags a passenger, as regular / silver / gold member: basic economy 0/1/2, ' +
        'economy 1/2/3, business 2/3/3. Each further bag, and only that, costs 50 dollars.'
})

export const bagsOnlyAdded = tripRule([bagChange], ({ bags }, { wanted }) =>
  wanted.bags > bags ? null : `Bags can be added, not removed, and there are ${bags} already.`,
)

export const cancellationAllowed = tripRule([cancellation], (trip, asked) => {
  const { args, known, nowMs, today } = asked
  // "Business always" is taken at its word: where two rules meet, the one that allows prevails.
  if (trip.cabin === 'business') return null
  if (trip.legs.some(({ date, status }) => date < today && status !== 'cancelled')) {
    return 'Only the whole trip can be cancelled, and only while no flight of it has been flown.'
  }
  const ageMs = nowMs - Date.parse(`${trip.createdAt}${zone}`)
  // Who paid for a higher fare in this conversation has booked it now.
  const justBooked =
    ageMs <= freeCancellationMs || known.faresBought.has(text(args, 'reservation_id'))
  return justBooked || trip.insured || trip.legs.some(({ status }) => status === 'cancelled')
    ? null
    : 'Economy and basic economy can be cancelled within 24 hours of booking, if we cancelled ' +
        'the flight, or with insurance and a reason it covers. Membership does not matter here.'
})

export const compensationDue = rule([compensation], ({ args, customer, known, today }) => {
  const user = text(args, 'user_id')
  const trips = [...known.trips.values()].filter(({ owner }) => owner === user)
  if (customer === undefined || trips.length === 0) {
    return 'A certificate is sent only after looking up the customer and the trip that went wrong.'
  }
  if (known.certificates.has(certificateKey(args))) return 'This certificate was already sent.'
  const member = customer.membership === 'silver' || customer.membership === 'gold'
  const entitled = trips.filter(({ insured, cabin }) => member || insured || cabin === 'business')
  if (entitled.length === 0) {
    return 'Certificates are for silver and gold members, for insured trips and for business class.'
  }
  // What is still to come, and is nowhere recorded as cancelled, has not gone wrong yet.
  const due = entitled
    .filter(({ cancelled, legs }) => cancelled || legs.some((leg) => mayHaveFailed(leg, today)))
    .flatMap(({ passengers: { length } }) => [
      cancelledFlightDollars * length,
      delayedFlightDollars * length,
    ])
  return due.includes(number(args, 'amount'))
    ? null
    : 'A certificate is 100 dollars a passenger for a cancelled flight, 50 for a delayed one; no ' +
        'trip that entitles this customer to one comes to that amount by now.'
})

// ---- What is known: the trusted messages, folded in their order, later over earlier ----

interface Leg {
  /** Flight number and day. */
  readonly key: string
  readonly date: string
  readonly origin: string
  readonly destination: string
  readonly status: string
}

/** A reservation as a tool reported it, or as the arguments of a call wish it. */
interface Trip {
  readonly owner: string
  readonly origin: string
  readonly destination: string
  readonly roundTrip: boolean
  readonly cabin: string
  readonly legs: readonly Leg[]
  readonly passengers: readonly string[]
  readonly payments: readonly { readonly id: string; readonly amount: number }[]
  readonly createdAt: string
  readonly bags: number
  readonly paidBags: number
  readonly insured: boolean
  readonly cancelled: boolean
}

interface Customer {
  readonly membership: string
  /** Methods of payment in the profile: identifier to kind. */
  readonly sources: ReadonlyMap<string, string>
}

interface Known {
  readonly customers: Map<string, Customer>
  readonly trips: Map<string, Trip>
  readonly offers: Map<string, Leg>
  /** The cabin that a change in this conversation gave a reservation. */
  readonly cabins: Map<string, string>
  /** Reservations for which a fare difference was paid in this conversation. */
  readonly faresBought: Set<string>
  readonly certificates: Set<string>
}

const know = (evidence: Context['evidence']): Known => {
  const known: Known = {
    customers: new Map(),
    trips: new Map(),
    offers: new Map(),
    cabins: new Map(),
    faresBought: new Set(),
    certificates: new Set(),
  }
  for (const { payload } of evidence) {
    if (field(payload, 'error') !== false) continue
    learn(known, text(payload, 'tool'), field(payload, 'args'), field(payload, 'value'))
  }
  return known
}

const learn = (known: Known, tool: string, args: unknown, value: unknown): void => {
  if (tool === 'get_user_details') {
    known.customers.set(text(args, 'user_id'), customerOf(value))
  } else if (tool === 'search_direct_flight' || tool === 'search_onestop_flight') {
    for (const flight of list(value).flat()) {
      const offer = legOf(flight, text(args, 'date'))
      known.offers.set(offer.key, offer)
    }
  } else if (tool === compensation) {
    known.certificates.add(certificateKey(args))
  } else if (
    tool === booking ||
    tool === 'get_reservation_details' ||
    onReservation.includes(tool)
  ) {
    learnTrip(known, tool, args, value)
  }
}

const learnTrip = (known: Known, tool: string, args: unknown, value: unknown): void => {
  const id = text(value, 'reservation_id')
  const before = known.trips.get(id)
  const after = tripOf(value)
  if (tool === flightChange) {
    known.cabins.set(id, text(args, 'cabin'))
    if (before !== undefined && paid(after) > paid(before)) known.faresBought.add(id)
  }
  // The booking tool goes on answering with the cabin of the first booking after it was changed.
  known.trips.set(id, { ...after, cabin: known.cabins.get(id) ?? after.cabin })
}

const legKnown = (known: Known, key: string): Leg | undefined =>
  known.offers.get(key) ??
  [...known.trips.values()].flatMap(({ legs }) => legs).find((leg) => leg.key === key)

const sameFlights = (one: Trip, other: Trip): boolean =>
  JSON.stringify(one.legs.map(({ key }) => key)) ===
  JSON.stringify(other.legs.map(({ key }) => key))

const mayHaveFailed = ({ date, status }: Leg, today: string): boolean =>
  date <= today || status === 'cancelled' || status === 'delayed'

const paid = ({ payments }: Trip): number =>
  payments.reduce((total, { amount }) => total + amount, 0)

/** Where no profile was read, the airline's own identifiers still show the kind. */
const sourceOf = (id: string, customer: Customer | undefined): string =>
  customer?.sources.get(id) ?? id.replace(/_\d+$/, '')

const certificateKey = (args: unknown): string =>
  `${text(args, 'user_id')} ${number(args, 'amount')}`

// ---- Readers: a message may hold anything, and what cannot be read is not known ----

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const field = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined

const text = (value: unknown, key: string): string => {
  const found = field(value, key)
  return typeof found === 'string' ? found : ''
}

const number = (value: unknown, key: string): number => {
  const found = field(value, key)
  return typeof found === 'number' ? found : Number.NaN
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const legOf = (value: unknown, searched: string): Leg => {
  const date = text(value, 'date') || searched
  return {
    key: `${text(value, 'flight_number')} of ${date}`,
    date,
    origin: text(value, 'origin'),
    destination: text(value, 'destination'),
    status: text(value, 'status'),
  }
}

const tripOf = (value: unknown): Trip => ({
  owner: text(value, 'user_id'),
  origin: text(value, 'origin'),
  destination: text(value, 'destination'),
  roundTrip: text(value, 'flight_type') === 'round_trip',
  cabin: text(value, 'cabin'),
  legs: list(field(value, 'flights')).map((flight) => legOf(flight, '')),
  passengers: list(field(value, 'passengers')).map((passenger) =>
    ['first_name', 'last_name', 'dob'].map((key) => text(passenger, key)).join(' '),
  ),
  payments: list(field(value, 'payment_methods') ?? field(value, 'payment_history')).map(
    (payment) => ({ id: text(payment, 'payment_id'), amount: number(payment, 'amount') }),
  ),
  createdAt: text(value, 'created_at'),
  bags: number(value, 'total_baggages'),
  paidBags: number(value, 'nonfree_baggages'),
  insured: text(value, 'insurance') === 'yes',
  cancelled: text(value, 'status') === 'cancelled',
})

const customerOf = (value: unknown): Customer => {
  const methods = field(value, 'payment_methods')
  const entries = isRecord(methods) ? Object.entries(methods) : []
  return {
    membership: text(value, 'membership'),
    sources: new Map(entries.map(([id, method]) => [id, text(method, 'source')])),
  }
}
