// Imports every script and every entry of the installed package: a bundle that asks for a file that
// is not there fails here, and not when a person calls the one command that has it. Programs would
// begin; of those and of all others, each file that they name beside themselves must be there.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(process.cwd(), 'node_modules/warrant-runtime')
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { resolve } = createRequire(join(process.cwd(), 'stranger.js'))

/** A peer that only some have is not installed here. */
const isPeerMissing = ({ code, message }) =>
  code === 'ERR_MODULE_NOT_FOUND' &&
  Object.keys(manifest.peerDependencies).some((peer) => message.includes(`'${peer}'`))

const isProgram = (path) => /(?:cli[/\\]main|replay[/\\]thread|-program)\.js$/.test(path)
/** From sources it makes the page that a package has. */
const isNotShipped = (name) => name.endsWith('services/console/bundling.js')
const named = /\b(?:from |import |import\()["'`](?<name>\.{1,2}\/[^"'`$]+\.c?js)["'`]/g

const scripts = readdirSync(dist, { recursive: true })
  .filter((name) => /\.c?js$/.test(name) && !name.startsWith('console'))
  .map((name) => join(dist, name))
const entries = Object.keys(manifest.exports).filter((name) => !name.includes('*'))
const loaded = [
  ...scripts.filter((path) => !isProgram(path)),
  ...entries.map((name) => resolve(join('warrant-runtime', name))),
]
const failed = []
if (!scripts.some((path) => path.startsWith(join(dist, 'chunks'))))
  failed.push('nothing is bundled')
for (const path of scripts) {
  for (const { groups } of readFileSync(path, 'utf8').matchAll(named)) {
    const file = join(dirname(path), groups.name)
    if (!existsSync(file) && !isNotShipped(groups.name)) failed.push(`${path}: no ${groups.name}`)
  }
}
for (const path of loaded) {
  try {
    const json = path.endsWith('.json') ? { with: { type: 'json' } } : undefined
    await import(pathToFileURL(path).href, json)
  } catch (error) {
    if (!isPeerMissing(error)) failed.push(`${path}: ${error.message.split('\n')[0]}`)
  }
}
if (failed.length > 0) throw new Error(`cannot be loaded:\n${failed.join('\n')}`)
