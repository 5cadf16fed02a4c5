// What changes of a value, member by member: what was there, and what is there then.
import { auditLabels } from '#present/auditing/audit-labels'
import { Hostile } from './hostile.tsx'

const words = auditLabels.compare

interface MemberShown {
  /** Where in it; empty for all of it. */
  readonly at: string
  /** Null where it was not there. */
  readonly before: string | null
  readonly now: string | null
}

export function MemberChanges({ members }: { readonly members: readonly MemberShown[] }) {
  return (
    <dl class="members">
      {members.map(({ at, before, now }) => (
        <div class="member tight below">
          {at !== '' && <Hostile in="dt" text={at} max={200} isBrief />}
          {before !== null && (
            <dd class="value">
              <del aria-label={words.before}>
                <Hostile text={before} max={600} />
              </del>
            </dd>
          )}
          {now !== null && (
            <dd class="value">
              <ins aria-label={words.now}>
                <Hostile text={now} max={600} />
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
