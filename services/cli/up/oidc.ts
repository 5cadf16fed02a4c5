// Which issuer vouches for callers of the HTTP server, as options or the environment say.
import { isGuarded } from '#adapters/oidc/asking-issuer'
import type { OidcOptions } from '#services/http/serving'
import type { Settings } from '#schemas/settings/settings'
import { usage } from '../terminal/failure.ts'

export interface OidcUpOptions {
  readonly oidcIssuer?: string
  readonly oidcAudience?: string
}

/** Null where none does. Throws a Fault `usage` for what does not go together. */
export function oidcOf(options: OidcUpOptions, settings: Settings): OidcOptions | null {
  const issuer = options.oidcIssuer ?? settings.oidcIssuer
  const audience = options.oidcAudience ?? settings.oidcAudience
  if (issuer === undefined) {
    if (audience === undefined) return null
    throw usage('--oidc-audience goes with --oidc-issuer: whose tokens are for it')
  }
  if (!isGuarded(issuer) || /[?#]/.test(issuer)) {
    throw usage(`--oidc-issuer takes an address such as https://login.example, not \`${issuer}\``)
  }
  if (audience === undefined) {
    throw usage('--oidc-issuer goes with --oidc-audience: what its tokens must be for')
  }
  return { issuer, audience }
}
