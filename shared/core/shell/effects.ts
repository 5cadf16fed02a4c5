// What an argument of a command comes to by its role: concepts, and changes of what is known.
import type { PathRole, ShellEntry } from '#schemas/shell/table'
import { PathRole as PathRoles } from '#schemas/shell/table'
import { distinct, type Scope } from './scope.ts'
import type { ShellScript } from './syntax.ts'
import { locatePath, unknownFolder, type Located, type Root } from './place.ts'
import type { ShellTable } from './surroundings.ts'
import { globMark, homeMark, numbersAsGlobs, unknownMark } from './marks.ts'
import { compute, isName, onValue } from './sums.ts'

/** What a command does as it is called. */
export interface Acting {
  readonly is?: string | undefined
  readonly here?: PathRole | undefined
  readonly bare?: PathRole | undefined
  readonly args?: string | undefined
  readonly lists?: true | undefined
  readonly filters?: true | undefined
  readonly alone?: string | undefined
  readonly runsInput?: true | undefined
  readonly feeds?: true | undefined
  readonly counts?: true | undefined
}

export interface Printed {
  readonly entry: ShellEntry
  readonly act: Acting
  readonly words: readonly string[]
  readonly fields: readonly string[]
  /** Whether a path stands among the arguments. */
  readonly reads: boolean
}

/** One command that runs, and what the walk offers it. */
export interface ShellCall {
  readonly fields: readonly string[]
  readonly table: ShellTable
  readonly root: Root
  readonly scope: Scope
  /** In how many other commands it stands. */
  readonly depth: number
  /** What stands for an item of the input. */
  readonly holder: string | null
  /** The folders in which it works. */
  folders: readonly Located[]
  readonly add: (concept: string) => void
  /** A secret is in its own arguments. */
  readonly holdSecret: () => void
  readonly enter: (folder: string) => void
  readonly runCommand: (fields: readonly string[]) => void
  readonly runScript: (source: string) => void
  /** At a time when nothing is known of where it stands. */
  readonly runLater: (source: string) => void
  /** What it reads, if that is known. */
  readonly input: () => string | null
  readonly isLoose: boolean
  readonly runFunction: (bodies: readonly ShellScript[]) => void
  /** The items of its input. */
  readonly fed: () => readonly string[]
  readonly prints: (printing: Printed) => void
}

/** Applies the role to the text of one argument. */
export function applyRole(role: string, text: string, call: ShellCall): void {
  const path = PathRoles.safeParse(role)
  if (path.success) {
    onPath(path.data, text, call)
    return
  }
  const dialect = call.table.dialects.get(role)
  if (dialect !== undefined) {
    const shown = numbersAsGlobs(text).replaceAll(homeMark, '~').replaceAll(globMark, '*')
    const rule = text.includes(unknownMark)
      ? dialect.at(-1)
      : dialect.find(({ match }) => match.test(shown))
    for (const one of rule?.is ?? []) call.add(one)
    return
  }
  applyWord(role, text, call)
}

function applyWord(role: string, text: string, call: ShellCall): void {
  switch (role) {
    case 'data': {
      const file = /(?:^|=)[@<](?<path>.*)$/su.exec(text)?.groups?.['path']
      if (file !== undefined && file !== '-') onPath('read', file.split(';')[0] ?? file, call)
      return
    }
    case 'from':
    case 'to':
      if (/^[^/]*:/u.test(text)) {
        call.add(role === 'from' ? 'network.fetch' : 'network.send')
        return
      }
      {
        onPath(role === 'from' ? 'read' : 'write', text, call)
        return
      }
    case 'cd':
    case 'push':
    case 'pop': {
      goTo(role, text, call)
      return
    }
    case 'script': {
      call.runScript(text)
      return
    }
    case 'later': {
      call.runLater(text)
      return
    }
    case 'sum': {
      compute(text, call)
      return
    }
    case 'alias':
      if (text.includes('=')) {
        call.add('code.run')
        call.runScript(text.slice(text.indexOf('=') + 1))
      }
      return
    case 'code':
      call.add('code.run')
      if (call.table.mentionsGuard(text)) call.add('guard.change')
      return
    case 'assign': {
      onEnvironment(text, call)
      return
    }
    case 'set': {
      setVariable(text, call)
      return
    }
    case 'unset': {
      setVariable(`${text}=`, call)
      return
    }
    case 'object': {
      const path = text.replace(/^:(?:\([^)]*\)|[!^/])?/u, '')
      onPath('read', path.slice(path.indexOf(':') + 1), call)
      return
    }
    case 'field':
    case 'name': {
      setVariable(`${text}=${unknownMark}`, call)
      return
    }
    default:
  }
}

