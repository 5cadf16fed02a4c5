// An issuer of OpenID Connect: its addresses and keys, and how a person signs in there, by the
// authorization code flow with PKCE, state and nonce.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
  type CustomFetchOptions,
} from 'openid-client'
import { askIssuer, isGuarded } from './asking-issuer.ts'
import { keySetOf, type IssuerKeys } from './signed-tokens.ts'

/** As what this server is known to an issuer. */
export interface ClientAt {
  readonly id: string
  /** Null for a client that has none. */
  readonly secret: string | null
}

/** What the browser that began keeps until it comes back. */
export interface StartedSignIn {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface FoundIssuer {
  readonly keys: IssuerKeys
  /** Where to send the browser. Throws where that address has no TLS. */
  startSignIn(redirectUri: string): Promise<{ readonly url: string; started: StartedSignIn }>
  /**
   * Redeems what the browser came back with, and returns the ID token, whose signature is still to
   * be verified. Throws an `Error`, of which `isSilence` says whether the issuer did not answer.
   */
  endSignIn(came: URL, started: StartedSignIn): Promise<string>
  /** Where a person signs out there; null where that cannot be done. */
  readonly signOutUrl: string | null
}

/** Asks for all of it. Throws where it is out of reach, or is not what it is called. */
export async function foundIssuer(issuer: string, client: ClientAt): Promise<FoundIssuer> {
  // Of an issuer on this machine; where else it has no TLS, `askIssuer` refuses.
  // oxlint-disable-next-line typescript/no-deprecated
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []
  const config = await discovery(new URL(issuer), client.id, undefined, authenticating(client), {
    [customFetch]: asked,
    execute,
  })
  const { issuer: called, jwks_uri: keysAt = '' } = config.serverMetadata()
  // The library compares them as addresses; tokens say it as text.
  if (called !== issuer) throw new Error(`it calls itself \`${called}\``)
  const answer = await askIssuer(keysAt, { headers: { accept: 'application/json' } })
  if (answer.status !== 200) throw new Error(`its keys are answered with ${answer.status}`)
  return { keys: keySetOf(await answer.json()), ...signingIn(config) }
}

function signingIn(config: Configuration): Omit<FoundIssuer, 'keys'> {
  const endAt = config.serverMetadata()['end_session_endpoint']
  return {
    async startSignIn(redirectUri) {
      const started = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      }
      const { href } = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: started.state,
        nonce: started.nonce,
        code_challenge: await calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
      })
      if (!isGuarded(href)) throw new Error('where people sign in has no TLS')
      return { url: href, started }
    },
    async endSignIn(came, { state, nonce, verifier }) {
      const { id_token: token } = await authorizationCodeGrant(config, came, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      if (token === undefined) throw new Error('there is no ID token')
      return token
    },
    signOutUrl: endAt !== undefined && isGuarded(endAt) ? buildEndSessionUrl(config).href : null,
  }
}

/** As the issuer says that it takes the secret. */
function authenticating({ secret }: ClientAt): ClientAuth {
  if (secret === null) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (issuer, client, body, headers) => {
    // Without a word it takes the first, as discovery has it.
    const ways = issuer['token_endpoint_auth_methods_supported'] ?? ['client_secret_basic']
    const by = ways.includes('client_secret_basic') ? basic : post
    by(issuer, client, body, headers)
  }
}

function asked(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
  return askIssuer(url, { method, headers, body: body instanceof URLSearchParams ? body : null })
}
