// One contract on the screen: its terms, then each attempt with what every gate found.
import type { GateOutcome } from '#work/verification/gates'
import { endingText, scoreText } from '#present/story/work/contract-story'
import { findingText, gateRow, tailOfGate } from '#present/work/gate-text'
import { jsonText, utc } from '#present/wording'
import type { AttemptShown, ContractShown } from '#client/work/contracts-shown'
import { indentedLines, toned, type Line, type Tone } from '#cli/terminal/line'
import { tableBlocks } from '#cli/terminal/table'
import { contractWaitsText } from './print.ts'

export function linesOfContract(shown: ContractShown): readonly Line[] {
  const { contract, issuer, worker, openedAt, message, task, attempts } = shown
  return [
    stateLine(shown),
    toned('dim', contract),
    `  issuer   ${issuer}`,
    `  worker   ${worker ?? ''}`,
    `  opened   ${utc(openedAt)}`,
    `  message  ${message}`,
    `  terms    ${jsonText(task)}`,
    ...attempts.flatMap((attempt) => ['', ...attemptLines(attempt)]),
  ]
}

function stateLine(shown: ContractShown): Line {
  const { state, waits, until, ended } = shown
  if (state === 'void') return toned('dim', 'counts for nothing')
  if (waits !== null) {
    const when = until === null ? '' : ` until ${utc(until)}`
    return toned('warn', `open, waits for ${contractWaitsText({ waits })}${when}`)
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

function attemptLines({ attempt, claim, claimedAt, completion, found }: AttemptShown) {
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
  const { top, blocks } = tableBlocks(['gate', 'outcome', ''], gates.map(gateRow))
  const rows = blocks.flatMap((block, index) => {
    return block.map((line) => toned(tones[gates[index]?.outcome ?? 'skipped'], line))
  })
  return [
    ...lines,
    `  found    ${utc(foundAt)}  ${fact}`,
    ...(work === null ? [] : [`  work     ${work.digest}`]),
    ...sources.map((source) => `  cites    ${source}`),
    ...(gates.length === 0 ? [] : indentedLines([...top, ...rows])),
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
