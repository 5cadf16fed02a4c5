// A script of this project as plain JavaScript in a folder of its own, for tests that start very
// many processes: a process that need not strip types first starts in a third of the time.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { transformSync } from '@swc/wasm-typescript'
import { assert } from '#core/kernel/fault'

const root = resolve(import.meta.dirname, '..', '..')
const specifierPattern = /(?<=from ')(?:#|\.\.?\/)[^']+(?=')/g

/** The layers by their aliases, as package.json has them for development. */
function layers(): ReadonlyMap<string, string> {
  const { imports }: { imports: Record<string, { 'warrant-source': string }> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const layer = Object.entries(imports)
  return new Map(layer.map(([alias, files]) => [alias.slice(0, -1), files['warrant-source']]))
}

/** Writes the script and all that it imports below the folder, and gives its new path. */
export function plainScript(script: string, folder: string): string {
  const aliases = layers()
  const moved = (file: string): string => join(folder, relative(root, file)).replace(/\.ts$/, '.js')
  const source = (specifier: string, from: string): string => {
    if (specifier.startsWith('.')) return resolve(dirname(from), specifier)
    const alias = specifier.slice(0, specifier.indexOf('/') + 1)
    const place = aliases.get(alias)
    assert(place !== undefined, `${specifier} is of a layer`)
    return join(root, place.replace('*', specifier.slice(alias.length)))
  }
  const files = [script]
  for (const file of files) {
    const { code } = transformSync(readFileSync(file, 'utf8'), { mode: 'strip-only' })
    const plain = code.replaceAll(specifierPattern, (specifier) => {
      const wanted = source(specifier, file)
      if (!files.includes(wanted)) files.push(wanted)
      const path = relative(dirname(file), wanted).replace(/\.ts$/, '.js')
      return path.startsWith('.') ? path : `./${path}`
    })
    mkdirSync(dirname(moved(file)), { recursive: true })
    writeFileSync(moved(file), plain)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return moved(script)
}
