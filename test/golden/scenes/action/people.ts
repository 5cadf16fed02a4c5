// People who sign with passkeys: what a confirmation demands, a deputy, a browser, a handover, a
// note, and all that counts for nothing; and that it holds in the next era.
import { jsonOf, type Json } from '#record/canonical'
import { publicKeyOf, signData } from '#record/crypto/private-key'
import { nameOf, token } from '#record/names'
import { rotate } from '#replay/eras/rotate'
import type { EventKind } from '#schemas/kinds'
import {
  otherConsole,
  passkeySigner,
  softPasskey,
  testConsole,
  type Ceremony,
} from '../../../support/people/authenticator.ts'
import { changeCatalog, keys, newKey, type TestSetup } from '../../../support/runtime.ts'
import { bind, quiet, reason, say, type Play } from '../../play.ts'

const soft = { piet: softPasskey(-7), quin: softPasskey(-257), olga: softPasskey(-8) }
type Person = keyof typeof soft

const day = 24 * 3_600_000
const purge = { safetyClass: 'WRITE' as const, argsSchema: { type: 'object' } }
const people = { tier: 'four_eyes' as const, group: 'people', sessionless: true }

export const peopleSetup: TestSetup = {
  catalog: {
    consoles: [testConsole, otherConsole],
    groups: [{ id: 'people', members: ['piet', 'quin'] }],
    confirmations: [
      { ...people, id: 'strict', signedWith: 'passkey', reason: 'always' },
      { ...people, id: 'two', quorum: 2, differentServers: true, deputies: true },
      { ...people, id: 'quick', signedWith: 'browser', reason: 'decline', decideWithinMs: 9 * day },
    ],
    capabilities: (['strict', 'two', 'quick'] as const).map((id) => {
      const when = { name: 'always', effect: 'confirm' as const, when: 'true', confirmation: id }
      return { ...purge, id, conditions: [when] }
    }),
  },
}

export async function peopleScene(play: Play): Promise<void> {
  for (const id of ['piet', 'quin', 'olga'] as const) await enrolled(play, id)
  await strictly(play)
  await inPlaceOf(play)
  await byBrowser(play)
  await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
  await quiet(play)
  await inPlaceOf(play)
}

async function enrolled({ runtime }: Play, id: Person): Promise<void> {
  const found = runtime.follower.state.catalog.principals.get(id)
  if (found === undefined) throw new Error(`no ${id}`)
  const entry = { ...found, passkeys: [soft[id].passkey] }
  await changeCatalog(runtime, { op: 'put', collection: 'principals', entry })
}

async function asked(play: Play, tool: string): Promise<string> {
  const address = await say(play, { intent: { tool, justification: reason } })
  await quiet(play)
  return address
}

type Content = Readonly<Record<string, Json>>

/** Signed by a passkey of that person. */
async function signed(
  play: Play,
  kind: EventKind,
  { name, by, content, ceremony }: {
    readonly name: string
    readonly by: Person
    readonly content: Content
    readonly ceremony?: Ceremony
  },
): Promise<void> {
  const { log } = play.runtime.follower.state
  const signature = passkeySigner(soft[by], ceremony)({ log, name }, content)
  await bind(play, kind, name, { ...content, signature: jsonOf(signature) })
  await quiet(play)
}

async function answered(
  play: Play,
  address: string,
  by: Person,
  { more = {}, ceremony = {} }: { readonly more?: Content; readonly ceremony?: Ceremony } = {},
): Promise<void> {
  const { place } = play.runtime.follower.state
  const name = nameOf(place, 'decision', address, 1, token(by))
  const content = { ...decided(play, address, by), ...more }
  await signed(play, 'decision', { name, by, content, ceremony })
}

