// Being away: naming who answers meanwhile, being back, and for whom one answers oneself.
import { useSignal } from '@preact/signals'
import { awayText, besideLabels, standingInText } from '#present/console/beside-words'
import type { AbsenceAnswer } from '#schemas/console/people-said'
import { DaysField, NoteField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { canSignHere, signAct, signer } from '../operating/acts.ts'
import { useReading } from '../operating/reading.ts'
import { announce } from '../shell/announcer.tsx'
import { serverNow } from '../shell/clock.ts'
import { askServer, codeOf } from '../shell/requests.ts'

const words = besideLabels.away
const dayMs = 86_400_000

interface Saying {
  /** Null, as the end is, for one who is back. */
  readonly deputy: string | null
  readonly until: string | null
  readonly note: string
}

export function Away() {
  const reading = useReading('absence', () => askServer('absence', '/absence'))
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const say = async (saying: Saying): Promise<void> => {
    isBusy.value = true
    problem.value = null
    try {
      await said(saying)
      announce(saying.deputy === null ? words.isBack : words.done)
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
      await reading.again()
    }
  }
  const absence = reading.value
  return (
    <section class="framed panel" aria-labelledby="away">
      <h2 id="away">{words.title}</h2>
      <p class="quiet">{words.lead}</p>
      {problem.value !== null && <Failed code={problem.value} />}
      {reading.problem !== null && <Failed code={reading.problem} />}
      {absence !== null && <StandingIn absence={absence} />}
      {absence !== null && !canSignHere() && (
        <Notice tone="warm">{besideLabels.browser.noPasskey}</Notice>
      )}
      {absence !== null && canSignHere() && (
        <Own absence={absence} isBusy={isBusy.value} say={say} />
      )}
    </section>
  )
}

function StandingIn({ absence }: { readonly absence: AbsenceAnswer }) {
  return (
    <>
      {absence.standsIn.map(({ for: person, until, note }) => (
        <p>
          <Hostile text={standingInText(person)} max={300} /> <MomentShown at={until} />
          {note !== null && (
            <span class="quiet">
              {' '}
              <Hostile text={note} max={600} />
            </span>
          )}
        </p>
      ))}
    </>
  )
}

interface OwnProps {
  readonly absence: AbsenceAnswer
  readonly isBusy: boolean
  readonly say: (saying: Saying) => Promise<void>
}

function Own({ absence: { own, fellows }, isBusy, say }: OwnProps) {
  if (own === null) return <Leaving fellows={fellows} isBusy={isBusy} say={say} />
  return (
    <>
      <Notice tone="warm">
        <p>
          <Hostile text={awayText(own.deputy)} max={300} /> <MomentShown at={own.until} />
        </p>
      </Notice>
      <button
        type="button"
        class="button button-main"
        disabled={isBusy}
        onClick={() => void say({ deputy: null, until: null, note: '' })}
      >
        {isBusy ? words.signing : words.back}
      </button>
    </>
  )
}

interface LeavingProps extends Pick<OwnProps, 'isBusy' | 'say'> {
  readonly fellows: readonly string[]
}

function Leaving({ fellows, isBusy, say }: LeavingProps) {
  const deputy = useSignal('')
  const days = useSignal(7)
  const note = useSignal('')
  const submit = (event: Event): void => {
    event.preventDefault()
    const until = new Date(serverNow() + days.value * dayMs).toISOString()
    void say({ deputy: deputy.value.trim(), until, note: note.value.trim() })
  }
  return (
    <form onSubmit={submit}>
      <label class="field">
        <span>{words.deputy}</span>
        <input
          required
          maxLength={256}
          list="fellows"
          autoComplete="off"
          value={deputy.value}
          onInput={(event) => (deputy.value = event.currentTarget.value)}
        />
      </label>
      <datalist id="fellows">
        {fellows.map((id) => (
          <option value={id}>{id}</option>
        ))}
      </datalist>
      <DaysField
        label={words.span}
        offered={words.days}
        days={days.value}
        onChange={(count) => (days.value = count)}
      />
      <NoteField label={words.note} note={note.value} onInput={(text) => (note.value = text)} />
      <button type="submit" class="button button-main" disabled={isBusy}>
        {isBusy ? words.signing : words.sign}
      </button>
    </form>
  )
}

async function said({ deputy, until, note }: Saying): Promise<void> {
  const body = { deputy, until, ...(note !== '' && { note }) }
  await signAct({
    kind: 'absence',
    prepare: () => askServer('absencePrepare', '/absence/prepare', { body }),
    content: () => ({ ...body, confirmer: signer() }),
    ofLog: [],
    submit: (signed) =>
      askServer('absenceSubmit', '/absence/submit', { body: { ...body, signed } }),
  })
}
