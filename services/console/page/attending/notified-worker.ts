// The worker that browsers wake for a notification: it shows what came, and opens the page where it
// leads. It reads nothing, and decides nothing.
import { parseJson } from '#record/json'
import { attendingLabels } from '#present/console/attending-text'
import { memberMap } from '../signing/members.ts'

interface Extendable {
  waitUntil(done: Promise<unknown>): void
}

interface Pushed extends Extendable {
  readonly data: { text(): string } | null
}

interface Clicked extends Extendable {
  readonly notification: Notification
}

interface Windows {
  matchAll(of: object): Promise<readonly WindowThere[]>
  openWindow(url: string): Promise<unknown>
}

interface WindowThere {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

const isPushed = (event: Event): event is Event & Pushed => 'waitUntil' in event && 'data' in event
const isClicked = (event: Event): event is Event & Clicked =>
  'waitUntil' in event && 'notification' in event

function isWindows(value: unknown): value is Windows {
  return typeof value === 'object' && value !== null && 'openWindow' in value
}

function messageOf(text: string): ReadonlyMap<string, unknown> {
  try {
    return memberMap(parseJson(text))
  } catch {
    return new Map()
  }
}

// A browser takes the right to push away where nothing is shown, so what cannot be read is shown as
// that something waits.
async function shown({ data }: Pushed): Promise<void> {
  const registration: unknown = Reflect.get(globalThis, 'registration')
  if (!(registration instanceof ServiceWorkerRegistration)) return
  const message = messageOf(data?.text() ?? '')
  const text = (key: string): string => {
    const value = message.get(key)
    return typeof value === 'string' ? value : ''
  }
  const title = text('title') === '' ? attendingLabels.waits : text('title')
  // Of one tag the last alone stands: a message that came twice is one.
  const options = { body: text('body'), tag: text('id'), data: text('link'), icon: '/icon.svg' }
  await registration.showNotification(title, options)
}

/** A message leads nowhere else than to this console. */
function placeOf(link: unknown): string {
  const text = typeof link === 'string' ? link : ''
  const { origin } = globalThis.location
  return URL.canParse(text) && new URL(text).origin === origin ? text : `${origin}/`
}

async function opened(place: string): Promise<void> {
  const windows: unknown = Reflect.get(globalThis, 'clients')
  if (!isWindows(windows)) return
  const [there] = await windows.matchAll({ type: 'window', includeUncontrolled: true })
  if (there === undefined) {
    await windows.openWindow(place)
    return
  }
  // A page that this worker does not control cannot be led on by it.
  await there.focus().catch(() => undefined)
  await there.navigate(place).catch(() => windows.openWindow(place))
}

addEventListener('push', (event) => {
  if (isPushed(event)) event.waitUntil(shown(event))
})

addEventListener('notificationclick', (event) => {
  if (!isClicked(event)) return
  event.notification.close()
  event.waitUntil(opened(placeOf(event.notification.data)))
})
