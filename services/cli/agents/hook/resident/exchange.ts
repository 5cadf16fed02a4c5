// What a hook and the resident process say to each other: a question and an answer over one
// connection, each one JSON text. An answer is believed for nothing: any process of the user may
// have written it, so it is looked at member by member, and an allow is read in the log.
import { connect, type Socket } from 'node:net'
import { parseJson } from '#record/json'
import { textUpTo } from '../event-text.ts'

/** What a hook hands over of the event that its host has sent. */
export interface ResidentQuestion {
  readonly is: 'event'
  readonly version: string
  readonly host: string
  /** As the host sent it. */
  readonly event: string
  readonly as: string | null
  readonly root: string | null
  readonly observes: boolean
  /** Of this call alone. */
  readonly nonce: string
}

export type ResidentAnswer =
  /** What the hook is to do in its own process. */
  | { readonly is: 'elsewhere' }
  | { readonly is: 'denied'; readonly reason: string }
  /** By the verdict of that name, which was redeemed for this call. */
  | { readonly is: 'allowed'; readonly verdict: string }
  /** Of what asks for nothing, or is only observed. */
  | { readonly is: 'noted' }

/** What it says of itself. */
export interface ResidentSelf {
  readonly is: 'self'
  readonly version: string
  readonly pid: number
  readonly file: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly calls: number
}

const bytesMax = 10 * 1024 * 1024

/** Rejects where no one listens there, or what comes is no answer in that time. */
export async function askResident(
  socket: string,
  question: object,
  { waitMs, ready }: { readonly waitMs: number; readonly ready?: () => Promise<void> },
): Promise<unknown> {
  const connection = connect({ path: socket })
  const late = setTimeout(() => connection.destroy(new Late()), waitMs)
  try {
    await new Promise((resolve, reject) => {
      connection.once('connect', resolve)
      connection.once('error', reject)
    })
    await ready?.()
    connection.end(JSON.stringify(question))
    return parseJson(await textFrom(connection))
  } finally {
    clearTimeout(late)
    connection.destroy()
  }
}

/** It is there, and does not answer. */
export class Late extends Error {}

/** All that comes until the other side ends. */
export function textFrom(connection: Socket): Promise<string> {
  // What is read to its end can still be written to.
  return textUpTo(connection.iterator({ destroyOnReturn: false }), { what: 'it', bytesMax })
}

/** The member of an object at that path; undefined where there is none. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = Reflect.get(found, key)
  }
  return found
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = memberAt(value, ...path)
  return typeof found === 'string' ? found : null
}
