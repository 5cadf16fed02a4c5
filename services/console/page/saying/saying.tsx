// What a person may say beside their answers, on the page about themselves.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { awayText, besideLabels, standingInText } from '#present/console/beside-words'
import type { AbsenceAnswer, BrowsersAnswer } from '#schemas/console/people-said'
import type { JsonMap } from '#record/canonical'
import { hasRight } from '../shell/session.ts'
import { Button } from '../drawing/button.tsx'
import { Form, DaysField, NoteField, TextField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { canSignHere, withNote, signAct, signer } from '../operating/acts.ts'
import { useReading } from '../operating/room.tsx'
import { announce } from '../shell/announcer.tsx'
import { serverNow } from '../shell/clock.ts'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import {
  canMakeKeys,
  forgetBrowserKey,
  keepBrowserKey,
  keptBrowserKey,
  makeBrowserKey,
} from '../signing/browser-key.ts'

export function Saying() {
  // Who is never asked has no answers to give.
  if (!hasRight('confirmer')) return null
  return (
    <>
      <ThisBrowser />
      <Away />
    </>
  )
}

// Being away: naming who answers meanwhile, being back, and for whom one answers oneself.

const away = besideLabels.away
const dayMs = 86_400_000

interface Saying {
  /** Null, as the end is, for one who is back. */
  readonly deputy: string | null
  readonly until: string | null
  readonly note: string
}

function Away() {
  const reading = useReading('absence', () => askServer('absence', '/absence'))
  const { isBusy, problem, run } = useDoing()
  const say = async (saying: Saying): Promise<void> => {
    await run(() => said(saying))
    await reading.again()
  }
  const absence = reading.value
  return (
    <section class="framed panel" aria-labelledby="away">
      <h2 id="away">{away.title}</h2>
      <p class="quiet">{away.lead}</p>
      {problem !== null && <Failed code={problem} />}
      {reading.problem !== null && <Failed code={reading.problem} />}
      {absence !== null && <StandingIn absence={absence} />}
      {absence !== null && !canSignHere() && (
        <Notice tone="warm">{besideLabels.browser.noPasskey}</Notice>
      )}
      {absence !== null && canSignHere() && <Own absence={absence} isBusy={isBusy} say={say} />}
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

function Own(props: OwnProps) {
  const { absence, isBusy, say } = props
  const { own } = absence
  if (own === null) return <Leaving {...props} />
  return (
    <>
      <Notice tone="warm">
        <Hostile in="p" text={awayText(own.deputy)} max={300} /> <MomentShown at={own.until} />
      </Notice>
      <Button
        is="main"
        label={isBusy ? away.signing : away.back}
        isOff={isBusy}
        onPress={() => void say({ deputy: null, until: null, note: '' })}
      />
    </>
  )
}

function Leaving({ absence, isBusy, say }: OwnProps) {
  const deputy = useSignal('')
  const days = useSignal(7)
  const note = useSignal('')
  const leave = (): void => {
    const until = new Date(serverNow() + days.value * dayMs).toISOString()
    void say({ deputy: deputy.value.trim(), until, note: note.value.trim() })
  }
  return (
    <Form onSend={leave}>
      <TextField label={away.deputy} typed={deputy} maxLength={256} list="fellows" required />
      <datalist id="fellows">
        {absence.fellows.map((id) => (
          <option value={id}>{id}</option>
        ))}
      </datalist>
      <DaysField label={away.span} offered={away.days} days={days} />
      <NoteField label={away.note} typed={note} />
      <Button is="main" label={isBusy ? away.signing : away.sign} isOff={isBusy} />
    </Form>
  )
}

async function said({ deputy, until, note }: Saying): Promise<void> {
  const body = { deputy, until, ...withNote(note) }
  const content = { ...body, confirmer: signer() }
  await signAct('absence', { kind: 'absence', path: '/absence', body, content })
  announce(deputy === null ? away.isBack : away.done)
}

// The keys of browsers that sign for the person: what there are, making one here, and ending one.

const browser = besideLabels.browser
/** It may end at most seven days after the log has it, and clocks differ. */
const slackMs = 60_000

interface Here {
  /** Null until it is known. */
  readonly canMake: Signal<boolean | null>
  /** The public half of what is kept here; null where nothing is. */
  readonly kept: Signal<string | null>
}

async function lookHere({ canMake, kept }: Here): Promise<void> {
  canMake.value = await canMakeKeys()
  kept.value = (await keptBrowserKey(signer()))?.publicKey ?? null
}

function ThisBrowser() {
  const reading = useReading('browsers', () => askServer('browsers', '/browsers'))
  const here: Here = {
    canMake: useSignal<boolean | null>(null),
    kept: useSignal<string | null>(null),
  }
  useEffect(() => void lookHere(here), [])
  const { isBusy, problem, run } = useDoing()
  const act = async (what: () => Promise<string>): Promise<void> => {
    await run(async () => announce(await what()))
    await Promise.all([lookHere(here), reading.again()])
  }
  const { value: kept } = here.kept
  const { value: canMake } = here.canMake
  const browsers = reading.value?.browsers ?? null
  const isGone = kept !== null && browsers !== null && !browsers.some(({ key }) => key === kept)
  return (
    <section class="framed panel" aria-labelledby="this-browser">
      <h2 id="this-browser">{browser.title}</h2>
      <p class="quiet">{browser.lead}</p>
      {problem !== null && <Failed code={problem} />}
      {reading.problem !== null && <Failed code={reading.problem} />}
      {isGone && <Notice tone="warm">{browser.gone}</Notice>}
      {isGone && <Button label={browser.forget} onPress={() => void forgotten(here)} />}
      {browsers !== null && (
        <Browsers
          browsers={browsers}
          kept={kept}
          onEnd={(key) => void act(() => ended(key, kept))}
        />
      )}
      {canMake === false && <Notice tone="warm">{browser.without}</Notice>}
      {canMake === true && (kept === null || isGone) && (
        <Making isBusy={isBusy} onMake={(wanted) => void act(() => enrolled(wanted))} />
      )}
    </section>
  )
}

async function forgotten(here: Here): Promise<void> {
  await forgetBrowserKey(signer())
  await lookHere(here)
}

interface BrowsersProps {
  readonly browsers: BrowsersAnswer['browsers']
  readonly kept: string | null
  readonly onEnd: (key: string) => void
}

function Browsers({ browsers, kept, onEnd }: BrowsersProps) {
  if (browsers.length === 0) return <p>{browser.none}</p>
  return (
    <>
      <ul class="stack">
        {browsers.map(({ key, label, until, enrolledAt }) => (
          <li>
            <Hostile in="strong" text={label ?? browser.unnamed} max={64} isBrief />
            {key === kept && <span class="tag">{browser.here}</span>}{' '}
            <span class="quiet small">
              {browser.since} <MomentShown at={enrolledAt} /> {browser.until}{' '}
              <MomentShown at={until} />
            </span>{' '}
            <Button
              is="text"
              label={browser.end}
              of={label ?? browser.unnamed}
              onPress={() => onEnd(key)}
            />
          </li>
        ))}
      </ul>
      <p class="quiet small">{browser.endLead}</p>
    </>
  )
}

interface Wanted {
  readonly label: string
  readonly forMs: number
}

interface MakingProps {
  readonly isBusy: boolean
  readonly onMake: (wanted: Wanted) => void
}

function Making({ isBusy, onMake }: MakingProps) {
  const label = useSignal('')
  const days = useSignal(7)
  if (!canSignHere()) return <Notice tone="warm">{browser.noPasskey}</Notice>
  const make = () => onMake({ label: label.value.trim(), forMs: days.value * dayMs - slackMs })
  return (
    <Form onSend={make}>
      <TextField label={browser.label} typed={label} maxLength={64} />
      <DaysField label={browser.span} offered={browser.days} days={days} />
      <Button is="main" label={isBusy ? browser.signing : browser.make} isOff={isBusy} />
    </Form>
  )
}

/** Makes one, lets the passkey sign for it, and keeps it once the log has it. */
async function enrolled({ label, forMs }: Wanted): Promise<string> {
  const confirmer = signer()
  const made = await makeBrowserKey(confirmer)
  const until = new Date(serverNow() + forMs).toISOString()
  await signedFor({ key: made.publicKey, until, ...(label !== '' && { label }) })
  await keepBrowserKey(made)
  return browser.made
}

/** Ends it wherever it is, and forgets it where that is here. */
async function ended(key: string, kept: string | null): Promise<string> {
  await signedFor({ key, until: null })
  if (key === kept) await forgetBrowserKey(signer())
  return browser.ended
}

async function signedFor(body: JsonMap): Promise<void> {
  const content = { ...body, confirmer: signer() }
  await signAct('browser', { kind: 'enrolment', path: '/browsers', body, content })
}
