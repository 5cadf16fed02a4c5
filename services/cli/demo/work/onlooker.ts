// What an onlooker of the work demo reads from its log: what was found of each attempt, and what
// the standing of a worker came to.
import type { GateResult } from '#work/verification/gates'
import { earnedLevel } from '#work/contracts/standings'
import { readData } from '#record/event'
import { nameOf, token } from '#record/names'
import type { Runtime } from '#runtime/engine/runtime'
import type { VerificationData } from '#schemas/work/facts'
import type { Verified, WorkStage } from '#demo/work-player'
import type { FoundWork } from '#demo/work-task'

const waitMs = 120_000

export function onlooker({
  follower,
  log,
  place,
  timer,
}: Runtime): Pick<WorkStage, 'lookedAt' | 'standing' | 'verified'> {
  return {
    async lookedAt(claim, contract, attempt) {
      await follower.reached(claim.position)
      const isLookedAt = (): boolean => {
        return (follower.state.contracts.get(contract)?.past.length ?? attempt) >= attempt
      }
      await follower.until(isLookedAt, timer, waitMs)
    },
    async verified(contract, attempt) {
      const name = nameOf(place, 'verification', contract, attempt)
      const data = readData('verification', await log.get(name))
      return data === null ? null : verifiedBy(data)
    },
    standing(agent) {
      const { catalog, standings } = follower.state
      return earnedLevel(catalog, standings.get(token(agent)))
    },
  }
}

function verifiedBy(data: VerificationData): Verified {
  const { ended } = data
  const found = foundOf(data)
  if (ended === null) return { found, ended }
  const { rule, standing } = ended
  return { found, ended: { rule, score: 'alpha' in standing ? ended.score : null } }
}

/** What gates found, to be compared with what is expected. */
export function foundOf(of: {
  readonly verification: FoundWork['verification']
  readonly gates: readonly (Pick<GateResult, 'gate' | 'outcome'> & {
    readonly code?: string | undefined
    readonly findings: readonly { readonly code: string }[]
  })[]
}): FoundWork {
  const { verification, gates } = of
  const failed = gates.find(({ outcome }) => outcome === 'fail')
  if (failed === undefined) return { verification }
  const why = failed.code ?? failed.findings[0]?.code ?? ''
  return { verification, gate: failed.gate, why }
}
