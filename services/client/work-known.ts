// What a client that reads the log knows of contracts. It is apart from what opens and claims them,
// which is loaded by the first program that does.
import { hasRules, newestRules } from '#rules/catalog/rules-version'
import { claimable, openable } from '#state/slices/work/evolving'
import type { Runtime } from '#runtime/engine/runtime'
import type { WorkMessage } from '#work/contracts/work-messages'

/** What a client that reads the log knows of contracts. */
export interface WorkKnown {
  /** Resolves when all that the log has by now is known. */
  caughtUp(): Promise<void>
  /** Why a contract in this message would count for nothing; null where it would count. */
  contractProblem(message: WorkMessage): string | null
  claimProblem(message: WorkMessage): string | null
  /** The name of the message of an open contract; null where none has that address. */
  nameOf(address: string): string | null
}

/** As the fold of that runtime has it. */
export function workKnownTo({ follower, clock, log }: Reading): WorkKnown {
  const { state } = follower
  const stale = (): string | null => {
    const { catalog } = state
    if (hasRules(catalog, 'contracts')) return null
    return `no contract opens under rules ${catalog.rules}: set \`rules\` to ${newestRules}`
  }
  return {
    async caughtUp() {
      const { position } = await log.head()
      await follower.reached(position)
    },
    contractProblem(message) {
      const opened = openable(state, message)
      return stale() ?? (typeof opened === 'string' ? opened : null)
    },
    claimProblem(message) {
      const claimed = claimable(state, message, clock.now())
      return stale() ?? (typeof claimed === 'string' ? claimed : null)
    },
    nameOf: (address) => state.contracts.get(address)?.name ?? null,
  }
}

type Reading = Pick<Runtime, 'follower' | 'clock' | 'log'>