/** A variable for the environment of one command. */
export function onEnvironment(text: string, call: ShellCall): void {
  const [name = ''] = text.split(/\+?=/u)
  const { table } = call
  if (table.isGuardName(name)) call.add('guard.change')
  else if (table.isRunningName(name)) call.add('code.run')
  else if (!table.isHarmlessName(name)) call.add('environment.set')
}

export function setVariable(text: string, call: ShellCall): void {
  const at = text.indexOf('=')
  const whole = (at === -1 ? text : text.slice(0, at)).replace(/\+$/u, '')
  if (!isName(whole, call.scope)) call.add('code.run')
  const name = whole.replace(/\[[^]*$/u, '')
  const { table, scope } = call
  if (table.isGuardName(name)) call.add('guard.change')
  else if (table.isRunningName(name)) call.add('code.run')
  const before = scope.get(name)
  const value = text.slice(at + 1)
  // Inside a function a name without a value is a new variable, and empty.
  if (at === -1) scope.set(name, { ...before, isMap: false, values: [...before.values, ''] })
  else if (name.length < at) scope.set(name, { ...before, values: [...before.values, unknownMark] })
  else if (scope.isCounted(name)) onValue(name, [value], call)
  else scope.set(name, { values: [value], isSecret: false })
}

function goTo(role: 'cd' | 'push' | 'pop', text: string, call: ShellCall): void {
  const { scope, folders: before } = call
  const [last = [unknownFolder], ...rest] = scope.pushed
  // `+1` turns the list of folders; without a name `pushd` changes the last two.
  const turns = role !== 'cd' && /^[+-]\d+$/u.test(text)
  if (role === 'pop') scope.folders = turns || text !== '' ? [unknownFolder] : last
  else if (turns) scope.folders = [unknownFolder]
  else if (role === 'push' && text === '') scope.folders = last
  else if (text === '-') scope.folders = scope.previous
  else scope.folders = distinct(before.map((base) => locatePath(text, base, call.root)))
  scope.previous = before
  if (role === 'push') scope.pushed = [before, ...(text === '' ? rest : scope.pushed)]
  if (role === 'pop') scope.pushed = rest
  if (scope.folders.some(({ place }) => place !== 'inside')) call.add('read.outside')
}

/** What it does to the folder where it works. */
export function onFolder(role: PathRole, call: ShellCall): void {
  onPath(role, '.', call)
}

export function onPath(role: PathRole, text: string, call: ShellCall): void {
  if (text === '' || (text === '-' && role !== 'destroy' && role !== 'run')) return
  for (const base of call.folders) onLocated(role, locatePath(text, base, call.root), call)
}

function onLocated(role: PathRole, located: Located, call: ShellCall): void {
  const { table } = call
  const { place, path } = located
  const isChange = role !== 'read' && role !== 'run'
  if (table.isNetwork(path)) {
    call.add('network.send')
    return
  }
  if (place === 'outside' && table.isHarmless(path)) {
    call.add(role === 'run' ? 'code.run' : 'harmless')
    return
  }
  if (isChange && role !== 'link' && table.isGuard(located, call.root)) call.add('guard.change')
  if (!isChange || role === 'move' || role === 'link') {
    if (table.isSecret(located, call.root)) {
      call.add('secret.read')
      call.holdSecret()
    }
  }
  const isInside = place === 'inside'
  switch (role) {
    case 'read':
    case 'link': {
      call.add(isInside ? 'read.inside' : 'read.outside')
      return
    }
    case 'run':
      call.add('code.run')
      {
        call.add(isInside ? 'read.inside' : 'read.outside')
        return
      }
    case 'make': {
      call.add(isInside ? 'write.inside' : 'write.outside')
      return
    }
    case 'write':
      if (place === 'outside' && table.isSystem(path)) {
        call.add('destroy.outside')
        return
      }
      {
        call.add(isInside ? 'write.inside' : 'write.outside')
        return
      }
    case 'move':
      if (isInside) {
        call.add('write.inside')
        return
      }
      {
        call.add(place === 'unknown' ? 'destroy.unknown' : 'destroy.outside')
        return
      }
    case 'destroy': {
      call.add(`destroy.${place}`)
      return
    }
  }
}

/** The text of a script again, where it can be read; whether all of it is known. */
export function sourceOf(text: string): { readonly source: string; readonly isWhole: boolean } {
  const source = numbersAsGlobs(text)
    .replaceAll(unknownMark, '${_unknown_}')
    .replaceAll(globMark, '*')
    .replaceAll(homeMark, '~')
  return { source, isWhole: !text.includes(unknownMark) }
}