/** A yes to all that is asked. */
function decided({ runtime }: Play, address: string, confirmer: string) {
  const open = runtime.follower.state.intents.get(address)?.review
  if (open === null || open === undefined) throw new Error('no one is asked')
  const answers = Array.from({ length: open.questions }, () => true)
  const { digest, name: review } = open
  return { answers, confirmer, digest, intent: intentOf(address), review }
}

function intentOf(address: string) {
  return { address, agent: 'bot', session: null }
}

async function strictly(play: Play): Promise<void> {
  const address = await asked(play, 'strict')
  const { place, intents } = play.runtime.follower.state
  const review = intents.get(address)?.review?.name ?? ''
  const handing = { intent: intentOf(address), review, confirmer: 'piet', note: 'you know them' }
  const to = nameOf(place, 'handover', address, 1, 'piet')
  await signed(play, 'handover', { name: to, by: 'piet', content: { ...handing, to: 'quin' } })
  // No one who may answer it.
  const wrong = { ...handing, confirmer: 'quin', to: 'olga' }
  const other = nameOf(place, 'handover', address, 1, 'quin')
  await signed(play, 'handover', { name: other, by: 'quin', content: wrong })
  // Without a reason, which one has to give.
  const shown = { digest: `sha256:${'a'.repeat(64)}`, language: 'en' }
  await answered(play, address, 'piet')
  await answered(play, address, 'quin', { more: { note: 'as agreed', shown } })
  const about = { by: 'piet', about: { intent: address }, text: 'quin was right' }
  const note = nameOf(play.runtime.follower.state.place, 'note', '01JN1', 'piet')
  await signed(play, 'note', { name: note, by: 'piet', content: about })
  const later = { ...about, about: { position: 9_999 } }
  const none = nameOf(play.runtime.follower.state.place, 'note', '01JN2', 'piet')
  await signed(play, 'note', { name: none, by: 'piet', content: later })
}

let absences = 0

async function away(play: Play, deputy: string | null): Promise<void> {
  const { place } = play.runtime.follower.state
  const until = deputy === null ? null : new Date(play.time.now + day).toISOString()
  const name = nameOf(place, 'absence', 'piet', `01JA${(absences += 1)}`)
  const content = { confirmer: 'piet', deputy, until, note: 'at sea' }
  await signed(play, 'absence', { name, by: 'piet', content })
}

async function inPlaceOf(play: Play): Promise<void> {
  const address = await asked(play, 'two')
  const { place } = play.runtime.follower.state
  // Of the side that asks, who never answers, and then no one of it.
  await away(play, 'olga')
  await answered(play, address, 'olga', { more: { for: 'piet' } })
  await away(play, 'root')
  const name = nameOf(place, 'decision', address, 1, 'root')
  const content = { ...decided(play, address, 'root'), for: 'piet' }
  await bind(play, 'decision', name, content, keys.root)
  await quiet(play)
  // Twice one person, and then the other.
  await answered(play, address, 'piet', { ceremony: { at: otherConsole } })
  await answered(play, address, 'quin')
  await away(play, null)
}

async function byBrowser(play: Play): Promise<void> {
  const address = await asked(play, 'quick')
  const { place, log } = play.runtime.follower.state
  const browser = newKey()
  const until = new Date(play.time.now + 7 * day).toISOString()
  const content = { confirmer: 'piet', key: publicKeyOf(browser), until, label: 'the phone' }
  const long = { ...content, until: new Date(play.time.now + 8 * day).toISOString() }
  const enrolment = (id: string) => nameOf(place, 'enrolment', 'piet', id)
  await signed(play, 'enrolment', { name: enrolment('01JE1'), by: 'piet', content: long })
  await signed(play, 'enrolment', { name: enrolment('01JE2'), by: 'piet', content })
  const said = decided(play, address, 'piet')
  const name = nameOf(place, 'decision', address, 1, 'piet')
  const signature = signData({ log, name }, jsonOf(said), browser)
  await bind(play, 'decision', name, { ...said, signature: jsonOf(signature) })
  await quiet(play)
}
