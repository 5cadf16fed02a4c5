// GrantsView by the catalog and the log of now, those in force first, and taking one back, signed.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { grantLines } from '#present/story/grant'
import type { GrantRow as Listed } from '#schemas/operations/grants'
import { Button } from '../drawing/button.tsx'
import { CodeText, Details } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { Ways } from '../drawing/ways.tsx'
import { withNote, signAct, signerShown } from '../operating/acts.ts'
import { useReading, Read } from '../operating/room.tsx'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'

const words = authorLabels.grants
const tones = {
  open: 'good',
  idle: 'warm',
  used_up: 'calm',
  expired: 'calm',
  revoked: 'bad',
} as const

const all = ['authoring', 'grants']

export function GrantsView() {
  const reading = useReading('grants', () =>
    askServer('grants', '/grants', { query: { all: 'true', limit: '1000' } }),
  )
  const revoking = useSignal<Listed | null>(null)
  const isAll = place.value.query.get('only') === 'all'
  const { value: sheet } = revoking
  return (
    <Read reading={reading}>
      {({ rows, count }) => {
        const shown = rows.filter(({ state }) => isAll || state === 'open' || state === 'idle')
        return (
          <>
            <Ways
              as="bunch filters"
              label={words.filters}
              ways={[
                { label: words.open, to: linkTo(all), isHere: !isAll },
                {
                  label: `${words.all} (${count})`,
                  to: linkTo(all, { only: 'all' }),
                  isHere: isAll,
                },
              ]}
            />
            <ListOfRows {...words} rows={shown}>
              {(each) => (
                <GrantRow key={each.grant} listed={each} onRevoke={() => (revoking.value = each)} />
              )}
            </ListOfRows>
            {sheet !== null && (
              <RevokeSheet
                listed={sheet}
                onClose={() => {
                  revoking.value = null
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

interface GrantRowProps {
  readonly listed: Listed
  readonly onRevoke: () => void
}

function GrantRow({ listed, onRevoke }: GrantRowProps) {
  const { grant: id, terms: grant, state, left } = listed
  const taken = left.reduce((sum, { uses }) => sum + grant.uses - uses, 0)
  const mayRevoke = state === 'open' || state === 'idle'
  return (
    <li class={`framed marked row marked-${tones[state]}`}>
      <p class="ends ends-text">
        <Hostile in="span" class="row-title" text={grant.capability} max={80} isBrief />
        <span class={`state state-${tones[state]}`}>{words.states[state]}</span>
      </p>
      <p>
        <Hostile in="code" text={grant.when} max={300} />
      </p>
      <div class="ends">
        <p class="grow quiet small">
          <Hostile text={grant.agents.join(', ')} max={120} isBrief />
          {` · ${words.by} `}
          <Hostile text={grant.confirmer} max={60} isBrief />
          {` · ${taken} ${words.of} ${grant.uses} ${words.uses} · ${words.until} `}
          <MomentShown at={grant.until} />
        </p>
        {mayRevoke && <Button is="small" label={words.revoke} of={id} onPress={onRevoke} />}
      </div>
      <meter
        class="taken"
        min={0}
        max={grant.uses}
        value={taken}
        aria-label={`${taken} ${words.of} ${grant.uses} ${words.uses}`}
      />
      <Details label={words.text}>
        <CodeText lines={grantLines(id, grant)} />
      </Details>
    </li>
  )
}

interface RevokeSheetProps {
  readonly listed: Listed
  readonly onClose: () => void
}

function RevokeSheet({ listed: { grant: id, name, terms: grant }, onClose }: RevokeSheetProps) {
  const body = (note: string) => ({ target: { grant: name }, ...withNote(note) })
  const content = (note: string) => ({ ...body(note), by: signerShown() })
  const act = (note: string) =>
    signAct('revoke', {
      kind: 'revocation',
      path: '/revocations',
      body: body(note),
      content: content(note),
    })
  return (
    <SignSheet
      title={`${words.revoke} ${grant.capability}`}
      lead={words.revokeLead}
      sign={words.revoke}
      isGrave
      done={words.done}
      content={content}
      act={act}
      onClose={onClose}
    >
      <CodeText lines={grantLines(id, grant)} />
    </SignSheet>
  )
}
