// The keys of browsers that sign for the person: what there are, making one here, and ending one.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JsonMap } from '#record/canonical'
import { besideLabels } from '#present/console/beside-words'
import type { BrowsersAnswer } from '#schemas/console/people-said'
import { DaysField } from '../drawing/form-fields.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { canSignHere, signAct, signer } from '../operating/acts.ts'
import { useReading, type Reread } from '../operating/reading.ts'
import { announce } from '../shell/announcer.tsx'
import { serverNow } from '../shell/clock.ts'
import { askServer, codeOf } from '../shell/requests.ts'
import {
  canMakeKeys,
  forgetBrowserKey,
  keepBrowserKey,
  keptBrowserKey,
  makeBrowserKey,
} from '../signing/browser-key.ts'

const words = besideLabels.browser
const dayMs = 86_400_000
/** It may end at most seven days after the log has it, and clocks differ. */
const slackMs = 60_000

interface Here {
  /** Null until it is known. */
  readonly canMake: Signal<boolean | null>
  /** The public half of what is kept here; null where nothing is. */
  readonly kept: Signal<string | null>
  readonly problem: Signal<string | null>
}

async function lookHere({ canMake, kept }: Here): Promise<void> {
  canMake.value = await canMakeKeys()
  kept.value = (await keptBrowserKey(signer()))?.publicKey ?? null
}

export function ThisBrowser() {
  const reading = useReading('browsers', () => askServer('browsers', '/browsers'))
  const here: Here = {
    canMake: useSignal<boolean | null>(null),
    kept: useSignal<string | null>(null),
    problem: useSignal<string | null>(null),
  }
  useEffect(() => void lookHere(here), [])
  const { kept, problem, canMake } = here
  const browsers = reading.value?.browsers ?? []
  const isGone =
    reading.value !== null && kept.value !== null && !browsers.some(({ key }) => key === kept.value)
  return (
    <section class="framed panel" aria-labelledby="this-browser">
      <h2 id="this-browser">{words.title}</h2>
      <p class="quiet">{words.lead}</p>
      {problem.value !== null && <Failed code={problem.value} />}
      {reading.problem !== null && <Failed code={reading.problem} />}
      {isGone && <Notice tone="warm">{words.gone}</Notice>}
      {isGone && (
        <button type="button" class="button" onClick={() => void forgotten(here)}>
          {words.forget}
        </button>
      )}
      {reading.value !== null && (
        <Browsers
          browsers={browsers}
          kept={kept.value}
          onEnd={(key) => void acted(here, reading, () => ended(key, kept.value))}
        />
      )}
      {canMake.value === false && <Notice tone="warm">{words.without}</Notice>}
      {canMake.value === true && (kept.value === null || isGone) && (
        <Making here={here} reading={reading} />
      )}
    </section>
  )
}

async function forgotten(here: Here): Promise<void> {
  await forgetBrowserKey(signer())
  await lookHere(here)
}

async function acted(
  here: Here,
  reading: Reread<BrowsersAnswer>,
  act: () => Promise<string>,
): Promise<void> {
  here.problem.value = null
  try {
    announce(await act())
  } catch (error) {
    here.problem.value = codeOf(error)
  }
  await Promise.all([lookHere(here), reading.again()])
}

interface BrowsersProps {
  readonly browsers: BrowsersAnswer['browsers']
  readonly kept: string | null
  readonly onEnd: (key: string) => void
}

function Browsers({ browsers, kept, onEnd }: BrowsersProps) {
  if (browsers.length === 0) return <p>{words.none}</p>
  return (
    <>
      <ul class="stack">
        {browsers.map(({ key, label, until, enrolledAt }) => (
          <li>
            <strong>
              <Hostile text={label ?? words.unnamed} max={64} isBrief />
            </strong>
            {key === kept && <span class="tag">{words.here}</span>}{' '}
            <span class="quiet small">
              {words.since} <MomentShown at={enrolledAt} /> {words.until} <MomentShown at={until} />
            </span>{' '}
            <button
              type="button"
              class="text-button"
              aria-label={`${words.end}: ${label ?? words.unnamed}`}
              onClick={() => onEnd(key)}
            >
              {words.end}
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet small">{words.endLead}</p>
    </>
  )
}

interface MakingProps {
  readonly here: Here
  readonly reading: Reread<BrowsersAnswer>
}

function Making({ here, reading }: MakingProps) {
  const label = useSignal('')
  const days = useSignal(7)
  const isBusy = useSignal(false)
  if (!canSignHere()) return <Notice tone="warm">{words.noPasskey}</Notice>
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    isBusy.value = true
    const wanted = { label: label.value.trim(), forMs: days.value * dayMs - slackMs }
    await acted(here, reading, () => enrolled(wanted))
    isBusy.value = false
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>{words.label}</span>
        <input
          maxLength={64}
          autoComplete="off"
          value={label.value}
          onInput={(event) => (label.value = event.currentTarget.value)}
        />
      </label>
      <DaysField
        label={words.span}
        offered={words.days}
        days={days.value}
        onChange={(count) => (days.value = count)}
      />
      <button type="submit" class="button button-main" disabled={isBusy.value}>
        {isBusy.value ? words.signing : words.make}
      </button>
    </form>
  )
}

/** Makes one, lets the passkey sign for it, and keeps it once the log has it. */
async function enrolled({
  label,
  forMs,
}: {
  readonly label: string
  readonly forMs: number
}): Promise<string> {
  const confirmer = signer()
  const made = await makeBrowserKey(confirmer)
  const until = new Date(serverNow() + forMs).toISOString()
  await signedFor({ key: made.publicKey, until, ...(label !== '' && { label }) })
  await keepBrowserKey(made)
  return words.made
}

/** Ends it wherever it is, and forgets it where that is here. */
async function ended(key: string, kept: string | null): Promise<string> {
  await signedFor({ key, until: null })
  if (key === kept) await forgetBrowserKey(signer())
  return words.ended
}

async function signedFor(body: JsonMap): Promise<void> {
  await signAct({
    kind: 'enrolment',
    prepare: () => askServer('browserPrepare', '/browsers/prepare', { body }),
    content: () => ({ ...body, confirmer: signer() }),
    ofLog: [],
    submit: (signed) =>
      askServer('browserSubmit', '/browsers/submit', { body: { ...body, signed } }),
  })
}
