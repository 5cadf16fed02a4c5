// The cookies of this server: for it alone, out of reach of scripts, and over TLS under a name that
// no other host can set. On this machine without TLS browsers allow no such name.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

export interface OwnCookie {
  read(c: Context): string | undefined
  /** For so long; until the browser closes if that is null. */
  write(c: Context, value: string, seconds: number | null): void
  remove(c: Context): void
}

/**
 * `url` is where clients address the server, asked at each request. A `Strict` one is not sent with
 * a step that begins at another site, such as the one back from an issuer.
 */
export function ownCookie(
  name: string,
  url: () => string,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): OwnCookie {
  const place = () => {
    const secure = new URL(url()).protocol === 'https:'
    const how = { path: '/', httpOnly: true, secure, sameSite }
    return { called: secure ? `__Host-${name}` : name, how }
  }
  return {
    read: (c) => getCookie(c, place().called),
    write(c, value, seconds) {
      const { called, how } = place()
      setCookie(c, called, value, { ...how, ...(seconds !== null && { maxAge: seconds }) })
    },
    remove(c) {
      const { called, how } = place()
      deleteCookie(c, called, how)
    },
  }
}
