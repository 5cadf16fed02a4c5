// Writes the golden log of this version from a played story, once: what is there is never written
// again. Before a release: node --conditions=warrant-source --import tsx test/golden/write.ts
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { digestOf } from '#core/digest'
import { writeLine } from '#core/vlp/ndjson'
import { goldenStory } from './story.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(await readFile(join(here, '..', '..', 'package.json'), 'utf8'))
const folder = join(here, version)
if (existsSync(folder)) throw new Error(`${folder} is there, and golden logs are never edited`)

const { facts, modules } = await goldenStory()
await mkdir(folder, { recursive: true })
const lines = facts.map(({ position, appendedAt, name, bytes }) => {
  const text = Buffer.from(bytes).toString('utf8')
  const isText = Buffer.from(text, 'utf8').equals(Buffer.from(bytes))
  const content = isText ? { text } : { base64: Buffer.from(bytes).toString('base64') }
  return writeLine({ position, appendedAt, name, ...content })
})
await writeFile(join(folder, 'log.ndjson'), lines.join(''))
for (const module of modules) {
  await writeFile(join(folder, `${digestOf(module).replace('sha256:', '')}.module`), module)
}
