// What each intent asks for, as its message names it: for lists of facts that speak of an intent
// and do not name the tool. It believes nothing and only shows.
import { parseJson } from '#record/json'
import {
  agentIn,
  isMessage,
  nameOf,
  partsInRealm,
  token,
  type NameParts,
  type Place,
} from '#record/names'
import { isMap } from '#messages/envelope'
import { kinds } from '#schemas/kinds'
import { addressAbout } from '#present/story/story'
import type { Fact, LogReader } from '#ports/log'

export interface AskedFor {
  /** In full where the message says it, else as a token. */
  readonly agent: string
  /** Null where the message names none; `(several)` where it asks about several calls. */
  readonly tool: string | null
  /** Of each of several calls; null where it names none. */
  readonly tools?: readonly (string | null)[]
}

const several = '(several)'

export interface IntentsAsked {
  /** What the fact is about; null where it is about no intent. */
  of(fact: Fact): Promise<AskedFor | null>
}

const keptMax = 50_000

/** Reads the messages of a log as they are needed, and remembers those that pass by. */
export function intentsAsked(log: Pick<LogReader, 'get'>, { realm, era }: Place): IntentsAsked {
  const kept = new Map<string, AskedFor>()
  const read = async (address: string): Promise<AskedFor> => {
    // Nearly always of the era that is open.
    for (let of = era; of >= 1; of -= 1) {
      const message = await log.get(nameOf({ realm, era: of }, 'vlp', address))
      if (message !== undefined) return askedIn(message, address)
    }
    return { agent: agentIn(address), tool: null }
  }
  return {
    async of(fact) {
      const parts = partsInRealm(fact.name, realm)
      const address = parts === null ? null : addressAbout(fact, parts)
      if (parts === null || address === null) return null
      const known = kept.get(address)
      if (known !== undefined) return known
      const asked = isMessage(parts) ? askedIn(fact, address) : await read(address)
      // Most are asked about soon after they were read.
      if (kept.size >= keptMax) kept.clear()
      kept.set(address, asked)
      return asked
    },
  }
}

/** What the message says that opened the intent of that address. */
export function askedIn({ bytes }: Pick<Fact, 'bytes'>, address: string): AskedFor {
  const agent = agentIn(address)
  const message = messageIn(bytes)
  const sender = message?.['sender']
  const payload = message?.['payload']
  const intent = isMap(payload) ? payload['intent'] : undefined
  const evaluations = isMap(intent) ? intent['evaluations'] : undefined
  const by = typeof sender === 'string' && token(sender) === agent ? sender : agent
  if (!Array.isArray(evaluations)) return { agent: by, tool: toolIn(intent) }
  return { agent: by, tool: several, tools: evaluations.map(toolIn) }
}

export interface CallAsked extends AskedFor {
  /** As the message has them; empty where it names none. */
  readonly args: Readonly<Record<string, unknown>>
}

/** With the arguments of the call; `message` is null where it is not there any more. */
export function callIn(message: Pick<Fact, 'bytes'> | null, address: string): CallAsked {
  if (message === null) return { agent: agentIn(address), tool: null, args: {} }
  const payload = messageIn(message.bytes)?.['payload']
  const intent = isMap(payload) ? payload['intent'] : undefined
  const args = isMap(intent) ? intent['args'] : undefined
  return { ...askedIn(message, address), args: isMap(args) ? args : {} }
}

function toolIn(call: unknown): string | null {
  const tool = isMap(call) ? call['tool'] : undefined
  return typeof tool === 'string' ? tool : null
}

function messageIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = parseJson(Buffer.from(bytes).toString('utf8'))
    return isMap(value) ? value : null
  } catch {
    return null
  }
}

/** The agent that the name of a fact speaks of, as a token; null where it names none. */
export function agentNamed({ kind, tokens }: NameParts): string | null {
  const shape = kinds[kind].tokens
  const place = shape.findIndex((one) => one === 'agent' || one === 'sender')
  return tokens[place] ?? null
}
