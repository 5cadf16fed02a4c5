// Where an editor finds the JSON Schema of a file of a seed folder, as the file names it: in the
// package as a project installs it, so that it is the same on every machine.
import { join, relative, resolve, sep } from 'node:path'
import { packageRoot } from '#cli/terminal/opening/package-root'

const installed = join('node_modules', 'warrant-runtime')

/** A path from the folder. */
export function schemaPlace(folder: string, kind: 'graph' | 'catalog'): string {
  const from = resolve(folder)
  const project = resolve(from, '..')
  const root = packageRoot()
  // In a clone of this project the package is not installed: it is the project.
  const isWithin = root === project || root.startsWith(`${project}${sep}`)
  const place = isWithin ? root : join(project, installed)
  const file = join(place, 'schemas', 'generated', `${kind}.json`)
  return relative(from, file).split(sep).join('/')
}
