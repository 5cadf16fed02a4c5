// How many calls run at once: of each capability, and of each agent within it. Who waits is served
// in turn, and never waits for another capability.
import { Fault } from '#record/fault'
import { KeyCounts } from '#record/key-counts'
import type { Execution } from '#schemas/action/driver'

const concurrencyDefault = 16
const agentConcurrencyDefault = 4
/** Calls of one agent that wait for one capability; what comes beyond is refused. */
const waitingMax = 64

export interface SlotsOf {
  readonly capability: string
  readonly agent: string
  readonly execution: Execution | undefined
}

export interface Slots {
  /**
   * Resolves with what gives the place back, to be called once. Rejects with a Fault
   * `gateway_busy` where too many wait, and with the reason of the signal when it aborts first.
   */
  enter(of: SlotsOf, signal: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly agent: string
  readonly agentMax: number
  readonly admit: () => void
}

interface Room {
  running: number
  readonly byAgent: KeyCounts
  readonly waiting: Waiting[]
}

export function slots(): Slots {
  const rooms = new Map<string, Room>()
  return {
    enter({ capability, agent, execution = {} }, signal) {
      const { concurrency = concurrencyDefault } = execution
      const { agentConcurrency: agentMax = agentConcurrencyDefault } = execution
      const room = rooms.get(capability) ?? emptyRoom()
      rooms.set(capability, room)
      const leave = once(() => {
        room.running -= 1
        room.byAgent.remove(agent)
        admitNext(room, concurrency)
        if (room.running === 0 && room.waiting.length === 0) rooms.delete(capability)
      })
      return new Promise((resolve, reject) => {
        const waiting = room.waiting.filter((one) => one.agent === agent).length
        if (signal.aborted || waiting >= waitingMax) {
          reject(signal.aborted ? aborted(signal) : busy(capability, agent))
          return
        }
        const giveUp = (): void => {
          room.waiting.splice(room.waiting.indexOf(one), 1)
          reject(aborted(signal))
        }
        const one: Waiting = {
          agent,
          agentMax,
          admit: () => {
            signal.removeEventListener('abort', giveUp)
            resolve(leave)
          },
        }
        room.waiting.push(one)
        signal.addEventListener('abort', giveUp, { once: true })
        admitNext(room, concurrency)
      })
    },
  }
}

function emptyRoom(): Room {
  return { running: 0, byAgent: new KeyCounts(), waiting: [] }
}

/** Those who came first and whose agent has room: who waits for its own stops no others. */
function admitNext(room: Room, concurrency: number): void {
  for (let index = 0; index < room.waiting.length && room.running < concurrency;) {
    const one = room.waiting[index]
    if (one === undefined || room.byAgent.of(one.agent) >= one.agentMax) {
      index += 1
      continue
    }
    room.waiting.splice(index, 1)
    room.running += 1
    room.byAgent.add(one.agent)
    one.admit()
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}

function busy(capability: string, agent: string): Fault {
  const what = `${waitingMax} calls of \`${agent}\` wait for \`${capability}\` already`
  return new Fault('gateway_busy', `${what}: wait for some of them`)
}

function aborted({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Fault('call_cancelled', 'the call was taken back')
}
