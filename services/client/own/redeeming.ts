// How a guard redeems a warrant where only the agent's own can be read: once, by the name that the
// server binds once. That its agent was suspended since, or the warrant revoked, it cannot know.
import { randomUUID } from 'node:crypto'
import type { OwnLog } from '#log/jetstream/own-log'
import { isOutOfTime } from '#messages/executions/start-refusal'
import { Fault } from '#record/fault'
import { eraOf } from '#record/names'
import type { OwnEras } from './eras.ts'
import { refusalOf, type Redeeming } from '../guard/redeeming.ts'
import { refuseLate } from '#replay/verdicts/timely'
import type { IntentLog } from '../intent-log.ts'
import { ownWord } from '../publishing.ts'

interface OwnParts {
  readonly log: Pick<OwnLog, 'bound'>
  readonly eras: OwnEras
  readonly clock: IntentLog['clock']
}

export function ownRedeeming({ log, eras, clock }: OwnParts): Redeeming {
  const by = { clock, basis: () => eras.position }
  // No one else writes the same bytes, so what is found under the name shows whose it is.
  const sourceOf = (address: string) => `agent/${address.split('.')[0] ?? ''}/${randomUUID()}`
  return {
    // When the basis was appended, and what the verdict follows from, only its readers know.
    prove: async (verdict) => refuseLate(verdict, null),
    // Who is suspended and what was revoked, only readers of the log know.
    refusal(verdict, startedAt) {
      const { terms, origin } = verdict
      const useBy = Date.parse(terms?.useBy ?? '')
      const isLate = isOutOfTime({ useBy, decidedAt: origin.appendedAt, startedAt })
      return isLate ? refusalOf('warrant_expired', verdict) : null
    },
    async start({ intent, name: verdict }) {
      const source = sourceOf(intent)
      const said = ownWord(by, 'ownstart', intent, { data: { verdict }, source })
      const bound = await eras.bind(said)
      // An era later another guard may have been first: it is used in the verdict's era or never.
      if (eraOf(bound.name) !== eraOf(verdict)) {
        const message = `the era of the warrant of \`${intent}\` is sealed: ask again`
        throw new Fault('era_sealed', message, { retry: 'never' })
      }
      if (!bound.appended) return { appended: false, appendedAt: 0 }
      const { appendedAt } = await log.bound(bound.name)
      return { appended: true, appendedAt }
    },
    async end({ intent }, outcome) {
      const source = sourceOf(intent)
      const said = ownWord(by, 'ownoutcome', intent, { data: outcome, source })
      return (await eras.bind(said)).appended
    },
  }
}
