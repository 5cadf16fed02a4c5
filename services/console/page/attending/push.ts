// Whether this browser notifies the person who is signed in: it subscribes when they ask for it, by
// the console’s own key, and is taken out again.
import type { ReachAnswer } from '#schemas/console/attending'
import { askServer, PageProblem } from '../shell/requests.ts'
import { trustedScript } from '../shell/trusted-script.ts'
import { digestHere } from '../signing/challenge.ts'
import { fromBase64url, toBase64url } from '../signing/base64url.ts'

export interface PushHere {
  readonly answer: ReachAnswer
  /** The id of this browser’s subscription; null where it has none that counts. */
  readonly mine: string | null
}

/** Why it cannot be, before anyone asks; null where it can. */
export function pushHindrance({ publicKey }: ReachAnswer): string | null {
  if (publicKey === null) return 'push_not_set_up'
  const can = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!can) return 'push_unsupported'
  return Notification.permission === 'denied' ? 'push_denied' : null
}

export async function readPush(): Promise<PushHere> {
  const answer = await askServer('reach', '/reach')
  return { answer, mine: await idHere(answer) }
}

async function idHere({ publicKey, browsers }: ReachAnswer): Promise<string | null> {
  const subscription = await subscriptionHere()
  if (subscription === null || publicKey === null) return null
  // One that was made by another key is pushed nothing.
  const key = subscription.options.applicationServerKey
  if (key === null || toBase64url(key) !== publicKey) return null
  const id = await digestHere(subscription.endpoint)
  return browsers.some((one) => one.id === id) ? id : null
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks the person, then the browser, then the server. Throws a `PageProblem` of what failed. */
export async function subscribe(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PageProblem('push_denied')
  const subscription = await subscribed(publicKey)
  const { keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const body = { url: subscription.endpoint, keys: { p256dh, auth }, label: browserLabel() }
  try {
    await askServer('subscribe', '/reach/subscribe', { body })
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

async function subscribed(publicKey: string): Promise<PushSubscription> {
  try {
    const script = trustedScript('warrant-notified', '/notified.js')
    await navigator.serviceWorker.register(script, { scope: '/' })
    const { pushManager } = await navigator.serviceWorker.ready
    await (await pushManager.getSubscription())?.unsubscribe()
    const applicationServerKey = fromBase64url(publicKey)
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  } catch {
    throw new PageProblem('push_failed')
  }
}

/** Such as `Linux x86_64`: by which a person knows it among their own. */
function browserLabel(): string {
  const platform: unknown = Reflect.get(navigator, 'platform')
  return typeof platform === 'string' && platform !== '' ? platform.slice(0, 64) : 'browser'
}

export async function unsubscribe(id: string, mine: string | null): Promise<void> {
  await askServer('unsubscribe', '/reach/unsubscribe', { body: { id } })
  if (id === mine) await (await subscriptionHere())?.unsubscribe()
}
