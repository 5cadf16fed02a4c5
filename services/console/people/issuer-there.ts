// The issuer of OpenID Connect at which people of the console sign in. It says who someone is and
// signs nothing of theirs.
import type { LoginIssuer } from '#serving/issuer'
import {
  issuerSignIn,
  type IssuerSignIn,
  type IssuerSignInOf,
} from '#serving/people/issuer-sign-in'
import { consoleApi, consoleRoutes } from '#schemas/console/routes'

export interface IssuerThere extends IssuerSignIn {
  /** Where to sign out there; null where that cannot be. */
  signOutUrl(): Promise<string | null>
}

const paths = {
  begin: `${consoleApi}${consoleRoutes.issuerSignIn.path}`,
  callback: `${consoleApi}${consoleRoutes.issuerCallback.path}`,
  landing: '/',
}

export function issuerThere(
  of: Omit<IssuerSignInOf, 'paths'> & { readonly issuer: LoginIssuer },
): IssuerThere {
  const beginning = issuerSignIn({ ...of, paths })
  return {
    begin: (c) => beginning.begin(c),
    complete: (c) => beginning.complete(c),
    signOutUrl: async () => (await of.issuer.found().catch(() => null))?.signOutUrl ?? null,
  }
}
