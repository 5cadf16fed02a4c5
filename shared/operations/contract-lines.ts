// One contract on a screen: its terms, then each attempt with what every gate found.
import type { GateOutcome } from '#work/verification/gates'
import { indentedLines, toned, type Line, type OnScreen, type Tone } from '#present/lines'
import { endingText, scoreText } from '#present/story/contract-story'
import { findingText, gateRow, tailOfGate } from '#present/work/gate-text'
import { jsonText, utc } from '#present/wording'
import type { AttemptShown, ContractShown, ContractAwaits } from '#schemas/operations/contracts'

const waitsTexts: Readonly<Record<ContractAwaits, string>> = {
  claim: 'a claim',
  verifier: 'a verifier',
  verification: 'what a verifier finds',
}

export function contractWaitsText(waits: ContractAwaits): string {
  return waitsTexts[waits]
}

export function contractOnScreen(shown: ContractShown): readonly OnScreen[] {
  const { contract, issuer, worker, openedAt, message, terms, attempts } = shown
  return [
    stateLine(shown),
    toned('dim', contract),
    `  issuer   ${issuer}`,
    `  worker   ${worker ?? ''}`,
    `  opened   ${utc(openedAt)}`,
    `  message  ${message}`,
    `  terms    ${jsonText(terms)}`,
    ...attempts.flatMap((attempt) => ['', ...attemptLines(attempt)]),
  ]
}

function stateLine({ state, waits, until, ended }: ContractShown): Line {
  if (state === 'void') return toned('dim', 'counts for nothing')
  if (waits !== null) {
    const when = until === null ? '' : ` until ${utc(until)}`
    return toned('warn', `open, waits for ${contractWaitsText(waits)}${when}`)
  }
  if (ended === null) return toned('dim', 'ended')
  const tone = ended.how === 'verified' ? 'good' : 'plain'
  return toned(tone, `ended: ${endingText(ended)}, ${scoreText(ended)}`)
}

const tones: Readonly<Record<GateOutcome, Tone>> = {
  pass: 'good',
  fail: 'bad',
  skipped: 'dim',
  inconclusive: 'warn',
  error: 'warn',
}

function attemptLines(one: AttemptShown): readonly OnScreen[] {
  const { attempt, claim, claimedAt, completion, found } = one
  const which = `attempt ${attempt}`
  if (claim === null) return [toned('strong', `${which}: no claim came in time`)]
  const result = found === null ? 'no verifier has ended' : found.verification
  const lines: Line[] = [
    toned('strong', `${which}: ${result}`),
    `  claimed  ${claimedAt === null ? '' : utc(claimedAt)}  ${claim}`,
    `  report   ${jsonText(completion)}`,
  ]
  if (found === null) return lines
  const { gates, foundAt, fact, work, sources } = found
  const rows = gates.map((gate) => ({ cells: gateRow(gate), tone: tones[gate.outcome] }))
  return [
    ...lines,
    `  found    ${utc(foundAt)}  ${fact}`,
    ...(work === null ? [] : [`  work     ${work.digest}`]),
    ...sources.map((source) => `  cites    ${source}`),
    ...(rows.length === 0 ? [] : [{ head: ['gate', 'outcome', ''], rows, indent: 2 }]),
    ...gates.flatMap(detailsOf),
  ]
}

function detailsOf(gate: NonNullable<AttemptShown['found']>['gates'][number]): readonly Line[] {
  const found = gate.findings.map((one) => toned('bad', findingText(one)))
  const warned = gate.warnings.map((one) => toned('warn', findingText(one)))
  const evidence = Object.entries(gate.evidence).flatMap(([name, value]) => {
    return tailed.has(name) ? [] : [`${name}: ${jsonText(value)}`]
  })
  const lines = [...found, ...warned, ...evidence, ...tailOfGate(gate)]
  return lines.length === 0 ? [] : indentedLines([`${gate.gate}:`, ...indentedLines(lines)])
}

const tailed: ReadonlySet<string> = new Set(['stdout', 'stderr'])
