// A browser as far as signing in takes one: it keeps cookies as it is asked to, follows redirects,
// and sends the forms that it is shown.

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | string
}

export interface Page {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Browser {
  readonly cookies: Map<string, Cookie>
  /** One request, whose redirect is not followed. */
  ask(url: string, sent?: Sent): Promise<Page>
  /** Goes there, and wherever that leads, until `last` matches the address of a redirect. */
  go(url: string, last?: RegExp): Promise<Page>
  /** Answers the form of the page with those fields, and goes where that leads. */
  submit(page: Page, fields: Readonly<Record<string, string>>, last?: RegExp): Promise<Page>
}

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** As the server wrote it. */
  readonly text: string
}

const stepsMax = 12

export function newBrowser(): Browser {
  const cookies = new Map<string, Cookie>()
  const ask = async (url: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
    const { pathname } = new URL(url)
    const kept = [...cookies.values()].filter(({ path }) => pathname.startsWith(path))
    const cookie = kept.map(({ name, value }) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(cookie !== '' && { cookie }) },
      ...(body !== undefined && { body }),
    })
    for (const text of response.headers.getSetCookie()) keep(cookies, text)
    const { status, headers: answered } = response
    return { url, status, headers: answered, text: await response.text() }
  }
  const follow = async (first: Page, last?: RegExp): Promise<Page> => {
    let page = first
    for (let step = 0; step < stepsMax; step += 1) {
      const location = page.headers.get('location')
      if (location === null) return page
      const next = new URL(location, page.url).href
      if (last?.test(next) === true) return { ...page, url: next }
      page = await ask(next)
    }
    throw new Error(`the browser is sent round in circles: ${page.url}`)
  }
  return {
    cookies,
    ask,
    go: async (url, last) => follow(await ask(url), last),
    async submit(page, fields, last) {
      const [, action = ''] = /<form[^>]*action="(?<action>[^"]+)"/.exec(page.text) ?? []
      const sent = { method: 'POST', body: new URLSearchParams(fields) }
      return follow(await ask(new URL(action, page.url).href, sent), last)
    },
  }
}

function keep(cookies: Map<string, Cookie>, text: string): void {
  const [pair = '', ...attributes] = text.split(/; */)
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  const of = (key: string): string | undefined =>
    attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1)
  const path = of('path') ?? '/'
  const isGone = of('max-age') === '0' || Date.parse(of('expires') ?? '') < Date.now()
  if (isGone || value === '') cookies.delete(`${name} ${path}`)
  else cookies.set(`${name} ${path}`, { name, value, path, text })
}
