// Lists of contracts, as tables on the screen.
import { utc } from '#present/wording'
import type { ContractEnded, ContractListed } from '#client/work/contracts-shown'
import type { Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'

export function contractsLines(open: readonly ContractListed[]): readonly Line[] {
  if (open.length === 0) return ['no contract is open']
  const head = ['contract', 'task', 'issuer', 'worker', 'attempts', 'waits for', 'until']
  const rows = open.map((one) => {
    const { contract, taskId, issuer, worker, attempts, attemptsMax } = one
    const tries = `${attempts.length} of ${attemptsMax}`
    return [contract, taskId, issuer, worker, tries, contractWaitsText(one), untilText(one)]
  })
  return tableLines(head, rows)
}

export function endedLines(ended: readonly ContractEnded[]): readonly Line[] {
  const head = ['contract', 'task', 'issuer', 'worker', 'attempts', 'ended', 'score', 'at']
  const rows = ended.map(({ contract, taskId, issuer, worker, attempts, ended: by, endedAt }) => {
    const how = [by.how, by.score === null ? '' : String(by.score), utc(endedAt)]
    return [contract, taskId, issuer, worker, String(attempts), ...how]
  })
  return ['', ...tableLines(head, rows)]
}

const waitsTexts = {
  claim: 'a claim',
  verifier: 'a verifier',
  verification: 'what a verifier finds',
} as const

export function contractWaitsText({ waits }: Pick<ContractListed, 'waits'>): string {
  return waitsTexts[waits]
}

function untilText({ until }: Pick<ContractListed, 'until'>): string {
  return until === null ? '' : utc(until)
}
