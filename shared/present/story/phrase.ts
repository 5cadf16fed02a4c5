// The phrases of a log that is read line by line that take more than a line to make.
import type { CatalogChangeData, GroundingData, OutcomeData } from '#schemas/facts'
import type { EvaluationResult, SearchFound, VerdictData } from '#schemas/facts'
import { Search } from '#schemas/intent'
import type { RevocationTarget } from '#schemas/action/revocation'
import type { SnapshotData } from '#schemas/snapshot'
import { quoted } from '#record/quote'
import { checkBytes } from '#messages/check'
import { delegationIn, type DelegationSaid } from '#messages/delegation'
import { workMessagePhrase } from './contract-story.ts'
import { issueText } from './vlp-text.ts'
import { counted, jsonText, said, utc } from '../wording.ts'

export const argsPhraseCharactersMax = 120
const namesShownMax = 4

interface Bytes {
  readonly name: string
  readonly bytes: Uint8Array
}

export function messagePhrase(fact: Bytes): string {
  const check = checkBytes(fact.bytes, { knownConstraints: [] })
  const { message, issues } = check
  const [first] = issues
  const delegation = delegationIn(check)
  if (delegation !== null) return delegationPhrase(delegation)
  if (message === null)
    return `no valid message: ${first === undefined ? 'unreadable' : issueText(first)}`
  const work = workMessagePhrase(message)
  if (work !== null) return work
  const intent: unknown = message.type === 'query' ? message.payload?.['intent'] : undefined
  if (typeof intent !== 'object' || intent === null)
    return `${message.type}: ${contentText(message.content)}`
  const tool: unknown = Object.getOwnPropertyDescriptor(intent, 'tool')?.value
  const args: unknown = Object.getOwnPropertyDescriptor(intent, 'args')?.value ?? {}
  const named = typeof tool === 'string' ? quoted(tool) : 'something that it does not name'
  const search = Search.safeParse(Object.getOwnPropertyDescriptor(intent, 'search')?.value)
  const several: unknown = Object.getOwnPropertyDescriptor(intent, 'evaluations')?.value
  if (Array.isArray(several)) return `asks about ${several.length} calls at once`
  const asks = search.success ? `searches for ${search.data.for} by` : 'asks to use'
  return `${asks} ${named} ${jsonText(args, argsPhraseCharactersMax)}`
}

function delegationPhrase({ to, data }: DelegationSaid): string {
  const { capabilities, until, parent } = data
  const handsOn = parent === undefined ? '' : `, by ${parent}`
  return `lets ${quoted(to)} act for it: ${shown(capabilities)}, until ${utc(until)}${handsOn}`
}

function contentText(content: unknown): string {
  return typeof content === 'string' ? said(content) : jsonText(content)
}

export function groundingPhrase({ message, ground, attempt, earlier }: GroundingData): string {
  if (earlier !== undefined) return `it was already sent, as ${earlier}: this opens no intent`
  const again = attempt === 1 ? '' : ` at attempt ${attempt}`
  if (message.malformed || !message.senderMatches) return `the message is not valid${again}`
  if (ground === null) return `nothing has to be known${again}`
  const names = shown([...new Set(ground.resolved)])
  const gaps = ground.gaps.length + (ground.gapsOmitted ?? 0)
  return ground.grounded ? `known: ${names}${again}` : `${counted(gaps, 'gap')} in ${names}${again}`
}

export function changePhrase(
  words: readonly string[],
  by: string,
  note: string | undefined,
): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const changes = [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`))
  return `${quoted(by)}: ${changes.join(', ')}${because(note)}`
}

/** For whom, where that is another. */
export function inPlaceOf(person: string | undefined): string {
  return person === undefined ? '' : ` for ${quoted(person)}`
}

export function because(why: string | undefined): string {
  return why === undefined ? '' : `: ${said(why)}`
}

export function shown(names: readonly string[]): string {
  const first = names.slice(0, namesShownMax).map(quoted).join(', ')
  const left = names.length - namesShownMax
  return left > 0 ? `${first} and ${left} more` : first
}

export function outcomePhrase({ outcome, code, detail }: OutcomeData): string {
  return `${outcome}${code === undefined ? '' : ` ${quoted(code)}`}${because(detail)}`
}

export function catalogPhrase({ operations, by, note }: CatalogChangeData): string {
  const words = operations.map((one) => {
    if (one.op === 'put') return `put ${one.collection}`
    if (one.op === 'accept_rollback') return `accept the rollback to ${one.position}`
    return one.op === 'set' ? `set ${one.key}` : `${one.op} ${quoted(one.id)}`
  })
  return changePhrase(words, by, note)
}

export function snapshotPhrase(data: SnapshotData): string {
  if (data.step === 'seal') return `${quoted(data.by)} seals era ${data.seals}`
  if (data.step === 'chunk') return `chunk ${data.part} of the state so far`
  if (data.step === 'catalogs') return `change sets of the catalog, part ${data.part}`
  const { by, parts, position } = data
  return `${quoted(by)} signs for ${counted(parts, 'chunk')}, the state at ${position}`
}

export function verdictPhrase(data: VerdictData): string {
  const { outcome, reasons, observed, found, results } = data
  if (found !== undefined) return foundPhrase(found)
  if (results !== undefined) return resultsPhrase(results)
  const codes = reasons.map(({ code }) => code).join(', ')
  const noted = observed ? ' (observed only: nothing was stopped)' : ''
  return `${outcome}${codes === '' ? '' : `: ${codes}`}${noted}`
}

export function foundPhrase({ ids, searched }: SearchFound): string {
  return `found ${ids.length} of ${searched}`
}

/** How many of several evaluations came to what. */
export function resultsPhrase(results: readonly EvaluationResult[]): string {
  const count = (outcome: EvaluationResult['outcome']): number =>
    results.filter((one) => one.outcome === outcome).length
  const apart = count('alone')
  const rest = apart === 0 ? '' : `, ${apart} to be asked alone`
  return `of ${results.length} evaluations ${count('allow')} yes, ${count('deny')} no${rest}`
}

/** What was taken back, of a revocation. */
export function targetPhrase(target: RevocationTarget): string {
  if ('verdict' in target) return `the warrant of ${target.verdict}`
  if ('capability' in target) return `all warrants for ${quoted(target.capability)}`
  if ('agent' in target) return `all warrants of ${quoted(target.agent)}`
  return `the grant ${target.grant}`
}
