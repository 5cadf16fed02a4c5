// Where an editor finds the JSON Schema of a file of a seed folder, as the file names it: in the
// package as a project installs it, so that it is the same on every machine.
import { join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isOfNpxCache } from '#wiring/called'
import { packageRoot } from '#cli/terminal/opening/package-root'

const installed = join('node_modules', 'warrant-runtime')

/** A path from the folder; of a program that no project around it has, the address of its file. */
export function schemaPlace(
  folder: string,
  kind: 'graph' | 'catalog',
  root: string = packageRoot(),
): string {
  const from = resolve(folder)
  const project = resolve(from, '..')
  const [home = root] = root.split(`${sep}node_modules${sep}`)
  // A project or a workspace has it, or it is a clone, in which the package is the project.
  const isOwn = home === project || isBelow(root, project) || isBelow(project, home)
  if (!isOwn && !isOfNpxCache(root)) return pathToFileURL(fileIn(root, kind)).href
  // What `npx` has for a while is where the project will have it.
  const place = isOwn ? root : join(project, installed)
  return relative(from, fileIn(place, kind)).split(sep).join('/')
}

function fileIn(root: string, kind: string): string {
  return join(root, 'schemas', 'generated', `${kind}.json`)
}

function isBelow(at: string, folder: string): boolean {
  return at.startsWith(`${folder}${sep}`)
}
