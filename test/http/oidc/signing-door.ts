// A server at which people sign in, at a real provider in the same process: ann, who may say what
// becomes evidence, and olga, who decides for her agents.
import { exportJWK, generateKeyPair } from 'jose'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { endWithTest } from '../../support/vitest/endings.ts'
import { httpDoorScene, type HttpDoor, type Served } from '../http-door.ts'
import { newBrowser, type Browser, type Page } from './browser.ts'
import { audience, bindIdentity } from './test-issuer.ts'

// The package has no types; these are what is used of it.
interface NewProvider {
  new (issuer: string, configuration: object): { callback(): RequestListener }
}
const require = createRequire(import.meta.url)
const { Provider } = z
  .object({ Provider: z.custom<NewProvider>((one) => typeof one === 'function') })
  .parse(require('oidc-provider'))

// One for all tests, since it takes long to make.
const keyPair = generateKeyPair('RS256', { extractable: true })

export const secret = 'a-secret-of-the-client-of-this-test'

export interface SigningDoor {
  readonly door: HttpDoor
  readonly issuer: string
  /** Ends the provider. */
  stopIssuer(): void
}

export async function signingDoor(more: Served = {}): Promise<SigningDoor> {
  let provider: RequestListener | null = null
  // The server is there first, since the provider must know where it is, and asks for it at once.
  const early: (() => void)[] = []
  const server = createServer((request, response) => {
    if (provider === null) early.push(() => provider?.(request, response))
    else provider(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stopIssuer = (): void => {
    server.closeAllConnections()
    server.close()
  }
  endWithTest(stopIssuer)
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
  const client = { id: 'warrant', secret }
  const door = await httpDoorScene({ ...more, oidc: { issuer, audience, client } })
  provider = new Provider(issuer, await configured(door.serving.url)).callback()
  for (const answer of early) answer()
  await bindIdentity(door, 'ann', { issuer, subject: 'u-ann' })
  await bindIdentity(door, 'olga', { issuer, subject: 'u-olga' })
  return { door, issuer, stopIssuer }
}

async function configured(url: string): Promise<object> {
  const { privateKey } = await keyPair
  const grants = { grant_types: ['authorization_code'], response_types: ['code'] }
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'p1', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of this test'] },
    clients: [
      {
        client_id: 'warrant',
        client_secret: secret,
        redirect_uris: [`${url}/auth/callback`],
        ...grants,
      },
      {
        client_id: 'machine',
        client_secret: secret,
        redirect_uris: [],
        grant_types: ['client_credentials'],
        response_types: [],
      },
    ],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 60,
      ClientCredentials: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 60,
    },
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }
}

/** Goes as far as the browser is sent back to the server. */
export async function vouchedFor(
  { door }: SigningDoor,
  browser: Browser,
  subject: string,
  returnTo = '/auth/session',
): Promise<string> {
  const back = /\/auth\/callback\?/
  const at = `${door.serving.url}/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`
  let page = await browser.go(at, back)
  if (back.test(page.url)) return page.url
  page = await browser.submit(page, { prompt: 'login', login: subject, password: 'x' }, back)
  if (back.test(page.url)) return page.url
  return (await browser.submit(page, { prompt: 'consent' }, back)).url
}

/** Signs in as that person, and returns where the browser ends up. */
export async function signIn(
  scene: SigningDoor,
  browser: Browser,
  subject: string,
  returnTo?: string,
): Promise<Page> {
  return browser.ask(await vouchedFor(scene, browser, subject, returnTo))
}

/** A browser in which that person is signed in, and what a page of the server knows. */
export async function signedIn(scene: SigningDoor, subject: string) {
  const browser = newBrowser()
  await signIn(scene, browser, subject)
  const { url } = scene.door.serving
  const { csrf } = Object(JSON.parse((await browser.ask(`${url}/auth/session`)).text))
  const own = { origin: url, 'x-csrf-token': String(csrf), 'content-type': 'application/json' }
  return { browser, own, url }
}
