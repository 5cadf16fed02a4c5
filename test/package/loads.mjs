// Imports every file that was bundled and every entry of the installed package: a bundle that asks
// for a file that is not there fails here, and not when a person calls the one command that has it.
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(process.cwd(), 'node_modules/warrant-runtime')
const vendor = join(root, 'dist/vendor')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { resolve } = createRequire(join(process.cwd(), 'stranger.js'))

/** A peer that only some have is not installed here. */
const isPeerMissing = ({ code, message }) =>
  code === 'ERR_MODULE_NOT_FOUND' &&
  Object.keys(manifest.peerDependencies).some((peer) => message.includes(`'${peer}'`))

const files = readdirSync(vendor, { recursive: true }).filter((name) => /\.c?js$/.test(name))
const entries = Object.keys(manifest.exports).filter((name) => !name.includes('*'))
const loaded = [
  ...files.map((name) => join(vendor, name)),
  ...entries.map((name) => resolve(join('warrant-runtime', name))),
]
const failed = []
for (const path of loaded) {
  try {
    const json = path.endsWith('.json') ? { with: { type: 'json' } } : undefined
    await import(pathToFileURL(path).href, json)
  } catch (error) {
    if (!isPeerMissing(error)) failed.push(`${path}: ${error.message.split('\n')[0]}`)
  }
}
if (failed.length > 0) throw new Error(`cannot be loaded:\n${failed.join('\n')}`)
