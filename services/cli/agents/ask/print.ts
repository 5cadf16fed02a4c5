// A verdict for people: yes or no, every reason with how to recover, and what to write where
// something is not known.
import { restsOnText } from '#present/story/grant'
import { type Waits, runningText, waitsText } from '#present/story/waits'
import { boundTexts } from '#present/asking/constraint-text'
import { explain } from '#present/explain'
import { actingText, utc } from '#present/wording'
import type { Fix } from '#present/fixes'
import { quoted } from '#record/quote'
import type { EntrySought } from '#shell/hooks/hook-settings'
import type { Verdict } from '#replay/verdicts/verdict'
import { approving, shortIntent } from '#present/approving'
import type { Remedy } from '#present/remedy'
import type { Hints } from '#cli/terminal/hint'
import { jsonLines } from '#present/json-lines'
import { indented, toned, type Line } from '#cli/terminal/line'

export interface ShownVerdict {
  readonly verdict: Verdict
  readonly agent: string
  readonly tool: string
  /** How the gaps are closed; empty where there are none. */
  readonly fixes: readonly Fix[]
  /** What would let it, where the catalog does not. */
  readonly remedies: readonly Remedy[]
  /** The folder that is seeded again, as the reader would write it. */
  readonly seedFolder: string
  /** Where an entry stands in its files. */
  readonly placeOf: (sought: EntrySought) => string
  readonly hints: Hints
}

export function verdictLines(shown: ShownVerdict): readonly Line[] {
  const { verdict, hints } = shown
  const trace = hints(`trace ${shortIntent(verdict.intent)}`)
  return [
    ...observedLines(verdict),
    ...(verdict.outcome === 'allow' ? allowLines(shown) : denyLines(shown)),
    `  intent  ${verdict.intent}`,
    toned('dim', `  story   ${trace}`),
  ]
}

function observedLines({ observed }: Verdict): readonly Line[] {
  if (!observed) return []
  return [toned('warn', 'OBSERVED ONLY: this was decided and recorded, and stops nothing')]
}

function allowLines({ verdict, tool, agent, hints }: ShownVerdict): readonly Line[] {
  const { terms, confirmedBy, grants = [], constraints = {} } = verdict
  return [
    toned('good', `ALLOW  ${tool} for ${agent}`),
    ...(terms?.chain === undefined ? [] : [`  ${actingText(terms.chain)}`]),
    ...(confirmedBy.length === 0 ? [] : [`  approved by ${confirmedBy.join(', ')}`]),
    ...grants.map((grant) => `  ${restsOnText(grant)}`),
    ...(terms === null ? [] : [`  once, until ${utc(terms.useBy)}`]),
    ...boundTexts(terms?.constraints ?? {}).map((line) => `  ${line}`),
    ...boundTexts(constraints, 'its call would be bound to').map((line) => `  ${line}`),
    // A gateway carries it out, and not the agent's own program.
    ...(terms?.executedDigest === undefined
      ? []
      : [`  run it  ${hints(`call --intent ${shortIntent(verdict.intent)}`)}`]),
  ]
}

function denyLines(shown: ShownVerdict): readonly Line[] {
  const { verdict, tool, agent } = shown
  const { reasons } = verdict
  const reported = explain({ outcome: 'deny', reasons, questions: [], constraints: {} }).slice(1)
  return [
    toned('bad', `DENY   ${tool} for ${agent}`),
    ...reported.map((line) => `  ${line}`),
    ...ruleLines(shown),
    ...remedyLines(shown),
    ...fixLines(shown),
  ]
}

/** Where the rules stand that refused it. */
function ruleLines({ verdict: { reasons }, tool, placeOf }: ShownVerdict): readonly string[] {
  const rules = reasons.flatMap(({ code, params: { rule } }) => {
    return code === 'policy_blocked' && rule !== undefined ? [rule] : []
  })
  return rules.map((condition) => {
    const place = placeOf({ list: 'capabilities', id: tool, condition })
    return `  the rule ${quoted(condition)}: ${place}`
  })
}

function remedyLines({ remedies, seedFolder, placeOf, hints }: ShownVerdict): readonly Line[] {
  if (remedies.length === 0) return []
  const lines = remedies.flatMap((remedy) =>
    'command' in remedy
      ? ['', `  ${remedy.what}`, `    ${hints(remedy.command)}`]
      : [
          '',
          `  ${remedy.what}: in ${placeOf(remedy.change)}, ${remedy.entry} then has`,
          `    ${remedy.written}`,
        ],
  )
  const isWritten = remedies.some((remedy) => 'written' in remedy)
  const sign = `  Then: ${hints(`apply ${seedFolder}`)}`
  const offer = toned('dim', '  or the same `ask` with --fix, which writes it and asks you to sign')
  return [...lines, ...(isWritten ? [sign, offer] : []), '']
}

function fixLines({ fixes, seedFolder, hints }: ShownVerdict): readonly Line[] {
  if (fixes.length === 0) return []
  const lines: Line[] = ['']
  for (const { text, where, pieces } of fixes) {
    lines.push(toned('strong', `  ${text}`))
    if (where === null) continue
    lines.push(`  Put this ${where} in ${seedFolder}/graph.json, in your own words:`, '')
    const written = pieces.map((piece) => jsonLines(piece)).join(',\n')
    lines.push(...indented(written, 4), '')
  }
  return [...lines, `  Then: ${hints(`seed ${seedFolder}`)}`, '  and ask again.', '']
}

/** What a verdict that has not come is waiting for. */
export function waitsLines(
  waits: Waits,
  {
    intent,
    tool,
    agent,
    hints,
  }: {
    readonly intent: string
    readonly tool: string
    readonly agent: string
    readonly hints: Hints
  },
): readonly Line[] {
  const short = shortIntent(intent)
  const head = toned('warn', `OPEN   ${tool} for ${agent}`)
  const tail = [`  intent  ${intent}`, toned('dim', `  story   ${hints(`trace ${short}`)}`)]
  if (waits.for !== 'people') {
    const see = waits.for === 'learning' ? [`  see it  ${hints('proposals')}`] : []
    return [
      head,
      `  no verdict in time: it waits for ${waitsText(waits)}${runningText(waits.for)}`,
      ...see,
      ...tail,
    ]
  }
  return [
    head,
    `  approval is required: it waits for ${waitsText(waits)}`,
    `  see it      ${hints('reviews')}`,
    `  answer it   ${hints(approving(intent, waits.reason))}`,
    `              ${hints(`decline ${short}`)}`,
    ...tail,
  ]
}
