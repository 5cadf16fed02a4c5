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

/** `url` is where clients address the server, asked at each request. */
export function ownCookie(name: string, url: () => string): OwnCookie {
  const place = () => {
    const secure = new URL(url()).protocol === 'https:'
    // Coming back from an issuer is a step from another site, so `Strict` would hold it back.
    const how = { path: '/', httpOnly: true, secure, sameSite: 'Lax' } as const
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
