// Writes what was exported to a file.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileProblem } from '#system/file-problem'
import { Fault } from '#record/fault'

/** Writes the file again. */
export async function writeTexts(file: string, texts: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(texts), createWriteStream(file))
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be written')
    throw new Fault('file_unwritable', `\`${file}\`: ${why}`, { cause })
  }
}
