// A folder as text: what it holds, and the content of all that is text.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { block } from './subject.ts'

const binary = /\.(db|gz)$/
/** What SQLite has beside a log, or not, and marks of logs, whose order chance makes. */
const passing = /\.db-(wal|shm)$|^\.keys\/marks\//

/** Without what matches `except`, by its path in the folder. */
export async function folderText(folder: string, except?: RegExp): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const texts: string[] = []
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    const place = relative(folder, path).split(sep).join('/')
    // It may be gone by now.
    if (passing.test(place) || except?.test(place) === true) continue
    const found = await stat(path)
    if (found.isDirectory()) continue
    const mode = (found.mode & 0o777).toString(8)
    const content = binary.test(place) ? '' : await readFile(path, 'utf8')
    texts.push(block(`${place} (${mode})`, content))
  }
  return texts.join('')
}
