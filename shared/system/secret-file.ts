// Files that hold secrets: read only where they are for their owner alone. The mode is that of the
// open file, so that it is not another one by the time it is read.
import { open } from 'node:fs/promises'
import { platform } from 'node:os'
import { Fault } from '#record/fault'

/** What a mode lets others than the owner do. */
export const forOthers = 0o077

/** What is in the file; a fault calls it `what`. */
export async function secretText(file: string, what: string): Promise<string> {
  const { mode, text } = await opened(file, what)
  // Windows has no such modes.
  if (platform() !== 'win32' && (mode & forOthers) !== 0) {
    const message = `others may read or write ${what} \`${file}\`: chmod 600 ${file}`
    throw new Fault('credentials_invalid', message)
  }
  return text
}

async function opened(
  file: string,
  what: string,
): Promise<{ readonly mode: number; readonly text: string }> {
  try {
    const handle = await open(file)
    try {
      return { mode: (await handle.stat()).mode, text: await handle.readFile('utf8') }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw new Fault('credentials_invalid', `${what} \`${file}\` cannot be read`, { cause })
  }
}
