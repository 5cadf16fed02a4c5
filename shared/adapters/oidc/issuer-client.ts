// What an issuer of OpenID Connect publishes of itself: its addresses, and its keys.
import {
  allowInsecureRequests,
  customFetch,
  discovery,
  None,
  type CustomFetchOptions,
} from 'openid-client'
import { askIssuer } from './asking-issuer.ts'
import { keySetOf, type IssuerKeys } from './signed-tokens.ts'

export interface FoundIssuer {
  readonly keys: IssuerKeys
}

/** Asks for both. Throws where the issuer is out of reach, or is not what it is called. */
export async function foundIssuer(issuer: string, clientId: string): Promise<FoundIssuer> {
  // Of an issuer on this machine; where else it has no TLS, `askIssuer` refuses.
  // oxlint-disable-next-line typescript/no-deprecated
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []
  const config = await discovery(new URL(issuer), clientId, undefined, None(), {
    [customFetch]: asked,
    execute,
  })
  const { issuer: called, jwks_uri: keysAt = '' } = config.serverMetadata()
  // The library compares them as addresses; tokens say it as text.
  if (called !== issuer) throw new Error(`it calls itself \`${called}\``)
  const answer = await askIssuer(keysAt, { headers: { accept: 'application/json' } })
  if (answer.status !== 200) throw new Error(`its keys are answered with ${answer.status}`)
  return { keys: keySetOf(await answer.json()) }
}

function asked(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
  return askIssuer(url, { method, headers, body: body instanceof URLSearchParams ? body : null })
}
