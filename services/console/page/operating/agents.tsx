// Who there is by the catalog: agents with their owners first, then people; and suspending or
// resuming one, signed.
import { useSignal } from '@preact/signals'
import { workLabels } from '#present/console/overseeing/work-labels'
import { standingLabels } from '#present/work/standing-labels'
import type { CatalogShown } from '#schemas/console/reading'
import { Hostile } from '../drawing/hostile.tsx'
import { Empty } from '../drawing/notice.tsx'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import { linkToStanding } from '../standings/links.ts'
import { SearchField } from '../shell/search-field.tsx'
import { signAct, signer } from './acts.ts'
import { useReading } from './reading.ts'
import { Read } from './room.tsx'
import { SignSheet } from './sign-sheet.tsx'

type Principal = CatalogShown['catalog']['principals'][number]
type Op = 'suspend' | 'unsuspend'

const words = workLabels.agents

export function Agents() {
  const reading = useReading('catalog', () => askServer('catalog', '/catalog'))
  const wanted = useSignal('')
  const acting = useSignal<Principal | null>(null)
  const { value: sheet } = acting
  return (
    <Read reading={reading}>
      {({ catalog }) => {
        const shown = sorted(catalog.principals, wanted.value)
        return (
          <>
            <SearchField label={words.filter} typed={wanted} />
            {shown.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
            <ul class="stack">
              {shown.map((principal) => (
                <PrincipalRow
                  key={principal.id}
                  principal={principal}
                  hasStanding={principal.owner !== undefined && catalog.work !== undefined}
                  onAct={() => (acting.value = principal)}
                />
              ))}
            </ul>
            {sheet !== null && (
              <SuspendSheet
                principal={sheet}
                onClose={() => {
                  acting.value = null
                  void reading.again()
                }}
              />
            )}
          </>
        )
      }}
    </Read>
  )
}

/** Agents before people, each by name. */
function sorted(principals: readonly Principal[], wanted: string): readonly Principal[] {
  const meant = wanted.trim().toLowerCase()
  const isMeant = ({ id, owner = '' }: Principal): boolean => {
    return id.toLowerCase().includes(meant) || owner.toLowerCase().includes(meant)
  }
  const rank = ({ owner }: Principal): number => (owner === undefined ? 1 : 0)
  return principals
    .filter(isMeant)
    .toSorted((one, other) => rank(one) - rank(other) || (one.id < other.id ? -1 : 1))
}

interface PrincipalRowProps {
  readonly principal: Principal
  readonly hasStanding: boolean
  readonly onAct: () => void
}

function PrincipalRow({ principal, hasStanding, onAct }: PrincipalRowProps) {
  const { id, owner, roles, suspended } = principal
  const isOperator = person.value?.rights.includes('operator') === true
  return (
    <li class={suspended ? 'framed marked row marked-warm' : 'framed marked row'}>
      <div class="ends">
        <div class="grow">
          <p>
            <span class="row-title">
              <Hostile text={id} max={80} isBrief />
            </span>{' '}
            {suspended && <span class="state state-warm">{words.suspended}</span>}
          </p>
          <p class="row-text quiet">
            {owner !== undefined && (
              <>
                {words.owner} <Hostile text={owner} max={60} isBrief />
              </>
            )}
            {owner !== undefined && roles.length > 0 && ' · '}
            {roles.length > 0 && <Hostile text={roles.join(', ')} max={120} isBrief />}
            {hasStanding && (
              <>
                {' · '}
                <a href={linkToStanding(id)}>
                  {standingLabels.ofAgent}
                  <span class="unseen"> {id}</span>
                </a>
              </>
            )}
          </p>
        </div>
        {isOperator && id !== person.value?.id && (
          <button type="button" class="button button-small" onClick={onAct}>
            {suspended ? words.resume : words.suspend}
            <span class="unseen"> {id}</span>
          </button>
        )}
      </div>
    </li>
  )
}

interface SuspendSheetProps {
  readonly principal: Principal
  readonly onClose: () => void
}

function SuspendSheet({ principal, onClose }: SuspendSheetProps) {
  const { id, owner, suspended } = principal
  const op: Op = suspended ? 'unsuspend' : 'suspend'
  const suspends = owner === undefined ? words.suspendPersonLead : words.suspendLead
  const name = suspended ? words.resume : words.suspend
  const content = (note: string) => ({
    by: person.value?.id ?? '',
    operations: [{ op, id }],
    ...(note !== '' && { note }),
  })
  return (
    <SignSheet
      title={`${name} ${id}`}
      lead={suspended ? words.resumeLead : suspends}
      sign={name}
      isGrave={!suspended}
      done={suspended ? words.done.resume : words.done.suspend}
      content={content}
      act={(note) => suspendHere(op, { id, note })}
      onClose={onClose}
    />
  )
}

function suspendHere(op: Op, { id, note }: { readonly id: string; readonly note: string }) {
  const body = note === '' ? {} : { note }
  const at = { in: { agent: id } }
  const isSuspending = op === 'suspend'
  return signAct({
    kind: 'catalog',
    ofLog: ['revision'],
    content: () => ({ ...body, by: signer(), operations: [{ op, id }] }),
    prepare: () =>
      isSuspending
        ? askServer('suspendPrepare', '/agents/{agent}/suspend/prepare', { ...at, body })
        : askServer('unsuspendPrepare', '/agents/{agent}/unsuspend/prepare', { ...at, body }),
    submit: (signed) =>
      isSuspending
        ? askServer('suspendSubmit', '/agents/{agent}/suspend/submit', {
            ...at,
            body: { ...body, signed },
          })
        : askServer('unsuspendSubmit', '/agents/{agent}/unsuspend/submit', {
            ...at,
            body: { ...body, signed },
          }),
  })
}
