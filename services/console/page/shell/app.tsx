// The whole page: who is signed in sees the views, anyone else how to sign in.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { isAuditorView, PageFrame } from './frame.tsx'
import { Button } from '../drawing/button.tsx'
import { Radios } from '../drawing/form-fields.tsx'
import { Failed } from '../drawing/notice.tsx'
import { InboxView } from '../confirming/inbox.tsx'
import { Past } from '../confirming/past.tsx'
import { Enrol } from '../joining/enrol.tsx'
import { SignIn } from '../joining/sign-in.tsx'
import { place } from './address.ts'
import { Announcer } from './announcer.tsx'
import { Loaded } from './loaded.tsx'
import { person, readSession, session, sessionProblem, signOut } from './session.ts'
import { theme, themes } from './theme.ts'

export function App() {
  useEffect(() => {
    document.title = [titleOf(place.value.path[0]), labels.product].filter(Boolean).join(' · ')
  }, [place.value])
  return (
    <>
      {session.value?.dev === true && <p class="dev-note">{labels.dev.note}</p>}
      <View />
      <Announcer />
    </>
  )
}

const operating = async () => (await import('../operating/operating.tsx')).Operating

async function auditing() {
  await readWithoutCompiling()
  return (await import('../auditing/views.tsx')).AuditorViews
}

async function authoring() {
  await readWithoutCompiling()
  return (await import('../authoring/authoring.tsx')).Authoring
}

// Before anything is loaded that has a schema; the start page has none.
async function readWithoutCompiling(): Promise<void> {
  const { compileNothing } = await import('./no-compiling.ts')
  compileNothing()
}

function titleOf(view: string | undefined): string {
  if (view === 'past') return labels.views.past
  if (view === 'operating') return labels.views.operating
  if (view === 'authoring') return labels.views.authoring
  if (isAuditorView(view)) return labels.views.log
  return view === 'settings' ? labels.views.settings : labels.views.inbox
}

function View() {
  const [view] = place.value.path
  if (view === 'enrol') return <Enrol />
  if (session.value === null) {
    const code = sessionProblem.value
    if (code === null) return <p class="loading">{labels.loading}</p>
    return (
      <main class="alone">
        <h1>{labels.product}</h1>
        <Failed code={code} onRetry={() => void readSession()} />
      </main>
    )
  }
  if (person.value === null) return <SignIn session={session.value} />
  return <PageFrame>{inside(view)}</PageFrame>
}

function inside(view: string | undefined): ComponentChildren {
  if (isAuditorView(view)) return <Loaded key="auditing" load={auditing} />
  if (view === 'past') return <Past />
  if (view === 'settings') return <YourSettings />
  if (view === 'operating') return <Loaded key={view} load={operating} />
  if (view === 'authoring') return <Loaded key={view} load={authoring} />
  return <InboxView />
}

// What is about the person and this browser: who they are here, appearance, and the way out.

const saying = async () => (await import('../saying/saying.tsx')).Saying
const notifications = async () => (await import('../attending/notifications.tsx')).Notifications

function YourSettings() {
  const who = person.value
  if (who === null) return null
  return (
    <section class="pane spaced">
      <h1>{who.id}</h1>
      <p class="quiet">{who.rights.join(', ')}</p>
      <Radios
        as="choice"
        legend={labels.theme.title}
        name="theme"
        options={themes.map((is) => ({ is, label: labels.theme[is] }))}
        chosen={theme.value}
        onChoose={(is) => (theme.value = is)}
      />
      <Loaded load={saying} />
      <Loaded load={notifications} />
      <Button label={labels.signIn.out} onPress={() => void signOut()} />
    </section>
  )
}
