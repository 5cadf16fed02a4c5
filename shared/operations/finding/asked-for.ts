// What each intent asks for, as its message names it: for lists of facts that speak of an intent
// and do not name the tool. It believes nothing and only shows.
import { jsonOf, type Json, type JsonMap } from '#record/canonical'
import { readData } from '#record/event'
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

/** What the message of an intent asks with, and why; of several calls nothing. */
export interface RequestedWith {
  readonly args: JsonMap
  readonly reason: string
}

export interface IntentsAsked {
  /** What the fact is about; null where it is about no intent. */
  of(fact: Fact): Promise<AskedFor | null>
  /** What that intent asks with; null where it is about none. */
  requestOf(fact: Fact): Promise<RequestedWith | null>
  /** Who agreed to that intent, as its verdict says; no one where it has none. */
  approvedBy(fact: Fact): Promise<readonly string[]>
}

const keptMax = 50_000

/** Reads the messages of a log as they are needed, and remembers those that pass by. */
export function intentsAsked(log: Pick<LogReader, 'get'>, { realm, era }: Place): IntentsAsked {
  const kept = new Map<string, AskedFor>()
  // Nearly always of the era that is open.
  const find = async (kind: 'vlp' | 'verdict', address: string): Promise<Fact | undefined> => {
    for (let of = era; of >= 1; of -= 1) {
      const found = await log.get(nameOf({ realm, era: of }, kind, address))
      if (found !== undefined) return found
    }
    return undefined
  }
  const read = async (address: string): Promise<AskedFor> => {
    const message = await find('vlp', address)
    return message === undefined
      ? { agent: agentIn(address), tool: null }
      : askedIn(message, address)
  }
  const about = (fact: Fact) => {
    const parts = partsInRealm(fact.name, realm)
    const address = parts === null ? null : addressAbout(fact, parts)
    return parts === null || address === null ? null : { parts, address }
  }
  return {
    async of(fact) {
      const found = about(fact)
      if (found === null) return null
      const { parts, address } = found
      const known = kept.get(address)
      if (known !== undefined) return known
      const asked = isMessage(parts) ? askedIn(fact, address) : await read(address)
      // Most are asked about soon after they were read.
      if (kept.size >= keptMax) kept.clear()
      kept.set(address, asked)
      return asked
    },
    // Not kept: arguments can be long, and only some questions are about them.
    async requestOf(fact) {
      const found = about(fact)
      if (found === null) return null
      const message = isMessage(found.parts) ? fact : await find('vlp', found.address)
      return message === undefined ? noRequest : requestIn(message)
    },
    async approvedBy(fact) {
      const found = about(fact)
      if (found === null) return []
      const verdict = found.parts.kind === 'verdict' ? fact : await find('verdict', found.address)
      const data = verdict === undefined ? null : readData('verdict', verdict)
      return data?.release?.confirmedBy ?? []
    },
  }
}

const noRequest: RequestedWith = { args: {}, reason: '' }

function requestIn({ bytes }: Pick<Fact, 'bytes'>): RequestedWith {
  const intent = intentOf(messageIn(bytes))
  if (!isMap(intent)) return noRequest
  const { args, justification } = intent
  return {
    args: isMap(args) ? args : {},
    reason: typeof justification === 'string' ? justification : '',
  }
}

/** What the message says that opened the intent of that address. */
export function askedIn({ bytes }: Pick<Fact, 'bytes'>, address: string): AskedFor {
  const agent = agentIn(address)
  const message = messageIn(bytes)
  const sender = message?.['sender']
  const intent = intentOf(message)
  const evaluations = isMap(intent) ? intent['evaluations'] : undefined
  const by = typeof sender === 'string' && token(sender) === agent ? sender : agent
  if (!Array.isArray(evaluations)) return { agent: by, tool: toolIn(intent) }
  return { agent: by, tool: several, tools: evaluations.map(toolIn) }
}

export interface CallAsked extends AskedFor, Pick<RequestedWith, 'args'> {}

/** With the arguments of the call; `message` is null where it is not there any more. */
export function callIn(message: Pick<Fact, 'bytes'> | null, address: string): CallAsked {
  if (message === null) return { agent: agentIn(address), tool: null, args: {} }
  return { ...askedIn(message, address), args: requestIn(message).args }
}

function intentOf(message: JsonMap | null): Json | undefined {
  const payload = message?.['payload']
  return isMap(payload) ? payload['intent'] : undefined
}

function toolIn(call: unknown): string | null {
  const tool = isMap(call) ? call['tool'] : undefined
  return typeof tool === 'string' ? tool : null
}

function messageIn(bytes: Uint8Array): JsonMap | null {
  try {
    const value = jsonOf(parseJson(Buffer.from(bytes).toString('utf8')))
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
