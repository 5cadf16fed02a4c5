// What `ask` is given, and how it shows what became of the intent.
import { readFile } from 'node:fs/promises'
import { readData } from '#record/event'
import { seedFileNames } from '#authoring/seed-files'
import { entryLine, type EntrySought } from '#shell/hooks/hook-settings'
import { asCalled } from '#wiring/called'
import { fixesOf, type Fix } from '#present/fixes'
import { waitsJson, runningText, waitsText, type Waits } from '#present/story/waits'
import type { Runtime } from '#runtime/engine/runtime'
import type { Ground } from '#schemas/facts'
import type { Verdict } from '#replay/verdicts/verdict'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { seedHere } from '#cli/terminal/opening/seed-here'
import { exitCodes } from '#schemas/faults/exit'
import type { hintsFor, Hints } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import type { IntentOptions } from './intent-fields.ts'
import { remediesOf, type Remedy } from '#present/remedy'
import type { Settled } from './settled.ts'
import { restsOnText } from '#present/story/grant'
import { boundTexts } from '#present/asking/constraint-text'
import { explain } from '#present/explain'
import { actingText, utc } from '#present/wording'
import type { JsonObject } from '#schemas/catalog'
import { quoted } from '#record/quote'
import { approving, shortIntent } from '#present/approving'
import { jsonLines } from '#present/json-lines'
import { indented, toned, type Line } from '#cli/terminal/line'

export interface AskCommandOptions extends GlobalOptions, IntentOptions {
  readonly agent?: string
  readonly session?: string
  /** In milliseconds. */
  readonly wait?: number
  readonly key?: string
  readonly reads?: 'all' | 'own'
  /** Offer the change that would let it, for a person at the terminal to sign. */
  readonly fix?: boolean
}

/** A call that was refused, and by what. */
export interface RefusedAsk {
  readonly verdict: Verdict
  readonly agent: string
  readonly tool: string
}

/** Shows the change, asks, and signs; whether it was signed. */
export type OfferFix = (runtime: Runtime, refused: RefusedAsk) => Promise<boolean>

/** `isAnswer`: it was asked for yes or no, and the code is that, though nothing is stopped. */
export function exitCodeOf(answer: Settled, isAnswer = false): number {
  if (answer.state === 'waits') return exitCodes.noVerdict
  const { outcome, observed } = answer.verdict
  // An observed call is stopped by nothing, this exit code included.
  const isStopped = isAnswer || !observed
  return outcome === 'allow' || !isStopped ? exitCodes.yes : exitCodes.denied
}

interface Asked {
  readonly tool: string
  /** As they were given, where this command was given them. */
  readonly args?: JsonObject
  readonly agent: string
  readonly hints: ReturnType<typeof hintsFor>
  readonly json: boolean
}

/** Prints what became of an intent. Only a fold of the log knows how gaps are closed. */
export async function printAnswer(
  runtime: Runtime | null,
  answer: Settled,
  asked: Asked,
): Promise<void> {
  const { json } = asked
  if (answer.state === 'waits') {
    const { intent, waits } = answer
    if (json) await printJson({ intent, outcome: null, waits: waitsJson(waits) })
    else await print(waitsLines(waits, { ...asked, intent }))
    return
  }
  const { verdict } = answer
  const fixes = runtime === null ? [] : await fixesFor(runtime, verdict)
  if (json) await printJson({ ...verdict, fixes })
  else {
    const { reasons } = verdict
    const catalog = runtime?.follower.state.catalog
    const remedies = catalog === undefined ? [] : remediesOf(catalog, { ...asked, reasons })
    const safetyClass = catalog?.capabilities.get(asked.tool)?.safetyClass ?? null
    const seedFolder = seedHere()
    const file = `${seedFolder}/${seedFileNames.catalog}`
    const placeOf = reasons.length === 0 ? () => file : await placesIn(file)
    const shown = { ...asked, verdict, safetyClass, fixes, remedies, seedFolder, placeOf }
    await print(verdictLines(shown))
  }
}

/** The file with its line, as far as the entry stands there. */
async function placesIn(file: string): Promise<(sought: EntrySought) => string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return (sought) => {
    const line = entryLine(text, sought)
    return line === null ? file : `${file}:${line}`
  }
}

async function fixesFor(runtime: Runtime, verdict: Verdict): Promise<readonly Fix[]> {
  if (!verdict.reasons.some(({ code }) => code === 'ungrounded')) return []
  const ground = await groundBehind(runtime, verdict)
  return ground === null ? [] : fixesOf(runtime.follower.state.graph, ground)
}

// What was derived again at release is what refused; else what the stage had found.
async function groundBehind({ log }: Runtime, verdict: Verdict): Promise<Ground | null> {
  const judged = readData('verdict', await log.get(verdict.name))
  if (judged === null) return null
  const { release, grounding } = judged
  if (release !== null) return release.ground
  const found = grounding === null ? undefined : await log.get(grounding)
  return readData('grounding', found)?.ground ?? null
}

// A verdict for people: yes or no, every reason with how to recover, and what to write where
// something is not known.

interface ShownVerdict {
  readonly verdict: Verdict
  readonly agent: string
  readonly tool: string
  /** Of the tool, where the catalog is known. */
  readonly safetyClass: string | null
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

function allowLines({ verdict, tool, agent, safetyClass, hints }: ShownVerdict): readonly Line[] {
  const { terms, confirmedBy, grants = [], constraints = {} } = verdict
  return [
    toned('good', `ALLOW  ${tool} for ${agent}`),
    ...(terms?.chain === undefined ? [] : [`  ${actingText(terms.chain)}`]),
    ...(confirmedBy.length === 0 ? [] : [`  approved by ${confirmedBy.join(', ')}`]),
    ...grants.map((grant) => `  ${restsOnText(grant)}`),
    ...(terms === null ? [] : [`  once, until ${utc(terms.useBy)}`]),
    ...boundTexts(terms?.constraints ?? {}, safetyClass).map((line) => `  ${line}`),
    ...boundTexts(constraints, safetyClass, 'its call would be bound to').map(
      (line) => `  ${line}`,
    ),
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
    ...reported.map((line) => `  ${asCalled(line)}`),
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
  return [...lines, `  Then: ${hints(`apply ${seedFolder}`)}`, '  and ask again.', '']
}

const reasonLacked =
  '  only a reason is missing: the same `ask` with --justification takes its place, and asks no one'

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
    ...(waits.reason ? [reasonLacked] : []),
    `  see it      ${hints('reviews')}`,
    `  answer it   ${hints(approving(intent, waits.reason))}`,
    `              ${hints(`decline ${short}`)}`,
    ...tail,
  ]
}
