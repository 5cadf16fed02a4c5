// The properties among the cases of a folder: what no call may ever come to. Each is checked for
// every kind of call, and where that cannot be done it does not pass.
import type { NeverCase } from '#cases/case-format'
import { outcomeText } from '#cases/check-case'
import type { CasesBase } from '#cases/tried-cases'
import { Fault } from '#record/fault'
import type { Rules } from '#authoring/allowed/guards'
import type { CameTo } from '#replay/what-if/came-to'
import type { TrialJudges, Witness } from '#replay/what-if/let-through'
import { neverProblem, type NeverRule } from '#authoring/allowed/never-rule'
import { neverChecked } from '#replay/what-if/never'
import { textOfLine, toned, type Line } from '#cli/terminal/line'
import { caseText, unclearLines } from '../editing/newly-let.ts'
import { caseFilesIn, readCases } from './case-files.ts'

/** A property that does not hold, or of which that is not decided. */
export interface NotKept {
  readonly name: string
  readonly isBroken: boolean
  readonly came: CameTo | null
  readonly lines: readonly string[]
}

export const neverTried: CasesBase['never'] = async (of, base) => {
  const { catalog, graph, callbacks, module, stages, now } = base
  const rules = { catalog: { ...catalog, callbacks: module }, graph }
  const found = await notKept(of, rules, { stages, callbacks, at: now })
  return { came: found?.came ?? null, differences: found?.lines ?? [] }
}

/** Those of the folder that the rules do not keep; of a folder without tests there are none. */
export async function neversNotKept(
  folder: string,
  rules: Rules,
  judging: TrialJudges,
): Promise<readonly NotKept[]> {
  const found: NotKept[] = []
  for (const { of } of await readCases(await caseFilesIn(folder, []).catch(() => []))) {
    const one = 'never' in of ? await notKept(of, rules, judging) : null
    if (one !== null) found.push(one)
  }
  return found
}

export function notKeptLines(all: readonly NotKept[]): readonly Line[] {
  return all.flatMap(({ name, isBroken, lines }) => [
    toned(isBroken ? 'bad' : 'warn', isBroken ? `✗ never: ${name}` : `? never: ${name}`),
    ...lines.map((line) => `    ${line}`),
  ])
}

/** Throws a Fault where one is broken: that a person agrees to it is not enough. */
export function refuseBroken(all: readonly NotKept[]): void {
  const broken = all.find(({ isBroken }) => isBroken)
  if (broken === undefined) return
  const { name, lines } = broken
  throw new Fault('never_broken', `\`${name}\` does not hold: ${lines.join('; ')}`)
}

async function notKept(
  { name, never }: NeverCase,
  rules: Rules,
  judging: TrialJudges,
): Promise<NotKept | null> {
  const { tool, when, unless } = never
  const approvedBy = unless?.replace(/^approved by /u, '')
  const rule: NeverRule = { tool, when, approvedBy }
  const problem = neverProblem(rules, rule)
  if (problem !== null) throw new Fault('cases_invalid', `\`${name}\`: never: ${problem}`)
  const { broken, cannotTell } = await neverChecked(rules, rule, judging)
  if (broken !== null) {
    const { witness, came } = broken
    const what = `a call is let through: ${outcomeText(came)}`
    return { name, isBroken: true, came, lines: [what, ...witnessCase(witness, name)] }
  }
  if (cannotTell.length === 0) return null
  const lines = unclearLines(cannotTell).map((line) => textOfLine(line).trim())
  return { name, isBroken: false, came: null, lines }
}

/** The call as a case that fails until it is stopped. */
function witnessCase({ agent, request, now }: Witness, name: string): readonly string[] {
  const when = now === undefined ? {} : { now }
  return caseText({ name: `${name}: one such call`, agent, ...when, request, expect: 'deny' })
}
