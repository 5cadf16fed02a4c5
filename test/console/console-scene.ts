// A console on a scene at a real port, and people at their browsers: each with cookies of its
// own and an authenticator in software.
import { request as dial, type IncomingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { publicKeyOf } from '#record/crypto/private-key'
import { digestOf } from '#record/digest'
import { madeLink, type LinkData } from '#serving/people/one-time-link'
import { ConsoleSession, PasskeyAsked } from '#schemas/console/people'
import { ConsoleProblem, type SigningAsked } from '#schemas/console/signing'
import { consoleApi, consoleRoutes, type ConsoleRouteName } from '#schemas/console/routes'
import type { Serving } from '#health/serving'
import { serveConsole, type ConsoleServingOptions } from '#console/serving'
import { testKey } from '#testing/setup'
import {
  assertionFor,
  attestedTail,
  authenticatorDataFor,
  clientDataFor,
  flags,
  otherConsole,
  type Ceremony,
} from '../support/people/authenticator.ts'
import { keys } from '../support/runtime.ts'
import { endWithTest } from '../support/vitest/endings.ts'
import { passkeyScene, soft } from '../people/passkey-scene.ts'
import type { Scene, SceneSetup } from '../support/scene.ts'

export const verasKey = testKey('vera')

export type Who = keyof typeof soft

export const origin = 'http://localhost:7719'
const bytes = new TextEncoder().encode('<!doctype html><title>Warrant</title>')
export const files = new Map([
  ['/', { bytes, type: 'text/html; charset=utf-8', digest: digestOf(bytes) }],
])

export interface ConsoleScene {
  readonly on: Scene
  readonly serving: Serving
}

export async function consoleScene(
  catalog: SceneSetup['catalog'] = {},
  more: Partial<ConsoleServingOptions> = {},
): Promise<ConsoleScene> {
  const principals = [
    { id: 'cora', roles: ['curator'] },
    { id: 'audra', via: ['audit'] },
    { id: 'vera', keys: [publicKeyOf(verasKey)] },
    ...(catalog.principals ?? []),
  ]
  const on = await passkeyScene({ ...catalog, principals })
  return { on, serving: await servedOn(on, more) }
}

export async function servedOn(
  { runtime }: Pick<Scene, 'runtime'>,
  more: Partial<ConsoleServingOptions> = {},
): Promise<Serving> {
  const listen = { host: '127.0.0.1', port: 0 }
  const serving = await serveConsole({ runtimes: [runtime], listen, files, url: origin, ...more })
  endWithTest(() => serving.close(0))
  return serving
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface SentTo {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** One request as a browser at the console’s address sends it. */
export function sent(
  { serving }: Pick<ConsoleScene, 'serving'>,
  path: string,
  { method = 'GET', headers = {}, body }: SentTo = {},
): Promise<Answered> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const all = {
    host: new URL(origin).host,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = dial(`${serving.at}${path}`, { method, headers: all }, (response) => {
      const { statusCode: status = 0, headers: came } = response
      // What goes on for ever is looked at no further.
      if (came['content-type']?.startsWith('text/event-stream') === true) {
        response.destroy()
        resolve({ status, headers: came, text: '' })
        return
      }
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        resolve({ status, headers: came, text: Buffer.concat(parts).toString('utf8') })
      })
    })
    request.on('error', reject)
    request.end(text)
  })
}

export interface Asking {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function pathOf(name: ConsoleRouteName, { params = {}, query = '' }: Asking): string {
  const path = consoleRoutes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    return encodeURIComponent(params[key] ?? 'bot.-.01J00000000000000000000000')
  })
  return `${consoleApi}${path}${query}`
}

/** A person at a browser of their own. */
export interface AtBrowser {
  readonly cookie: string
  readonly csrf: string
  /** Without a status that is wanted, whatever it is. */
  ask(name: ConsoleRouteName, asking?: Asking): Promise<Answered>
  /** The answer as the table promises it. */
  get(name: ConsoleRouteName, asking?: Asking): Promise<unknown>
  /** The status, code and reason of what is refused. */
  refused(name: ConsoleRouteName, asking?: Asking): Promise<string>
}

