// GrantsView by the catalog and the log of now, those in force first, and taking one back, signed.
import { useSignal } from '@preact/signals'
import { jsonOf } from '#record/canonical'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { grantLines } from '#present/story/grant'
import type { GrantRow as Listed } from '#schemas/operations/grants'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Empty } from '../drawing/notice.tsx'
import { signAct, signer } from '../operating/acts.ts'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { SignSheet } from '../operating/sign-sheet.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'

const words = authorLabels.grants
const tones = {
  open: 'good',
  idle: 'warm',
  used_up: 'calm',
  expired: 'calm',
  revoked: 'bad',
} as const

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
            <nav class="bunch filters" aria-label={words.filters}>
              <Filter isHere={!isAll} label={words.open} to={linkTo(['authoring', 'grants'])} />
              <Filter
                isHere={isAll}
                label={`${words.all} (${count})`}
                to={linkTo(['authoring', 'grants'], { only: 'all' })}
              />
            </nav>
            {shown.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
            <ul class="stack">
              {shown.map((each) => (
                <GrantRow key={each.grant} listed={each} onRevoke={() => (revoking.value = each)} />
              ))}
            </ul>
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

interface FilterProps {
  readonly isHere: boolean
  readonly label: string
  readonly to: string
}

function Filter({ isHere, label, to }: FilterProps) {
  return (
    <a class="filter" href={to} aria-current={isHere ? 'true' : undefined}>
      {label}
    </a>
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
        <span class="row-title">
          <Hostile text={grant.capability} max={80} isBrief />
        </span>
        <span class={`state state-${tones[state]}`}>{words.states[state]}</span>
      </p>
      <p>
        <code>
          <Hostile text={grant.when} max={300} />
        </code>
      </p>
      <div class="ends">
        <p class="grow quiet small">
          <Hostile text={grant.agents.join(', ')} max={120} isBrief />
          {` · ${words.by} `}
          <Hostile text={grant.confirmer} max={60} isBrief />
          {` · ${taken} ${words.of} ${grant.uses} ${words.uses} · ${words.until} `}
          <MomentShown at={grant.until} />
        </p>
        {mayRevoke && (
          <button type="button" class="button button-small" onClick={onRevoke}>
            {words.revoke}
            <span class="unseen"> {id}</span>
          </button>
        )}
      </div>
      <meter
        class="taken"
        min={0}
        max={grant.uses}
        value={taken}
        aria-label={`${taken} ${words.of} ${grant.uses} ${words.uses}`}
      />
      <details class="details">
        <summary>{words.text}</summary>
        <pre class="code">
          <Hostile text={grantLines(id, grant).join('\n')} max={6_000} />
        </pre>
      </details>
    </li>
  )
}

interface RevokeSheetProps {
  readonly listed: Listed
  readonly onClose: () => void
}

function RevokeSheet({ listed: { grant: id, name, terms: grant }, onClose }: RevokeSheetProps) {
  const target = { grant: name }
  const withNote = (note: string) => (note === '' ? {} : { note })
  return (
    <SignSheet
      title={`${words.revoke} ${grant.capability}`}
      lead={words.revokeLead}
      sign={words.revoke}
      isGrave
      done={words.done}
      content={(note) => ({ by: person.value?.id ?? '', target, ...withNote(note) })}
      act={(note) => {
        const body = { target: jsonOf(target), ...withNote(note) }
        return signAct({
          kind: 'revocation',
          ofLog: [],
          content: () => ({ ...body, by: signer() }),
          prepare: () => askServer('revokePrepare', '/revocations/prepare', { body }),
          submit: (signed) =>
            askServer('revokeSubmit', '/revocations/submit', { body: { ...body, signed } }),
        })
      }}
      onClose={onClose}
    >
      <pre class="code">
        <Hostile text={grantLines(id, grant).join('\n')} max={6_000} />
      </pre>
    </SignSheet>
  )
}
