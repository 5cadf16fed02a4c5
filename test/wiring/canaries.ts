// Secrets planted on purpose, and the search for them in everything that the runtime wrote: as they
// are, and as someone would have written them in base64 or hex.
import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '#system/file-problem'

export interface Canary {
  readonly name: string
  readonly bytes: Buffer
}

/** Something written, and by whom or where. */
export interface Written {
  readonly where: string
  readonly bytes: Buffer
}

export function canary(name: string, secret: string | Buffer): Canary {
  return { name, bytes: Buffer.from(secret) }
}

/** The private half of a PEM: its text, and the 32 bytes in it. */
export function pemCanaries(name: string, pem: string): readonly Canary[] {
  const body = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'))
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return [canary(`${name} (text)`, body.join('')), canary(`${name} (key)`, der.subarray(-32))]
}

/** Where any of them was written, in any form. */
export function leaks(canaries: readonly Canary[], written: readonly Written[]): readonly string[] {
  return canaries.flatMap(({ name, bytes }) => {
    const needles = formsOf(bytes)
    return written
      .filter((each) => needles.some((needle) => each.bytes.includes(needle)))
      .map(({ where }) => `${name} in ${where}`)
  })
}

/** As it is, in hex, and in base64 wherever in a longer text it stands. */
function formsOf(bytes: Buffer): readonly Buffer[] {
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // What stands at the ends depends on the neighbours too.
    const inner = text.replaceAll('=', '').slice(offset === 0 ? 0 : offset + 1, -2)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const texts = [hex, hex.toUpperCase(), ...base64]
  return [bytes, ...texts.map((text) => Buffer.from(text))]
}

/** Every file below the folder but those whose path is excepted. */
export function filesBelow(folder: string, isSecret: (path: string) => boolean): Written[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !isSecret(path) && statSync(path, missing)?.isFile() === true)
    .flatMap((where) => readUnlessGone(where))
}

const missing = { throwIfNoEntry: false } as const

// The journal of a database comes and goes.
function readUnlessGone(where: string): Written[] {
  try {
    return [{ where, bytes: readFileSync(where) }]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** The command lines of every process that may be seen at this moment. */
export function commandLines(): readonly Written[] {
  const ids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
  return ids.flatMap((id) => {
    try {
      const where = `the command line of process ${id}`
      return [{ where, bytes: readFileSync(`/proc/${id}/cmdline`) }]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}
