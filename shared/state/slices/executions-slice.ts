// The fold of what gateways begin and end, and of what people say of the rest.
import { z } from 'zod'
import type { StartData } from '#schemas/facts'
import { Digest } from '#schemas/values'
import {
  runKey,
  settlementRefusal,
  unsettledAt,
  type BegunCall,
  type Executions,
} from '#messages/executions/executions'
import { readEvent } from '#record/event'
import { token, type NameParts } from '#record/names'
import { Count, kept } from '../part-lines.ts'
import type { LoggedFact } from '../folded.ts'
import type { State } from '../state.ts'
import type { Slice } from './slice.ts'

/** A start by an agent’s own guard is no gateway’s, and one of before gateways says less. */
function evolveStart(
  { running }: Executions,
  fact: LoggedFact,
  { address }: Pick<NameParts, 'address'>,
): null {
  const reading = readEvent('start', fact)
  if (!reading.ok || reading.event.data.intent.address !== address) return null
  const begun = begunBy(reading.event.data, fact.position)
  if (begun !== null) running.set(begun.address, begun)
  return null
}

function begunBy(data: StartData, position: number): BegunCall | null {
  const { gateway, capability, executed, until, intent } = data
  if (gateway === undefined || capability === undefined) return null
  if (executed === undefined || until === undefined) return null
  const { address, agent, session } = intent
  const of = { address, agent, session, gateway, capability, executed, position }
  return { ...of, until: Date.parse(until) }
}

function evolveOutcome(
  { running, unsettled }: Executions,
  fact: LoggedFact,
  { address }: Pick<NameParts, 'address'>,
): null {
  const begun = running.get(address ?? '')
  if (begun === undefined) return null
  const reading = readEvent('outcome', fact)
  if (!reading.ok || reading.event.data.intent.address !== address) return null
  running.delete(begun.address)
  if (reading.event.data.outcome !== 'unknown') return null
  const { agent, capability, executed } = begun
  const { name, appendedAt } = fact
  const key = runKey(agent, capability, executed)
  unsettled.set(key, { address: begun.address, agent, capability, executed, name, appendedAt })
  return null
}

function evolveSettlement(
  state: State,
  fact: LoggedFact,
  { address, tokens }: Pick<NameParts, 'address' | 'tokens'>,
): string | null {
  const reading = readEvent('settlement', fact)
  if (!reading.ok) return reading.why
  const { data } = reading.event
  if (data.intent.address !== address) return 'its intent is another'
  if (token(data.by) !== tokens[3]) return 'it came under another name'
  const open = unsettledAt(state, data.intent.address)
  if (open === null) return 'no outcome of it waits to be settled'
  const refusal = settlementRefusal(state, fact.name, data, open)
  if (refusal !== null) return refusal
  state.unsettled.delete(runKey(open.agent, open.capability, open.executed))
  return null
}

const call = {
  address: z.string(),
  agent: z.string(),
  capability: z.string(),
  executed: Digest,
}

export const executionsSlice = {
  name: 'executions',
  folds: {
    start: evolveStart,
    outcome: evolveOutcome,
    settlement: evolveSettlement,
    // The word of an agent's own guard changes nothing.
    ownstart: () => null,
    ownoutcome: () => null,
  },
  kept: [
    kept('running', 'log', {
      shape: () => ({
        running: z.strictObject({
          ...call,
          session: z.string().nullable(),
          gateway: z.string(),
          until: Count,
          position: Count,
        }),
      }),
      write: (state) => [...state.running.values()].map((running) => ({ running })),
      read: (state, lines) => {
        for (const { running } of lines) state.running.set(running.address, running)
      },
    }),
    kept('unsettled', 'log', {
      shape: () => ({
        unsettled: z.strictObject({ ...call, name: z.string(), appendedAt: Count }),
      }),
      write: (state) => [...state.unsettled.values()].map((unsettled) => ({ unsettled })),
      read: (state, lines) => {
        for (const { unsettled } of lines) {
          const { agent, capability, executed } = unsettled
          state.unsettled.set(runKey(agent, capability, executed), unsettled)
        }
      },
    }),
  ],
} as const satisfies Slice
