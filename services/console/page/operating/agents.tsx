// Who there is by the catalog, what stops each, and suspending, resuming
// or unblocking one, signed.
import { useSignal } from '@preact/signals'
import { workLabels } from '#present/console/overseeing/work-labels'
import { standingLabels } from '#present/work/standing-labels'
import type { AgentRow } from '#schemas/operations/agents'
import { Button } from '../drawing/button.tsx'
import { SearchField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { askServer } from '../shell/requests.ts'
import { hasRight, person } from '../shell/session.ts'
import { linkToStanding } from '../standings/links.ts'
import { withNote, signAct, signerShown } from './acts.ts'
import { useOnce, useReading, Read } from './room.tsx'
import { SignSheet } from './sign-sheet.tsx'

const words = workLabels.agents
const stepRows = 100
const rowsMax = 1_000

interface Acting {
  readonly row: AgentRow
  readonly act: 'suspend' | 'unblock'
}

export function Agents() {
  const wanted = useSignal('')
  const limit = useSignal(stepRows)
  const acting = useSignal<Acting | null>(null)
  const search = wanted.value.trim()
  const query = { limit: String(limit.value), ...(search !== '' && { search }) }
  const reading = useReading(JSON.stringify(query), () => askServer('agents', '/agents', { query }))
  const { value: sheet } = acting
  const onClose = (): void => {
    acting.value = null
    void reading.again()
  }
  return (
    <>
      <SearchField label={words.filter} typed={wanted} />
      <Read reading={reading}>
        {({ rows, next }) => (
          <ListOfRows
            {...words}
            rows={rows}
            onMore={next !== null && limit.value < rowsMax ? () => (limit.value += stepRows) : null}
          >
            {(row) => (
              <PrincipalRow
                key={row.agent}
                row={row}
                onAct={(act) => (acting.value = { row, act })}
              />
            )}
          </ListOfRows>
        )}
      </Read>
      {sheet?.act === 'suspend' && <SuspendSheet row={sheet.row} onClose={onClose} />}
      {sheet?.act === 'unblock' && <UnblockSheet row={sheet.row} onClose={onClose} />}
    </>
  )
}

const stopNames = ['suspended', 'blocked', 'moving', 'keyless'] as const

interface PrincipalRowProps {
  readonly row: AgentRow
  readonly onAct: (act: Acting['act']) => void
}

function PrincipalRow({ row, onAct }: PrincipalRowProps) {
  const { agent: id, owner, roles, groups, suspended, level } = row
  const stops = stopNames.filter((name) => row[name])
  const others = [...roles, ...groups].join(', ')
  const isAdmin = hasRight('operator') && id !== person.value?.id
  return (
    <li class={stops.length > 0 ? 'framed marked row marked-warm' : 'framed marked row'}>
      <div class="ends">
        <div class="grow">
          <p>
            <Hostile in="span" class="row-title" text={id} max={80} isBrief />{' '}
            {stops.map((name) => (
              <span class="state state-warm">{words[name]}</span>
            ))}
          </p>
          <p class="row-text quiet">
            {owner !== null && (
              <>
                {words.owner} <Hostile text={owner} max={60} isBrief />
              </>
            )}
            {owner !== null && others !== '' && ' · '}
            {others !== '' && <Hostile text={others} max={120} isBrief />}
            {level !== null && (
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
        {row.blocked && (isAdmin || owner === person.value?.id) && (
          <Button is="small" label={words.unblock} of={id} onPress={() => onAct('unblock')} />
        )}
        {isAdmin && (
          <Button
            is="small"
            label={suspended ? words.resume : words.suspend}
            of={id}
            onPress={() => onAct('suspend')}
          />
        )}
      </div>
    </li>
  )
}

interface SheetProps {
  readonly row: AgentRow
  readonly onClose: () => void
}

function SuspendSheet({ row, onClose }: SheetProps) {
  const { agent: id, owner, suspended } = row
  const op = suspended ? 'unsuspend' : 'suspend'
  const suspends = owner === null ? words.suspendPersonLead : words.suspendLead
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

/** With each block that is lifted: what comes later stops it again. */
function UnblockSheet({ row: { agent }, onClose }: SheetProps) {
  const reading = useOnce(agent, () => askServer('agent', '/agents/{agent}', { in: { agent } }))
  return (
    <Read reading={reading}>
      {({ blocks }) => {
        const through = Math.max(...blocks.map(({ position }) => position))
        const body = (note: string) => ({ through, ...withNote(note) })
        const content = (note: string) => ({ agent, by: signerShown(), ...body(note) })
        return (
          <SignSheet
            title={`${words.unblock} ${agent}`}
            lead={words.unblockLead}
            sign={words.unblock}
            done={words.done.unblock}
            content={content}
            act={(note) =>
              signAct('unblock', {
                kind: 'lift',
                path: '/agents/{agent}/unblock',
                in: { agent },
                body: body(note),
                content: content(note),
              })
            }
            onClose={onClose}
          >
            <ul class="bulleted">
              {blocks.map(({ sender, name }) => (
                <li>
                  {words.blockedBy} <Hostile text={sender} max={80} isBrief />:{' '}
                  <Hostile text={name} max={300} />
                </li>
              ))}
            </ul>
          </SignSheet>
        )
      }}
    </Read>
  )
}
