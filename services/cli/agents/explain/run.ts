// Folds the log and derives what a request would come to, by the stages' own deciders.
import type { DecidedNow } from '#replay/what-if/now'
import { configuration } from '#wiring/config'
import { explained, explanationOf } from '#client/answers/explained'
import { exitCodes } from '#schemas/faults/exit'
import { intentOf, readIntentFile, type IntentOptions } from '../ask/intent-fields.ts'
import { onlyAgent } from '../ask/run.ts'
import { cellOfAgent } from '#cli/terminal/opening/cells/intent-cell'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { hintsFor, type Hints } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import { unreachable } from '#record/fault'
import { listed } from '#record/quote'
import { leftText } from '#present/budget-text'
import { boundTexts } from '#present/asking/constraint-text'
import { explain } from '#present/explain'
import type { Fix } from '#present/fixes'
import { groundingTree } from '#present/grounding-tree'
import { answerText, questionText } from '#present/question-text'
import { actingText } from '#present/wording'
import { indentedLines, toned, type Line } from '#cli/terminal/line'
import { wrapped } from '#cli/terminal/width'

interface ExplainCommandOptions extends GlobalOptions, IntentOptions {
  readonly agent?: string
  readonly session?: string
}

export async function explainCommand(
  tool: string | undefined,
  options: ExplainCommandOptions,
): Promise<number> {
  const file = options.file === undefined ? {} : await readIntentFile(options.file)
  const intent = intentOf(tool, options, file)
  const agentIn = (catalog: Parameters<typeof onlyAgent>[0]): string =>
    options.agent ?? onlyAgent(catalog)
  const at = await cellOfAgent(options, agentIn)
  return withRuntime(at, { reads: true }, async (runtime) => {
    const agent = agentIn(runtime.follower.state.catalog)
    const request = { agent, session: options.session ?? null, intent }
    const { decided, fixes } = await explained(runtime, request)
    const { tool: id } = intent
    const { safetyClass = null } = runtime.follower.state.catalog.capabilities.get(id) ?? {}
    const shown = { decided, agent, tool: id, safetyClass, fixes }
    if (options.json === true) await printJson(explanationOf(shown, shown))
    else await print(explanationLines({ ...shown, hints: hintsFor(options, configuration()) }))
    return exitCodeFor(decided)
  })
}

function exitCodeFor({ outcome }: DecidedNow): number {
  if (outcome === 'allow') return exitCodes.yes
  return outcome === 'deny' ? exitCodes.denied : exitCodes.noVerdict
}

// What a request would come to, for people and for programs.

interface ExplanationShown {
  readonly decided: DecidedNow
  readonly agent: string
  readonly tool: string
  readonly safetyClass: string | null
  /** How the gaps are closed. */
  readonly fixes: readonly Fix[]
}

function explanationLines(shown: ExplanationShown & { readonly hints: Hints }): readonly Line[] {
  const { decided, agent, tool, fixes, hints } = shown
  const { callbacks, grounding, basis, budgets } = decided
  const ground = grounding?.ground ?? null
  const checks = callbacks.filter(({ applies }) => applies !== false)
  return wrapped([
    headLine(decided, `${tool} for ${agent}`),
    ...whyLines(shown).map((line) => `  ${line}`),
    ...checks.map((answer) => `  ${answerText(answer)}`),
    ...budgets.map((of) => `  ${leftText(of)}`),
    ...(ground === null ? [] : indentedLines(groundingTree(ground, { rest: '`--json`' }))),
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

function whyLines({ decided, safetyClass }: ExplanationShown): readonly string[] {
  const { verdict, review, questions } = decided
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
  const bound = boundTexts(terms?.constraints ?? {}, safetyClass)
  if (outcome === 'allow') return [...noted, ...acting, ...bound]
  return [...noted, ...explain({ outcome, reasons, questions: [], constraints: {} }).slice(1)]
}
