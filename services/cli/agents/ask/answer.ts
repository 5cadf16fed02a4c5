// What `ask` is given, and how it shows what became of the intent.
import { readFile } from 'node:fs/promises'
import { readData } from '#record/event'
import { seedFileNames } from '#authoring/seed-files'
import { entryLine, type EntrySought } from '#shell/hooks/hook-settings'
import { fixesOf, type Fix } from '#present/fixes'
import { waitsJson } from '#present/story/waits'
import type { Runtime } from '#runtime/engine/runtime'
import type { Ground } from '#schemas/facts'
import type { Verdict } from '#replay/verdicts/verdict'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { seedHere } from '#cli/terminal/opening/seed-here'
import { exitCodes } from '#schemas/faults/exit'
import type { hintsFor } from '#cli/terminal/hint'
import { print, printJson } from '#cli/terminal/terminal'
import type { IntentOptions } from './intent-fields.ts'
import { verdictLines, waitsLines } from './print.ts'
import { remediesOf } from '#present/remedy'
import type { Settled } from './settled.ts'

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
    const remedies =
      runtime === null ? [] : remediesOf(runtime.follower.state.catalog, { ...asked, reasons })
    const seedFolder = seedHere()
    const file = `${seedFolder}/${seedFileNames.catalog}`
    const placeOf = reasons.length === 0 ? () => file : await placesIn(file)
    await print(verdictLines({ ...asked, verdict, fixes, remedies, seedFolder, placeOf }))
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
