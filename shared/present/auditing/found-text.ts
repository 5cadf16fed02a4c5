// One fact of a search in words, and the filters that its own words are.
import { jsonOf, type Json } from '#record/canonical'
import { partsInRealm, realmNamed } from '#record/names'
import { isMap } from '#messages/envelope'
import { momentText } from '#schemas/console/positions'
import type { FactRow } from '#schemas/operations/facts'
import { counted } from '../wording.ts'
import type { Filter } from './filters.ts'

export interface FoundFact {
  /** Where it is: its position, and its cell where there are several. */
  readonly moment: string
  readonly at: string
  readonly name: string
  readonly kind: string
  readonly phrase: string
  readonly tone: 'good' | 'bad' | 'asked' | 'plain'
  /** Of the intent that it is about; null where it is about none. */
  readonly intent: string | null
  /** What a click filters by. */
  readonly filters: readonly Filter[]
  readonly content: Json
  /** Whether it is an event, and not a message as it was published. */
  readonly isEvent: boolean
}

const encoder = new TextEncoder()

/** Bytes that say the same; signatures and digests are over those of the log, not over these. */
export function bytesSaying(content: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(content))
}

export function foundFact(answer: FactRow, of: string): FoundFact {
  const { appendedAt, name, tool, says: phrase, fact = null } = answer
  const realm = realmNamed(name, of)
  const parts = partsInRealm(name, realm)
  const kind = parts?.kind ?? ''
  const content = jsonOf(fact)
  const data = membersOf(membersOf(content)['data'] ?? null)
  const agent = agentOf(content, data)
  const filters: Filter[] = [
    ...(agent === null ? [] : [{ name: 'agent' as const, value: agent }]),
    ...(typeof tool === 'string' ? [{ name: 'tool' as const, value: tool }] : []),
  ]
  return {
    moment: momentText(answer),
    at: appendedAt,
    name,
    kind,
    phrase,
    tone: answer.void === undefined ? toneOf(kind, data) : 'bad',
    intent: parts?.address ?? addressIn(data),
    filters,
    content,
    isEvent: 'specversion' in membersOf(content),
  }
}

type Members = Readonly<Record<string, Json | undefined>>

function membersOf(value: Json): Readonly<Record<string, Json | undefined>> {
  return isMap(value) ? value : {}
}

function agentOf(content: Json, data: Members): string | null {
  const { agent } = membersOf(data['intent'] ?? null)
  const found = agent ?? data['agent'] ?? membersOf(content)['sender']
  return typeof found === 'string' && found !== '' && !found.includes(',') ? found : null
}

function addressIn(data: Members): string | null {
  const { address } = membersOf(data['intent'] ?? null)
  // A note names its intent alone.
  const found = address ?? membersOf(data['about'] ?? null)['intent']
  return typeof found === 'string' ? found : null
}

function toneOf(kind: string, { outcome, answers, verification }: Members): FoundFact['tone'] {
  if (kind === 'review') return 'asked'
  if (kind === 'fault' || verification === 'refuted') return 'bad'
  if (verification === 'verified') return 'good'
  if (kind === 'decision') return Array.isArray(answers) && answers.every(Boolean) ? 'good' : 'bad'
  if (outcome === 'allow' || outcome === 'succeeded') return 'good'
  return outcome === undefined ? 'plain' : 'bad'
}

/** The kind in a word that people know. */
export function kindText(kind: string): string {
  return kind === 'vlp' ? 'message' : kind
}

/** How many facts came since. */
export function newerText(count: number, isMore: boolean): string {
  return isMore ? `More than ${count} newer facts` : counted(count, 'newer fact')
}

/** How many allows were not derived again. */
export function asRecordedText(count: number): string {
  return `${counted(count, 'allow')} of expired warrants as recorded: the story derives each again.`
}

/** How many were left out, since the expression has no answer for them. */
export function unansweredText(count: number): string {
  return `The expression has no answer for ${counted(count, 'fact')}: they lack what it names.`
}
