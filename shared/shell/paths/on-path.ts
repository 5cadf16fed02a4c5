// What is done to one path, as concepts: where it lies, and whether it is a secret, a part of the
// guard, or a place from which things run.
import type { PathRole } from '#schemas/shell/table'
import type { ShellCall } from './shell-call.ts'
import { deepMark, globMark, hasMark, unknownMark } from '../marks.ts'
import { locatePath, type Located, type Root } from '../place.ts'
import type { ShellTable } from '../surroundings.ts'

/** What it does to the folder where it works. */
export function onFolder(role: PathRole, call: ShellCall): void {
  onPath(role, '.', call)
}

export function onPath(role: PathRole, text: string, call: ShellCall): void {
  if (text === '' || (text === '-' && role !== 'destroy' && role !== 'run')) return
  for (const base of call.folders) {
    const located = locatePath(text, base, call.root)
    onLocated(role, located, call)
    for (const other of linked(located, call)) onLocated(role, other, call)
  }
}

/** What stands there by a link that the line made before. */
function linked(located: Located, { links }: ShellCall): readonly Located[] {
  return [...links].flatMap(([key, target]) => {
    const path = `${located.place} ${located.path}`
    if (path !== key && !path.startsWith(`${key}/`)) return []
    return [{ ...target, path: `${target.path}${path.slice(key.length)}` }]
  })
}

const changes: ReadonlySet<PathRole> = new Set(['make', 'write', 'destroy', 'move', 'link'])
const shows: ReadonlySet<PathRole> = new Set(['read', 'search', 'run', 'move', 'link'])

function onLocated(role: PathRole, located: Located, call: ShellCall): void {
  const { table } = call
  const { place, path } = located
  if (table.isNetwork(path)) {
    call.add('network.send')
    return
  }
  if (place === 'outside' && table.isHarmless(path)) {
    call.add(role === 'run' ? 'code.run' : 'harmless')
    return
  }
  if (place === 'outside' && isReading(role) && table.isFact(path) && !hasMark(path)) {
    call.add('read.system')
    return
  }
  if (role !== 'link' && changes.has(role)) {
    if (table.isGuard(located, call.root)) call.add('guard.change')
    if (role !== 'destroy' && table.isRunning(located)) call.add('code.run')
  }
  const isAll = isAllBelow(path)
  if (role === 'search' && isAll) call.add('read.recursive')
  if (shows.has(role) && (table.isSecret(located, call.root) || (isAll && role !== 'search'))) {
    call.holdSecret()
  }
  if (role === 'run') call.add('code.run')
  if (role === 'run' && table.isGuardFile(path)) call.add('guard.change')
  if (place === 'outside' && role !== 'look' && table.isMachine(path)) call.add('machine.secret')
  const isOwn = place === 'outside' && table.isOwn(path)
  const concept = placed(role, located, call)
  if (!isOwn) call.add(concept)
  // What is moved is not lost.
  else call.add(concept === 'destroy.outside' && role === 'move' ? 'write.outside' : concept, 'own')
}

function isReading(role: PathRole): boolean {
  return role === 'read' || role === 'look' || role === 'search'
}

/** Whether it is everything below a folder, hidden files too. */
function isAllBelow(path: string): boolean {
  return path === `${deepMark}/${globMark}` || path.endsWith(`/${deepMark}/${globMark}`)
}

function placed(role: PathRole, located: Located, { table, root }: ShellCall): string {
  const { place, path } = located
  const isInside = place === 'inside'
  switch (role) {
    case 'read':
    case 'look':
    case 'search':
    case 'run':
    case 'link':
      return isInside ? 'read.inside' : 'read.outside'
    case 'make':
      return isInside ? 'write.inside' : 'write.outside'
    case 'write':
      if (place === 'outside' && table.isSystem(path)) return 'destroy.outside'
      return isInside ? 'write.inside' : 'write.outside'
    case 'move':
      if (isInside) return 'write.inside'
      return destroyed(located, table, root)
    case 'destroy':
      return destroyed(located, table, root)
  }
}

function destroyed({ place, path }: Located, table: ShellTable, root: Root): string {
  if (place === 'outside' && isOfAWhile(path, table)) return 'destroy.temporary'
  return place === 'outside' && mayBeProject(path, root) ? 'destroy.unknown' : `destroy.${place}`
}

/** Below `~`, where it is not known which home folder that is: the one of the project may be it. */
function mayBeProject(path: string, root: Root): boolean {
  const own = root?.replace(/^\/(?:home|Users)\/[^/]+(?=\/)/u, '~')
  if (own === undefined || own === root || !`${path}/`.startsWith(`${own}/`)) return false
  const mayLeave = (one: string) =>
    one.startsWith('.') && /^\.+$/u.test(one.replaceAll(globMark, ''))
  return !path.split('/').some(mayLeave)
}

/** Whether it is some file among the temporary ones, or all below one folder of them. */
function isOfAWhile(path: string, table: ShellTable): boolean {
  const parts = path.split('/')
  const last = parts.findLastIndex((one) => one !== globMark && one !== deepMark)
  const top = parts.slice(0, last + 1).join('/')
  return table.isTemporary(top) && named(top) !== ''
}

function named(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [unknownMark, globMark, deepMark].reduce((text, mark) => text.replaceAll(mark, ''), name)
}

const linksMax = 64

/** What is later done by the link is done to what it leads to. */
export function linkMade(words: readonly string[], call: ShellCall): void {
  const [target = '', name = target.split('/').at(-1) ?? ''] = words
  for (const base of call.folders) {
    const at = locatePath(name, base, call.root)
    const folder = { ...at, path: at.path.split('/').slice(0, -1).join('/') }
    const to = locatePath(target, target.startsWith('/') ? base : folder, call.root)
    if (call.links.size < linksMax) call.links.set(`${at.place} ${at.path}`, to)
  }
}
