// What this release serves as the page, by its digests, and whether a server gives the same. A
// person who signs there trusts these files: a captured server could change them.
import { digestOf } from '#core/kernel/digest'
import { byCodeUnit, canonical } from '#core/kernel/canonical'
import { Fault } from '#core/kernel/fault'
import { exitCodes } from '#schemas/faults/exit'
import { pagesOf } from '#services/console/pages'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson } from '../terminal/terminal.ts'
import { originOf } from './link.ts'

export interface DigestOptions extends GlobalOptions {
  readonly url?: string
}

interface FileDigest {
  readonly path: string
  readonly digest: string
  /** What the server gives; absent where none was asked, null where it gives nothing. */
  readonly there?: string | null
}

export async function printDigests(options: DigestOptions): Promise<number> {
  const files = await digestsHere()
  const compared =
    options.url === undefined ? files : await comparedWith(originOf(options.url), files)
  const whole = digestOf(canonical(files.map(({ path, digest }) => [path, digest])))
  const differs = compared.filter(({ digest, there }) => there !== undefined && there !== digest)
  if (options.json === true) await printJson({ whole, files: compared })
  else {
    await print([
      ...compared.map(({ path, digest, there }) => {
        const state = there === undefined ? '' : there === digest ? '  same' : '  DIFFERS'
        return `${digest}  ${path}${state}`
      }),
      `${whole}  all of them`,
    ])
  }
  return differs.length === 0 ? exitCodes.yes : exitCodes.differs
}

async function digestsHere(): Promise<readonly FileDigest[]> {
  const files = await pagesOf()
  return [...files]
    .map(([path, { digest }]) => ({ path, digest }))
    .toSorted((one, other) => byCodeUnit(one.path, other.path))
}

function comparedWith(
  origin: string,
  files: readonly FileDigest[],
): Promise<readonly FileDigest[]> {
  return Promise.all(
    files.map(async ({ path, digest }) => {
      let response: Response
      try {
        response = await fetch(`${origin}${path}`, { redirect: 'error' })
      } catch (cause) {
        throw new Fault('server_unreachable', `no console answers at ${origin}`, { cause })
      }
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { path, digest, there: response.ok ? digestOf(bytes) : null }
    }),
  )
}
