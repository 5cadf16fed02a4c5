// Starts the resident process once a hook has answered by itself, apart from it and from its host:
// the calls after it find the log open.
import { spawn } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { environment } from '#wiring/environment'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { ourProgram } from '../settings-place.ts'
import { madeFolder, ofPeople, residentPlace, startMark, type ResidentOf } from './place.ts'

/** What does not start is not tried with each call. */
const againMs = 30_000

/** It never throws: without one each hook opens the log itself. */
export function startResident(options: GlobalOptions & ResidentOf): void {
  if (!options.stages || options.acceptClock === true) return
  const place = residentPlace(options)
  if (place === null || !madeFolder(place.folder)) return
  try {
    if (!isFirst(startMark(place))) return
    const [program = '', ...words] = ourProgram()
    const { realm, rootKey, add } = options
    const given = Object.entries({ log: place.file, realm, 'root-key': rootKey, add })
    const own = Object.entries(environment()).filter(([name]) => !ofPeople.includes(name))
    const child = spawn(
      program,
      [
        ...words,
        'hook',
        'resident',
        '--serve',
        ...given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
      ],
      { detached: true, stdio: 'ignore', env: Object.fromEntries(own) },
    )
    child.on('error', () => undefined)
    child.unref()
  } catch {
    // The folder is full or gone: the next call opens the log itself, as this one did.
  }
}

/** Of several hooks that come at once, and of those after one that failed. */
function isFirst(mark: string): boolean {
  const seen = statSync(mark, { throwIfNoEntry: false })
  if (seen !== undefined && Math.abs(Date.now() - seen.mtimeMs) < againMs) return false
  if (seen !== undefined) rmSync(mark, { force: true })
  try {
    writeFileSync(mark, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch {
    return false
  }
}
