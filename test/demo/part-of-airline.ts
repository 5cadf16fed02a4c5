// The first conversations of the airline's recording, as a recording of their own.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const seed = new URL('../../seeds/airline/', import.meta.url)

/** The folder that has them. */
export async function partOfAirline(cwd: string, conversations: number): Promise<string> {
  const folder = join(cwd, 'data')
  await mkdir(folder)
  const sessionOf = (line: string): string => JSON.parse(line).session
  const lines = async (name: string): Promise<readonly string[]> =>
    (await readFile(new URL(name, seed), 'utf8')).trim().split('\n')
  const calls = await lines('calls.ndjson')
  const played = new Set([...new Set(calls.map(sessionOf))].slice(0, conversations))
  for (const name of ['calls.ndjson', 'labels.ndjson']) {
    const some = (await lines(name)).filter((line) => played.has(sessionOf(line)))
    await writeFile(join(folder, name), some.join('\n'))
  }
  return folder
}
