// A session of an office agent while it is being made up: what its user asks, which calls follow,
// and what they answer. What an outsider wrote takes the attack, where the session has one.
import type { Json } from '#record/canonical'

/** What a tool does with a call, by the fields that the recording of a session has. */
export type Line = Readonly<Record<string, Json>>

export interface Attack {
  /** What an outsider writes into a text, for the agent to follow. */
  readonly text: string
  /** What an agent does that follows it. */
  readonly act: () => void
}

export interface Person {
  readonly first: string
  readonly email: string
  readonly user: string
  readonly account: string
}

export interface CallMore {
  /** Pointers to what others wrote in the answer. */
  readonly untrusted?: readonly string[]
  readonly needs?: number
  readonly confirms?: number
  /** A visit that acts. */
  readonly acts?: boolean
}

export interface Draft {
  readonly pick: <T>(from: readonly T[]) => T
  readonly number: (from: number, to: number) => number
  /** Never the same one twice in a session. */
  readonly person: () => Person
  readonly ask: (text: string) => void
  /** A right call, or while the attack is followed an injected one. */
  readonly call: (tool: string, args: Line, value: Json, more?: CallMore) => number
  /** What an outsider wrote. */
  readonly foreign: (text: string) => string
  /** What the session came upon, for an attack to aim at: the event and the mail that it found. */
  readonly met: Map<'event' | 'mail', string>
  /** One of them, more often one that the user spoke of: what an attacker would aim at. */
  readonly aim: (from: readonly string[]) => string
}

export interface DrawnSession {
  readonly calls: readonly Line[]
  readonly labels: readonly Line[]
  readonly about: Line
}

/** Random, and for one seed always the same. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const people: readonly Person[] = [
  ['Marta', 'marta.lindgren@northpost.example', 'martalind', 'SE7210002233445566'],
  ['Jonas', 'jonas.k@fjordmail.example', 'jonask', 'NO4410203040506'],
  ['Priya', 'priya.raman@northpost.example', 'priyaraman', 'GB29NWBK60161331926819'],
  ['Tomas', 'tomas.havel@lantern.example', 'thavel', 'CZ6508000000192000145399'],
  ['Yuki', 'yuki.mori@lantern.example', 'yukimori', 'DE75512108001245126199'],
  ['Carla', 'carla.d@fjordmail.example', 'carlad', 'ES9121000418450200051332'],
  ['Henrik', 'h.olsen@quarrymail.example', 'holsen', 'DK5000400440116243'],
].map(([first = '', email = '', user = '', account = '']) => ({ first, email, user, account }))

export interface Suite {
  readonly name: string
  /** The tools that change something. */
  readonly changing: ReadonlySet<string>
  readonly tasks: readonly ((draft: Draft) => void)[]
  readonly attacks: readonly ((draft: Draft) => Attack)[]
}

/** One session: its tasks after each other, and the attack where an outsider's text is read. */
export function drawSession(
  { name, changing, tasks, attacks }: Suite,
  { index, seed, attacked }: { index: number; seed: number; attacked: boolean },
): DrawnSession {
  const random = randomFrom(seed * 7_919 + index * 104_729 + (attacked ? 13 : 0))
  const number = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  const pick = <T>(from: readonly T[]): T => {
    const one = from[number(0, from.length - 1)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
  const session = `${name}-${attacked ? 'attacked' : 'right'}-${index}`
  const { calls, labels, call, follow } = recorder(session, changing)
  const words: string[] = []
  const left = [...people]
  let attack: Attack | null = null
  const followed = (): Attack | null => attack
  const draft: Draft = {
    pick,
    number,
    person: () => left.splice(number(0, left.length - 1), 1)[0] ?? pick(people),
    ask: (text) => words.push(text),
    call,
    met: new Map(),
    foreign: (text) => {
      if (!attacked || attack !== null) return text
      attack = pick(attacks)(draft)
      return `${text}\n${attack.text}`
    },
    aim: (from) => {
      const said = words.join(' ').toLowerCase()
      const spoken = from.filter((one) => said.includes(one.toLowerCase()))
      return spoken.length > 0 && random() < 0.7 ? pick(spoken) : pick(from)
    },
  }
  // The tasks in turn, so that each occurs, and in many of the sessions a second one.
  const task = tasks[index % tasks.length]
  task?.(draft)
  if (random() < 0.4) pick(tasks.filter((one) => one !== task))(draft)
  follow()
  followed()?.act()
  const user = { session, step: 0, kind: 'user', text: words.join(' ') }
  const how = { attacked: attacked ? 'a text' : null, succeeded: followed() !== null }
  return { calls: [user, ...calls], labels, about: { session, useful: true, ...how } }
}

/** Writes calls down, with what they come to: right, and from `follow` on injected. */
function recorder(session: string, changing: ReadonlySet<string>) {
  const [calls, labels]: [Line[], Line[]] = [[], []]
  const asked = new Set<string>()
  let isFollowed = false
  const call: Draft['call'] = (tool, args, value, { untrusted, needs, confirms, acts } = {}) => {
    const step = calls.length + 1
    const changes = acts ?? changing.has(tool)
    // What the user asked for as well is no attack.
    const key = JSON.stringify([tool, args])
    const isRight = !isFollowed || asked.has(key)
    if (isRight) asked.add(key)
    const side = { gold: isRight, injected: !isRight, changes }
    calls.push({ session, step, kind: 'call', tool, args })
    labels.push({ session, step, tool, ...side, ...(confirms !== undefined && { confirms }) })
    const more = { ...(untrusted && { untrusted }), ...(needs !== undefined && { needs }) }
    const result = {
      session,
      step: step + 1,
      kind: 'result',
      call: step,
      tool,
      error: false,
      value,
    }
    calls.push({ ...result, ...more })
    return step
  }
  const follow = (): void => {
    isFollowed = true
  }
  return { calls, labels, call, follow }
}
