// An issuer that does what a test wants: it signs any claims with any of its keys, replaces them,
// calls itself something else, or does not answer. And a server whose callers it vouches for.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose'
import type { ClientAt } from '#serving/oidc/issuer-client'
import { changeCatalog } from '../../support/runtime.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { httpDoorScene, type HttpDoor } from '../http-door.ts'

export const audience = 'https://warrant.example'

export interface TestIssuer {
  readonly url: string
  /** What it answers with; the test changes it. */
  readonly answers: {
    isDown: boolean
    called: string
    asked: number
    idToken: string
    /** Whom it finds at the browser that is sent to it, which it sends back at once. */
    subject: string
  }
  /** The public keys that it publishes. */
  readonly published: JWK[]
  /** Makes another key, and publishes it unless it is kept back. */
  newKey(kid: string, alg?: string): Promise<CryptoKey>
  /** Signs these claims beside the usual ones, by default with its first key. */
  token(claims?: JWTPayload, by?: Signing): Promise<string>
}

export interface Signing {
  readonly key?: CryptoKey | Uint8Array
  readonly kid?: string
  readonly alg?: string
  readonly typ?: string
}

const lifetimeSeconds = 300

export async function testIssuer(now: () => number): Promise<TestIssuer> {
  const answers = { isDown: false, called: '', asked: 0, idToken: '', subject: '' }
  const published: JWK[] = []
  const server = createServer((request, response) => answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  endWithTest(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
  answers.called = url
  const answer = ({ url: path = '' }: IncomingMessage, response: ServerResponse): void => {
    answers.asked += 1
    if (answers.isDown) {
      response.writeHead(503).end()
      return
    }
    if (path.startsWith('/authorize?')) {
      void backFrom(new URL(path, url).searchParams).then((location) =>
        response.writeHead(302, { location }).end(),
      )
      return
    }
    const document = {
      issuer: answers.called,
      jwks_uri: `${url}/keys`,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      end_session_endpoint: `${url}/end`,
      id_token_signing_alg_values_supported: ['ES256'],
    }
    const tokens = { access_token: 'opaque', token_type: 'Bearer', id_token: answers.idToken }
    const found = path === '/keys' ? { keys: published } : path === '/token' ? tokens : document
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
  }
  const newKey = async (kid: string, alg = 'ES256'): Promise<CryptoKey> => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })
    return privateKey
  }
  const first = await newKey('first')
  const token: TestIssuer['token'] = (claims = {}, by = {}) => {
    const { key = first, kid = 'first', alg = 'ES256', typ = 'at+jwt' } = by
    const at = Math.floor(now() / 1_000)
    const usual = { iss: url, aud: audience, sub: 'u-ann', iat: at, exp: at + lifetimeSeconds }
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid, typ }).sign(key)
  }
  const backFrom = (asked: URLSearchParams): Promise<string> =>
    sentBack(asked, async (claims) => {
      answers.idToken = await token({ ...claims, sub: answers.subject }, { typ: 'JWT' })
    })
  return { url, answers, published, newKey, token }
}

/** Where a browser goes on that asked for someone to be vouched for: with any code it is. */
async function sentBack(
  asked: URLSearchParams,
  vouch: (claims: JWTPayload) => Promise<void>,
): Promise<string> {
  // The library goes by the clock of the machine.
  const at = Math.floor(Date.now() / 1_000)
  const of = (name: string): string => asked.get(name) ?? ''
  await vouch({ aud: of('client_id'), nonce: of('nonce'), iat: at, exp: at + lifetimeSeconds })
  const back = new URL(of('redirect_uri'))
  back.search = new URLSearchParams({ code: 'x', state: of('state') }).toString()
  return back.href
}

/** A server whose callers that issuer vouches for: `u-ann` is ann, `u-olga` an owner of agents. */
export async function vouchedDoor(
  client?: ClientAt,
): Promise<{ door: HttpDoor; issuer: TestIssuer }> {
  let now = (): number => 0
  const issuer = await testIssuer(() => now())
  const door = await httpDoorScene({
    oidc: { issuer: issuer.url, audience, ...(client !== undefined && { client }) },
  })
  now = () => door.on.time.now
  await bindIdentity(door, 'ann', { issuer: issuer.url, subject: 'u-ann' })
  return { door, issuer }
}

/** Has the catalog bind that identity, and no other, to the principal. */
export async function bindIdentity(
  { on }: Pick<HttpDoor, 'on'>,
  id: string,
  identity: { readonly issuer: string; readonly subject: string },
): Promise<void> {
  const known = on.runtime.follower.state.catalog.principals.get(id)
  const entry = {
    ...(known ?? { id, roles: [], attributes: {}, keys: [], suspended: false }),
    identities: [identity],
  }
  await changeCatalog(on.runtime, { op: 'put', collection: 'principals', entry })
}
