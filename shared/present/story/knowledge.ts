// What a grounding found, in lines: what is known and how deeply, what does not count, what is
// missing, and which rules lie on it. It shows what the fact says, whatever the graph has become
// since. And how a person ruled on a question about it.
import type { Ground } from '#schemas/facts'
import type { PlacedPolicy } from '#schemas/graph'
import type { RulingData } from '#schemas/learning'
import { explain } from '../explain.ts'
import { depthText } from '../gap.ts'
import { quoted } from '#record/quote'
import { noteLines, type Phrase } from './said.ts'

const entriesMax = 16

export function groundingDetails(ground: Ground): readonly string[] {
  const { resolved, visible, gated, gaps, gapsOmitted, policies } = ground
  const asked = new Set(resolved)
  const levels = new Map(visible.map(({ name, level }) => [name, level]))
  const missing = missingLines(gaps, gapsOmitted)
  const others = visible.filter(({ name }) => !asked.has(name))
  return [
    ...cut(
      [...asked].filter((name) => levels.has(name)),
      (name) => {
        return `known: ${quoted(name)} ${depthText(levels.get(name) ?? null)}`
      },
    ),
    ...cut(others, ({ name, level }) => `needed with it: ${quoted(name)} ${depthText(level)}`),
    ...cut(gated, ({ source, target, type, sourceDepth }) => {
      const edge = `${quoted(source)} ${type} ${quoted(target)}`
      return `out of reach: ${edge}, until ${quoted(source)} is known ${depthText(sourceDepth)}`
    }),
    ...missing,
    ...cut(policies, ruleText),
  ]
}

function missingLines(gaps: Ground['gaps'], gapsOmitted: number | undefined): readonly string[] {
  if (gaps.length === 0) return []
  const omitted = gapsOmitted === undefined ? {} : { gapsOmitted }
  const params = { gaps, ...omitted }
  const reason = { code: 'ungrounded', recover: 'learn', params } as const
  const reported = { outcome: 'deny', reasons: [reason], questions: [], constraints: {} } as const
  return explain(reported)
    .slice(2)
    .map((line) => `gap: ${line.replace(/^ *- /, '')}`)
}

function ruleText({ policy, source, target }: PlacedPolicy): string {
  const asks = policy.requiresConfirmation ? 'asks a person' : 'asks no one'
  const checks = policy.callback === null ? '' : `, checks ${quoted(policy.callback)}`
  const when = policy.triggerCardinality === null ? '' : `, for ${policy.triggerCardinality} things`
  const edge = `${quoted(source)} → ${quoted(target)}`
  return `rule on it: ${quoted(policy.name)} on ${edge} (${asks}${checks}${when})`
}

function cut<Item>(items: readonly Item[], say: (item: Item) => string): readonly string[] {
  const left = items.length - entriesMax
  const lines = items.slice(0, entriesMax).map(say)
  return left > 0 ? [...lines, `and ${left} more`] : lines
}

/** How a person's ruling on a question is put into words. */
export function rulingSaid({ confirmer, ruling, byOwner, note }: RulingData): Phrase {
  const title = {
    accepted: 'agrees to what was proposed',
    modified: 'says what is to be known',
    skipped: 'leaves it open',
    rejected: 'will not have it in the graph',
  }
  const who = `${quoted(confirmer)}${byOwner ? ', by the owner,' : ''}`
  const tone = ruling === 'accepted' || ruling === 'modified' ? 'good' : 'bad'
  return { title: `${who} ${title[ruling]}`, details: noteLines(note), tone }
}
