// A runtime whose people sign with passkeys, in two steps as at a console: what is to be signed
// comes back, an authenticator signs it, and then it is done.
import { publicKeyOf } from '#record/crypto/private-key'
import type { Sign } from '#record/signature'
import { signWith, unsignedOf, type Unsigned } from '#client/people/signing'
import type { Signature } from '#schemas/values'
import {
  assertionFor,
  otherConsole,
  softPasskey,
  testConsole,
  type Ceremony,
  type SoftPasskey,
} from '../support/people/authenticator.ts'
import { changeCatalog, keys } from '../support/runtime.ts'
import { deletion, erase, look, scene, type Scene, type SceneSetup } from '../support/scene.ts'

export const soft = {
  root: softPasskey(-8),
  olga: softPasskey(-7),
  piet: softPasskey(-257, { backup: true }),
  quin: softPasskey(-7),
}

type Who = keyof typeof soft

const people = ['root', 'olga', 'piet', 'quin'] as const

export const four = { id: 'four', tier: 'four_eyes' as const, group: 'people', sessionless: true }

/** Whom and what every scene here has; root alone has a key file beside the passkey. */
const peopleSetup = {
  consoles: [testConsole, otherConsole],
  groups: [{ id: 'people', members: ['piet', 'quin'] }],
  confirmations: [four],
  capabilities: [look, erase, { ...erase, id: 'purge', confirmation: 'four' }],
}

const ask = { name: 'ask', requiresConfirmation: true }

export async function passkeyScene(catalog: SceneSetup['catalog'] = {}): Promise<Scene> {
  const on = await scene({ catalog: { ...peopleSetup, ...catalog }, graph: deletion(ask) })
  const bare = { roles: [], attributes: {}, keys: [], suspended: false }
  const root = { roles: ['policy-admin'], keys: [publicKeyOf(keys.root)] }
  await changeCatalog(
    on.runtime,
    ...people.map((id) => {
      const passkeys = [soft[id].passkey]
      const entry = { ...bare, ...(id === 'root' && root), id, passkeys }
      return { op: 'put' as const, collection: 'principals' as const, entry }
    }),
  )
  return on
}

/** Lets that person read all of the log. */
export async function letRead({ runtime }: Pick<Scene, 'runtime'>, id: Who): Promise<void> {
  const bare = { roles: [], attributes: {}, keys: [], suspended: false }
  const entry = { ...bare, id, passkeys: [soft[id].passkey], via: ['audit'] }
  await changeCatalog(runtime, { op: 'put', collection: 'principals', entry })
}

/** What an authenticator of that person makes of it. */
export function madeBy(
  { challenge }: Pick<Unsigned, 'challenge'>,
  by: SoftPasskey,
  ceremony: Ceremony = {},
): Signature {
  return assertionFor(by, Buffer.from(challenge, 'base64url'), ceremony)
}

/** Does it as a console does. */
export async function inTwoSteps<T>(
  by: SoftPasskey,
  run: (sign: Sign) => Promise<T>,
  ceremony: Ceremony = {},
): Promise<T> {
  const unsigned = await unsignedOf(run)
  return run(signWith(unsigned, madeBy(unsigned, by, ceremony)))
}
