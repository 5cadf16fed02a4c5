// Who there is by the catalog: agents with their owners first, then people; and suspending or
// resuming one, signed.
import { useSignal } from '@preact/signals'
import { workLabels } from '#present/console/overseeing/work-labels'
import { standingLabels } from '#present/work/standing-labels'
import type { CatalogShown } from '#schemas/console/reading'
import { Button } from '../drawing/button.tsx'
import { SearchField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { askServer } from '../shell/requests.ts'
import { hasRight, person } from '../shell/session.ts'
import { linkToStanding } from '../standings/links.ts'
import { withNote, signAct, signerShown } from './acts.ts'
import { useReading, Read } from './room.tsx'
import { SignSheet } from './sign-sheet.tsx'

type Principal = CatalogShown['catalog']['principals'][number]

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
            <ListOfRows {...words} rows={shown}>
              {(principal) => (
                <PrincipalRow
                  key={principal.id}
                  principal={principal}
                  hasStanding={principal.owner !== undefined && catalog.work !== undefined}
                  onAct={() => (acting.value = principal)}
                />
              )}
            </ListOfRows>
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
  return (
    <li class={suspended ? 'framed marked row marked-warm' : 'framed marked row'}>
      <div class="ends">
        <div class="grow">
          <p>
            <Hostile in="span" class="row-title" text={id} max={80} isBrief />{' '}
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
        {hasRight('operator') && id !== person.value?.id && (
          <Button
            is="small"
            label={suspended ? words.resume : words.suspend}
            of={id}
            onPress={onAct}
          />
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
  const op = suspended ? 'unsuspend' : 'suspend'
  const suspends = owner === undefined ? words.suspendPersonLead : words.suspendLead
  const name = suspended ? words.resume : words.suspend
  const content = (note: string) => ({
    ...withNote(note),
    by: signerShown(),
    operations: [{ op, id }],
  })
  const act = (note: string) =>
    signAct(op, {
      kind: 'catalog',
      path: `/agents/{agent}/${op}`,
      in: { agent: id },
      body: withNote(note),
      content: content(note),
      ofLog: ['revision'],
    })
  return (
    <SignSheet
      title={`${name} ${id}`}
      lead={suspended ? words.resumeLead : suspends}
      sign={name}
      isGrave={!suspended}
      done={suspended ? words.done.resume : words.done.suspend}
      content={content}
      act={act}
      onClose={onClose}
    />
  )
}
