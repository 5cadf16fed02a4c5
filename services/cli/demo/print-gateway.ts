// What came of the demo's gateway, as a person reads it.
import { tableLines } from '#cli/terminal/table'
import { toned, type Line } from '#cli/terminal/line'
import type { ComparedVerdicts } from './compared-verdicts.ts'
import type { GatewayTally } from './through-gateway.ts'

export interface Governed extends GatewayTally {
  /** With the gateway and without it. */
  readonly verdicts: ComparedVerdicts
}

/** Where it was interrupted not the same calls were played with the gateway and without it. */
export function isSound(governed: Governed, interrupted: boolean): boolean {
  const { right, verdicts, executedTwice, startsWithoutOutcome } = governed
  const isSame = interrupted || verdicts.different === 0
  const isOnce = right.executedOnce === right.allowed && executedTwice === 0
  return isSame && isOnce && startsWithoutOutcome === 0
}

export function gatewayLines(governed: Governed): readonly Line[] {
  const { right, verdicts, executions, executedTwice, startsWithoutOutcome, refused } = governed
  return [
    toned('strong', 'the gateway, with a backend that stands in'),
    ...tableLines(
      ['', 'calls'],
      [
        ['verdicts that are the same without it', String(verdicts.same)],
        ['verdicts that are different', String(verdicts.different)],
        ['executions', String(executions)],
        ['right calls executed exactly once', `${right.executedOnce} of ${right.allowed}`],
        ['executed twice', String(executedTwice)],
        ['presented a second time, refused', String(refused.used)],
        ['presented though not allowed, refused', String(refused.notAllowed)],
        ['starts without an outcome', String(startsWithoutOutcome)],
      ],
    ),
  ]
}
