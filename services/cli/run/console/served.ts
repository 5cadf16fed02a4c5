// What a server gives of the page, beside what this release has. A person who signs there trusts
// these files: a captured server could change them.
import { byCodeUnit } from '#record/canonical'
import { digestOf } from '#record/digest'
import { Fault } from '#record/fault'
import { pagesOf } from '#console/pages'

export interface FileHere {
  readonly path: string
  readonly digest: string
}

export interface FileThere extends FileHere {
  /** What the server gives; null where it gives nothing. */
  readonly there: string | null
  readonly headers: Headers
}

export async function filesHere(): Promise<readonly FileHere[]> {
  const files = await pagesOf()
  return [...files]
    .map(([path, { digest }]) => ({ path, digest }))
    .toSorted((one, other) => byCodeUnit(one.path, other.path))
}

/** Throws a Fault `server_unreachable` where nothing answers. */
export function filesThere(
  origin: string,
  files: readonly FileHere[],
): Promise<readonly FileThere[]> {
  return Promise.all(
    files.map(async ({ path, digest }) => {
      const response = await answerOf(origin, path)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const there = response.ok ? digestOf(bytes) : null
      return { path, digest, there, headers: response.headers }
    }),
  )
}

export async function answerOf(origin: string, path: string): Promise<Response> {
  try {
    return await fetch(`${origin}${path}`, { redirect: 'error' })
  } catch (cause) {
    throw new Fault('server_unreachable', `no console answers at ${origin}`, { cause })
  }
}
