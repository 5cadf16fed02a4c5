// The story of a contract: the message that opens it, the claims of its worker, and what verifiers
// found of them. It shows what the log says and judges nothing.
import { refersTo, statesCompletion, statesContract } from '#work/contracts/work-messages'
import { readEvent } from '#record/event'
import type { NameParts } from '#record/names'
import { quoted } from '#record/quote'
import { messageOfFact } from '#messages/check'
import type { LoggedFact } from '#state/folded'
import type { VlpMessage } from '#schemas/vlp'
import type { VerificationData } from '#schemas/work/facts'
import { jsonText, said } from '../wording.ts'
import type { Reported } from './reported.ts'
import { plain, type Phrase } from './said.ts'

type Bytes = Pick<LoggedFact, 'bytes'>

/** The address of the contract that a verifier's fact is about; null for any other fact. */
export function contractAbout({ kind, tokens }: Pick<NameParts, 'kind' | 'tokens'>): string | null {
  const isOfContract = kind === 'verificationstart' || kind === 'verification'
  return isOfContract ? tokens.slice(0, 3).join('.') : null
}

export interface ClaimsUnder {
  /** Whether it claims work under the contract of that address, which was shown before. */
  isClaim(fact: LoggedFact, parts: NameParts): boolean
}

export function claimsUnder(address: string): ClaimsUnder {
  let contract: string | null = null
  return {
    isClaim(fact, { kind, address: of }) {
      if (kind !== 'vlp') return false
      if (of === address) {
        const message = messageOfFact(fact)
        if (message !== null && statesContract(message)) contract = fact.name
        return false
      }
      const message = contract === null ? null : messageOfFact(fact)
      if (contract === null || message === null || !statesCompletion(message)) return false
      return refersTo(message).includes(contract)
    },
  }
}

/** A contract or a claim as a phrase of the log; null for any other message. */
export function workMessagePhrase(message: VlpMessage): string | null {
  if (statesContract(message)) {
    const { taskId, objective } = termsIn(message)
    return `gives ${workerText(message)} the task ${taskId}: ${objective}`
  }
  if (!statesCompletion(message)) return null
  return `reports on a task: ${statusText(message)}`
}

/** The same as a step of a story. */
export function workMessageSaid(fact: Bytes): Phrase | null {
  const message = messageOfFact(fact)
  if (message === null) return null
  const sender = quoted(message.sender)
  if (statesContract(message)) {
    const { taskId, objective, workspace } = termsIn(message)
    const details = [`objective: ${objective}`, `workspace: ${workspace}`]
    return plain(`${sender} gives ${workerText(message)} the task ${taskId}`, details)
  }
  if (!statesCompletion(message)) return null
  const work = memberOf(message.payload?.['completion'], 'work')
  const named = work === undefined ? [] : [`work: ${jsonText(work)}`]
  return plain(`${sender} reports: ${statusText(message)}`, named)
}

/** What became of it; null where the first of the facts opens no contract. */
export function contractEnding(
  address: string,
  reported: readonly Reported[],
): { readonly outcome: 'open' | 'none'; readonly summary: string } | null {
  const opening = reported.find(({ parts }) => parts.address === address && parts.kind === 'vlp')
  const message = opening === undefined ? null : messageOfFact(opening)
  if (opening === undefined || message === null || !statesContract(message)) return null
  const { taskId } = termsIn(message)
  const gives = `${quoted(message.sender)} gave ${workerText(message)} the task ${taskId}`
  if (opening.void !== null) return { outcome: 'none', summary: `${gives}: it counts for nothing` }
  for (const fact of reported.toReversed()) {
    if (fact.parts.kind !== 'verification' || fact.void !== null) continue
    const reading = readEvent('verification', fact)
    const ended = reading.ok ? reading.event.data.ended : null
    if (ended === null) continue
    const how = `${endingText(ended)}, ${scoreText(ended)}`
    return { outcome: 'none', summary: `${gives}: ${how}` }
  }
  return { outcome: 'open', summary: `${gives}: still open` }
}

const endingTexts = {
  verified: 'its work is verified',
  blocked: 'its worker says that it is blocked',
  failed: 'its worker says that it failed',
  attempts: 'all attempts are used up',
  time: 'no claim came in time',
} as const

type Ended = NonNullable<VerificationData['ended']>

export function endingText({ how }: Pick<Ended, 'how'>): string {
  return endingTexts[how]
}

export function scoreText({ score }: Pick<Ended, 'score'>): string {
  return score === null ? 'no score' : `score ${score}`
}

function termsIn({ payload }: VlpMessage) {
  const text = (name: string): string => {
    const value = memberOf(payload?.['contract'], name)
    return typeof value === 'string' ? said(value) : 'which it does not name'
  }
  return { taskId: text('taskId'), objective: text('objective'), workspace: text('workspace') }
}

function workerText({ receiver }: VlpMessage): string {
  return receiver === null || receiver === undefined ? 'no one' : quoted(receiver)
}

function statusText({ payload }: VlpMessage): string {
  const status = memberOf(payload?.['completion'], 'status')
  return typeof status === 'string' ? said(status) : 'in a form that cannot be read'
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
