// What a request would come to, for people and for programs.
import { unreachable } from '#record/fault'
import { listed } from '#record/quote'
import { leftText } from '#present/budget-text'
import { boundTexts } from '#present/asking/constraint-text'
import { explain } from '#present/explain'
import type { Fix } from '#present/fixes'
import { answerText, questionText } from '#present/question-text'
import { groundingDetails } from '#present/story/knowledge'
import { actingText } from '#present/wording'
import type { DecidedNow } from '#replay/what-if/now'
import type { Hints } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { wrapped } from '#cli/terminal/width'

interface ExplanationShown {
  readonly decided: DecidedNow
  readonly agent: string
  readonly tool: string
  /** How the gaps are closed. */
  readonly fixes: readonly Fix[]
}

export function explanationLines(
  shown: ExplanationShown & { readonly hints: Hints },
): readonly Line[] {
  const { decided, agent, tool, fixes, hints } = shown
  const { callbacks, grounding, basis, budgets } = decided
  const ground = grounding?.ground ?? null
  const checks = callbacks.filter(({ applies }) => applies !== false)
  return wrapped([
    headLine(decided, `${tool} for ${agent}`),
    ...whyLines(decided).map((line) => `  ${line}`),
    ...checks.map((answer) => `  ${answerText(answer)}`),
    ...budgets.map((of) => `  ${leftText(of)}`),
    ...(ground === null ? [] : groundingDetails(ground).map((line) => `  ${line}`)),
    ...fixes.map(({ text }) => `  fix: ${text}`),
    toned('dim', `  as of position ${basis}: nothing was asked and nothing was appended`),
    ...(decided.outcome === 'deny' && fixes.length > 0
      ? [toned('dim', `  what to write where: ${hints(`ask ${tool}`)}`)]
      : []),
  ])
}

function headLine({ outcome }: DecidedNow, what: string): Line {
  switch (outcome) {
    case 'allow':
      return toned('good', `WOULD ALLOW  ${what}`)
    case 'deny':
      return toned('bad', `WOULD DENY   ${what}`)
    case 'ask':
      return toned('warn', `WOULD ASK PEOPLE  ${what}`)
    case 'hold':
      return toned('warn', `WOULD WAIT FOR LEARNING  ${what}`)
    case 'cannot_tell':
      return toned('warn', `CANNOT TELL  ${what}: a check may answer otherwise next time`)
    default:
      return unreachable(outcome)
  }
}

function whyLines({ verdict, review, questions }: DecidedNow): readonly string[] {
  if (review !== null) {
    const { confirmers, quorum, tier, terms } = review
    const acting = terms.chain === undefined ? [] : [actingText(terms.chain)]
    const who =
      tier === 'confirm'
        ? `its owner ${listed(confirmers, 'or')} must approve`
        : `${quorum} of ${listed(confirmers, 'and')} must approve`
    return [...acting, who, ...questions.map((question) => `asked: ${questionText(question)}`)]
  }
  if (verdict === null) return []
  const { outcome, reasons, terms, observed } = verdict
  const noted = observed ? ['observed only: nothing would be stopped or permitted by it'] : []
  const acting = terms?.chain === undefined ? [] : [actingText(terms.chain)]
  const bound = boundTexts(terms?.constraints ?? {})
  if (outcome === 'allow') return [...noted, ...acting, ...bound]
  return [...noted, ...explain({ outcome, reasons, questions: [], constraints: {} }).slice(1)]
}