export function atBrowser(
  scene: Pick<ConsoleScene, 'serving'>,
  { cookie, csrf }: { readonly cookie: string; readonly csrf: string },
): AtBrowser {
  const ask = (name: ConsoleRouteName, asking: Asking = {}): Promise<Answered> => {
    const { method } = consoleRoutes[name]
    const writes = method === 'post'
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...(writes && { origin, 'x-csrf-token': csrf }),
      ...asking.headers,
    }
    const body = writes ? (asking.body ?? {}) : undefined
    const how = { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }
    return sent(scene, pathOf(name, asking), how)
  }
  return {
    cookie,
    csrf,
    ask,
    async get(name, asking) {
      const { status, text } = await ask(name, asking)
      expect([name, status, status === 200 ? '' : text]).toEqual([name, 200, ''])
      return consoleRoutes[name].answer?.parse(JSON.parse(text))
    },
    async refused(name, asking) {
      const { status, text, headers } = await ask(name, asking)
      expect(headers['content-type']).toBe('application/problem+json')
      const { code, reason } = ConsoleProblem.parse(JSON.parse(text))
      return [status, code, ...(reason === undefined ? [] : [reason])].join(' ')
    },
  }
}

export const noOne = { cookie: '', csrf: '' }

/** By a link that root, or the person, has made. */
export function linkOf(
  { on }: Pick<ConsoleScene, 'on'>,
  of: Partial<LinkData> & { readonly person: string; readonly privateKey?: string },
): string {
  const now = on.time.now
  const { log } = on.runtime.follower.state
  const { privateKey = keys.root, ...data } = of
  const made = { for: 'sign_in' as const, by: 'root', origin, madeAt: now, until: now + 60_000 }
  return madeLink({ ...made, log, privateKey, ...data })
}

export async function signedInByLink(scene: ConsoleScene, person: string): Promise<AtBrowser> {
  const browser = atBrowser(scene, noOne)
  const answered = await browser.ask('linkSignIn', {
    body: { secret: linkOf(scene, { person }) },
  })
  return sessionIn(scene, answered)
}

/** As a browser does it that holds the passkey. */
export async function signedInByPasskey(
  scene: Pick<ConsoleScene, 'serving'>,
  who: Who,
): Promise<AtBrowser> {
  const browser = atBrowser(scene, noOne)
  const { challenge } = PasskeyAsked.parse(await browser.get('passkeyBegin'))
  const assertion = assertionFor(soft[who], Buffer.from(challenge, 'base64url'), {
    at: otherConsole,
  })
  return sessionIn(scene, await browser.ask('passkeyComplete', { body: { assertion } }))
}

function sessionIn(
  scene: Pick<ConsoleScene, 'serving'>,
  { status, headers, text }: Answered,
): AtBrowser {
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  const [set = ''] = headers['set-cookie'] ?? []
  const { person } = ConsoleSession.parse(JSON.parse(text))
  return atBrowser(scene, { cookie: set.split(';', 1)[0] ?? '', csrf: person?.csrf ?? '' })
}

/** What the person’s authenticator makes of what is to be signed. */
export function signedBy(
  who: Who,
  { of, data, challenge }: SigningAsked,
  ceremony: Ceremony = {},
): { readonly of: SigningAsked['of']; readonly data: unknown; readonly signature: unknown } {
  const how = { at: otherConsole, ...ceremony }
  return { of, data, signature: assertionFor(soft[who], Buffer.from(challenge, 'base64url'), how) }
}

/** What a browser sends of a passkey that its authenticator has made. */
export function madeFor(who: Who, challenge: Uint8Array, at = otherConsole) {
  const { passkey } = soft[who]
  const backup = passkey.backupEligible ? flags.be | flags.bs : 0
  const all = flags.up | flags.uv | flags.at | backup
  const how = { at, flags: all, tail: attestedTail(passkey) }
  return {
    clientData: clientDataFor('webauthn.create', challenge, how).toString('base64url'),
    authenticatorData: authenticatorDataFor(passkey, how).toString('base64url'),
  }
}
