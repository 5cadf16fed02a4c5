// The gates of a text: its structure, and what it stands on, as far as the text and the sources of
// its task show it. A text that is missing fails; what only the world knows is left to the links.
import { checkProse, enforced, textLengthMax, type FoundByCheck } from '../prose/check-prose.ts'
import {
  citationsWithoutEntry,
  linksWithoutSource,
  numbersWithoutSource,
  webLinks,
} from '../prose/against-sources.ts'
import { documentOf } from '../prose/document.ts'
import { proseProfiles } from '../prose/profiles.ts'
import { judgeUrl } from '#firewall/url-rules'
import { short } from '#record/quote'
import type { TaskContract } from '#schemas/work/contract'
import { gateResult, type GateFinding, type GateName, type GateResult } from './gates.ts'

/** Null is a text that is not there, or is not UTF-8. */
export type GivenText = string | null

/** A text that cannot be looked at, as what it is; null for one that can. */
function unread(gate: GateName, text: GivenText): GateResult | null {
  if (text === null) return gateResult(gate, 'fail', { code: 'no_document' })
  if (text.length <= textLengthMax) return null
  return gateResult(gate, 'inconclusive', { code: 'too_large' })
}

export function structureGate(contract: TaskContract, text: GivenText): GateResult {
  const { taskType, minWords, requiredSections } = contract
  const profile = proseProfiles[taskType]
  const given = {
    ...(minWords !== undefined && { minWords }),
    ...(requiredSections !== undefined && { requiredSections }),
  }
  const asked = enforced(profile, given)
  const isAsked = contract.document !== undefined && asked.length > 0
  if (!isAsked) return gateResult('structure', 'skipped', { code: 'not_asked' })
  const none = unread('structure', text)
  if (none !== null || text === null) return none ?? gateResult('structure', 'error')
  const { minWords: words, requiredSections: sections } = { ...profile, ...given }
  const { failures } = checkProse({ text, asked, minWords: words, requiredSections: sections })
  const findings = failures.map(byCheck)
  const evidence = { checks: asked }
  return gateResult('structure', failures.length > 0 ? 'fail' : 'pass', { findings, evidence })
}

/** `now` is in milliseconds since 1970, for dates. */
export function sourcesGate(contract: TaskContract, text: GivenText, now: number): GateResult {
  const { taskType, userProvidedContext, sourcesOnly } = contract
  const asked = proseProfiles[taskType].grounding.filter((check) => check !== 'url_reachable')
  const sources = userProvidedContext.map(({ content }) => content)
  const isAsked = contract.document !== undefined && (asked.length > 0 || sources.length > 0)
  if (!isAsked) return gateResult('sources', 'skipped', { code: 'not_asked' })
  const none = unread('sources', text)
  if (none !== null || text === null) return none ?? gateResult('sources', 'error')
  const { failures, warnings } = checkProse({ text, asked, now })
  const document = documentOf(text)
  const entries = asked.includes('citations_present') ? citationsWithoutEntry(document) : []
  const unsupported =
    sources.length === 0
      ? []
      : [...numbersWithoutSource(document, sources), ...linksWithoutSource(document, sources)]
  const findings = [
    ...failures.map(byCheck),
    ...entries.map(shown),
    ...(sourcesOnly ? unsupported.map(shown) : []),
  ]
  const hints = [...warnings.map(byCheck), ...(sourcesOnly ? [] : unsupported.map(shown))]
  const evidence = { checks: asked, sources: sources.length }
  const outcome = findings.length > 0 ? 'fail' : 'pass'
  return gateResult('sources', outcome, { findings, warnings: hints, evidence })
}

/** How the world answered for one link. */
export type LinkAnswer = 'reachable' | 'unreachable' | 'blocked' | 'unknown'

const linksMax = 200

/** What is asked of the world for this text; null where its task asks nothing. */
export function linksToAsk(contract: TaskContract, text: GivenText): readonly string[] | null {
  const { taskType, document } = contract
  const isAsked = proseProfiles[taskType].grounding.includes('url_reachable')
  if (!isAsked || document === undefined || text === null) return null
  return text.length > textLengthMax ? null : webLinks(documentOf(text))
}

/** Links that no public server can have, offline too. */
export function blockedLinks(links: readonly string[]): readonly string[] {
  return links.filter((link) => judgeUrl(link).verdict === 'block')
}

/** `answers` is null where the world is not asked. */
export function linksGate(
  links: readonly string[] | null,
  answers: ReadonlyMap<string, LinkAnswer> | null,
): GateResult {
  if (links === null) return gateResult('links', 'skipped', { code: 'not_asked' })
  if (links.length === 0) return gateResult('links', 'skipped', { code: 'no_links' })
  const evidence = { links: links.length }
  const withAnswer = (wanted: LinkAnswer, code: string): readonly GateFinding[] => {
    const found = links.filter((link) => answers?.get(link) === wanted)
    return found.map((link) => ({ code, about: short(link, 200) }))
  }
  const blocked = blockedLinks(links).map((link) => ({ code: 'blocked', about: short(link, 200) }))
  const findings = [...blocked, ...withAnswer('unreachable', 'unreachable')]
  const refused = withAnswer('blocked', 'blocked').filter(({ about }) => {
    return !blocked.some((one) => one.about === about)
  })
  findings.push(...refused)
  if (findings.length > 0) return gateResult('links', 'fail', { findings, evidence })
  if (answers === null) return gateResult('links', 'inconclusive', { code: 'offline', evidence })
  if (links.length > linksMax) {
    return gateResult('links', 'inconclusive', { code: 'too_many_links', evidence })
  }
  const warnings = withAnswer('unknown', 'not_answered')
  if (warnings.length === 0) return gateResult('links', 'pass', { evidence })
  return gateResult('links', 'inconclusive', { code: 'not_answered', warnings, evidence })
}

/** So many of them are asked. */
export function firstLinks(links: readonly string[]): readonly string[] {
  return links.slice(0, linksMax)
}

function byCheck(found: FoundByCheck): GateFinding {
  const { detail, check } = found
  return shown(detail === 'not_checked' ? { ...found, detail: `${check}_${detail}` } : found)
}

interface Found {
  readonly detail: string
  readonly line?: number
  readonly about?: string
}

function shown({ detail, line, about }: Found): GateFinding {
  return {
    code: detail,
    ...(about !== undefined && { about: short(about, 200) }),
    ...(line !== undefined && { line }),
  }
}
