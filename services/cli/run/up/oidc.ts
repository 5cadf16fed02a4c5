// Which issuer vouches for callers of the HTTP server, as options or the environment say.
import { isGuarded } from '#serving/oidc/asking-issuer'
import { secretText } from '#system/secret-file'
import type { OidcOptions } from '#http/serving'
import type { Settings } from '#schemas/settings/settings'
import { usage } from '#cli/terminal/failure'

export interface OidcUpOptions {
  readonly oidcIssuer?: string
  readonly oidcAudience?: string
  readonly oidcClient?: string
  /** A file. */
  readonly oidcClientSecret?: string
}

/**
 * Null where none does. `isPrivate` says whether what browsers send cannot be read on its way.
 * Throws a Fault `usage` for what does not go together, and `credentials_invalid` for a secret that
 * others may read.
 */
export async function oidcOf(
  options: OidcUpOptions,
  settings: Settings,
  isPrivate: boolean,
): Promise<OidcOptions | null> {
  const issuer = options.oidcIssuer ?? settings.oidcIssuer
  const audience = options.oidcAudience ?? settings.oidcAudience
  const id = options.oidcClient ?? settings.oidcClient
  const secretFile = options.oidcClientSecret ?? settings.oidcClientSecretFile
  if (issuer === undefined) {
    if (audience === undefined && id === undefined && secretFile === undefined) return null
    throw usage('--oidc-audience and --oidc-client go with --oidc-issuer: whose they are')
  }
  if (!isGuarded(issuer) || /[?#]/.test(issuer)) {
    throw usage(`--oidc-issuer takes an address such as https://login.example, not \`${issuer}\``)
  }
  if (id === undefined && secretFile !== undefined) {
    throw usage('--oidc-client-secret goes with --oidc-client: whose secret it is')
  }
  if (audience === undefined && id === undefined) {
    const what = 'what its tokens must be for, or as what people sign in'
    throw usage(`--oidc-issuer goes with --oidc-audience or --oidc-client: ${what}`)
  }
  if (audience === id) {
    const why = 'what says that a person signed in would count as a token to call with'
    throw usage(`--oidc-audience and --oidc-client cannot be the same: ${why}`)
  }
  if (id !== undefined && !isPrivate) {
    const how = 'give --tls-cert, or --url with https where a proxy ends TLS'
    throw usage(`people cannot sign in where anyone could read their cookies: ${how}`)
  }
  const secret = secretFile === undefined ? null : await secretIn(secretFile)
  return {
    issuer,
    ...(audience !== undefined && { audience }),
    ...(id !== undefined && { client: { id, secret } }),
  }
}

async function secretIn(file: string): Promise<string> {
  const [line = ''] = (await secretText(file, 'the file of the client’s secret')).split(/\r?\n/)
  if (line !== '') return line
  throw usage(`the file of the client’s secret \`${file}\` is empty`)
}
