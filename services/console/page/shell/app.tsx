// The whole page: who is signed in sees the views, anyone else how to sign in.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { Button } from '../drawing/button.tsx'
import { Radios } from '../drawing/form-fields.tsx'
import { Failed } from '../drawing/notice.tsx'
import { InboxView } from '../confirming/inbox.tsx'
import { Past } from '../confirming/card-body.tsx'
import { Enrol, SignIn } from './sign-in.tsx'
import { place, linkTo } from './address.ts'
import { Announcer } from './announcer.tsx'
import { Loaded } from './loaded.tsx'
import { person, readSession, session, sessionProblem, signOut } from './session.ts'
import { theme, themes } from './theme.ts'
import { openCount } from '../confirming/inbox-state.ts'
import { connection } from './live.ts'

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

// What stands around every view: the name, the ways to the views, and whether all of it is live.

const ways = [
  ['inbox', 'M4 13l2-8h12l2 8v6H4zM4 13h5l1 2h4l1-2h5'],
  ['past', 'M12 4a8 8 0 1 0 8 8M12 8v5l3 2M20 4l-6 6'],
  ['log', 'M5 5h14M5 10h14M5 15h8M16 17a2.500 2.500 0 1 0 5 0 2.500 2.500 0 0 0-5 0M20 19l2 2'],
  ['operating', 'M3 13h4l2.5-7 4 13 2.5-6h5'],
  ['authoring', 'M5 19l1-4L16 5l3 3L9 18zM13.5 7.5l3 3'],
  ['settings', 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-5.5 8-5.5s7 1.5 8 5.5'],
] as const

function PageFrame({ children }: { readonly children: ComponentChildren }) {
  const isDetail = place.value.path[0] === 'reviews'
  const state = connection.value
  return (
    <div class={isDetail ? 'frame frame-detail' : 'frame'}>
      <a class="skip" href="#content" onClick={toContent}>
        {labels.toContent}
      </a>
      <header class="bar">
        <a class="brand" href={linkTo(['inbox'])}>
          <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" />
            <path d="M7 10l4.5 13L16 12.5 20.5 23 25 10" />
          </svg>
          {labels.product}
        </a>
        <nav aria-label={labels.navigation}>
          {ways.filter(isMine).map(([view, path]) => (
            <Way view={view} path={path} />
          ))}
        </nav>
        <span class={`connection connection-${state}`} title={labels.liveText[state]}>
          {labels.live[state]}
        </span>
      </header>
      <main id="content" tabIndex={-1}>
        {state !== 'live' && <output class="fixed out-of-date">{labels.liveText[state]}</output>}
        {children}
      </main>
    </div>
  )
}

/** A view that needs a right is not shown to who lacks it. */
function isMine([view]: (typeof ways)[number]): boolean {
  const rights = person.value?.rights ?? []
  if (view === 'log') return rights.includes('auditor')
  return view === 'authoring' ? rights.includes('author') : true
}

// A fragment is the place of a view, so the browser cannot follow this one itself.
function toContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Way({ view, path }: { readonly view: (typeof ways)[number][0]; readonly path: string }) {
  const [here = 'inbox'] = place.value.path
  const isHere =
    here === view ||
    (view === 'inbox' && here === 'reviews') ||
    (view === 'log' && isAuditorView(here))
  const count = view === 'inbox' ? openCount.value : 0
  const label = view === 'settings' ? (person.value?.id ?? '') : labels.views[view]
  return (
    <a
      class="way"
      href={linkTo([view], view === 'log' ? { decisions: 'true' } : {})}
      aria-current={isHere ? 'page' : undefined}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
      <span class="one-line way-label">{label}</span>
      {count > 0 && <span class="count way-count">{count > 999 ? '999+' : count}</span>}
    </a>
  )
}

// Which views are the auditor's. It stands apart from them, which are loaded when someone goes
// there, so that the start page stays small for those who answer on a phone.

const views: ReadonlySet<string> = new Set(['log', 'intents', 'graph', 'compare'])

/** Whether the auditor's part draws that view. */
function isAuditorView(view: string | undefined): boolean {
  return view !== undefined && views.has(view)
}
