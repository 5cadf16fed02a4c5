// What this release serves as the page, by its digests, and whether a server gives the same.
import { digestOf } from '#record/digest'
import { canonical } from '#record/canonical'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { originOf } from './enrol.ts'
import { filesHere, filesThere, type FileHere } from './served.ts'

interface DigestOptions extends GlobalOptions {
  readonly url?: string
}

interface FileShown extends FileHere {
  /** What the server gives; absent where none was asked, null where it gives nothing. */
  readonly there?: string | null
}

export async function printDigests(options: DigestOptions): Promise<number> {
  const files = await filesHere()
  const compared: readonly FileShown[] =
    options.url === undefined
      ? files
      : (await filesThere(originOf(options.url), files)).map(({ path, digest, there }) => {
          return { path, digest, there }
        })
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
