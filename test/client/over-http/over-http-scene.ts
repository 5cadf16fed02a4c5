// Clients over HTTP of the principals of a scene, at its server, and a line to it that a test can
// cut, delay or look at.
import {
  connectHttp,
  type HttpConnectOptions,
  type HttpWarrant,
} from '#client/over-http/connect-http'
import { httpDoorScene, type HttpDoor } from '../../http/http-door.ts'
import { endWithTest } from '../../support/vitest/endings.ts'
import { silentLogger } from '#runtime/reporting/logger'

export interface OverHttp {
  readonly door: HttpDoor
  readonly as: (
    who: keyof HttpDoor['tokens'],
    more?: Partial<HttpConnectOptions>,
  ) => Promise<HttpWarrant>
}

export async function overHttp(served?: Parameters<typeof httpDoorScene>[0]): Promise<OverHttp> {
  const door = await httpDoorScene(served)
  return {
    door,
    async as(who, more = {}) {
      const { url } = door.serving
      const client = await connectHttp({
        url,
        token: door.tokens[who],
        logger: silentLogger,
        ...more,
      })
      endWithTest(() => client.close())
      return client
    },
  }
}

/** The address of the intent that people are asked about next. */
export async function reviewed({ on }: HttpDoor): Promise<string> {
  const { name } = await on.bound('main.1.review.>')
  return name.split('.').slice(3, 6).join('.')
}

/** What the code of the fault is with which it ends. */
export async function codeOf(act: Promise<unknown>): Promise<string> {
  try {
    await act
    return 'none'
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    return typeof code === 'string' ? code : String(error)
  }
}

/** Sends as it should, and notes what was sent; `answer` may give another answer instead. */
export function line(
  answer: (call: string, count: number) => 'cut' | 'lost' | Response | null = () => null,
): { readonly fetch: typeof globalThis.fetch; readonly calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    fetch: async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const call = `${init?.method ?? 'GET'} ${pathname.replace(/[^/]+\.[^/]+\.[^/]+/, '{id}')}`
      calls.push(call)
      const found = answer(call, calls.filter((one) => one === call).length)
      if (found instanceof Response) return found
      if (found === 'cut') throw new TypeError('fetch failed', { cause: refused })
      const response = await fetch(input, init)
      if (found === null) return response
      throw new TypeError('fetch failed', { cause: refused })
    },
  }
}

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
