// What an argument of a command comes to by its role: concepts, and changes of what is known.
import { withoutEnd } from '#record/reading/text-end'
import { PathRole } from '#schemas/shell/table'
import { distinct, dividesOtherwise } from './scope.ts'
import { locatePath, unknownFolder } from './place.ts'
import { chosenBelow, filtersOf } from './paths/chosen.ts'
import { onPath } from './paths/on-path.ts'
import type { ShellCall } from './paths/shell-call.ts'
import { deepMark, globMark, homeMark, isAnyName, numbersAsGlobs, unknownMark } from './marks.ts'
import { compute, isVariable, onValue } from './sums.ts'

/** Applies the role to the text of one argument. */
export function applyRole(role: string, text: string, call: ShellCall): void {
  const path = PathRole.safeParse(role)
  if (path.success) {
    onPath(path.data, text, call)
    return
  }
  const dialect = call.table.dialects.get(role)
  if (dialect !== undefined) {
    const shown = numbersAsGlobs(text).replaceAll(homeMark, '~').replaceAll(globMark, '*')
    const bare = bareOf(shown)
    const rule =
      text.includes(unknownMark) || isName(text)
        ? dialect.at(-1)
        : dialect.find(({ match, unquoted }) => match.test(unquoted ? bare : shown))
    for (const one of rule?.is ?? []) call.add(one)
    return
  }
  applyWord(role, text, call)
}

/** Whether it stands for names of files, as the shell or a search makes them. */
function isName(text: string): boolean {
  const at = text.indexOf(globMark)
  if (text.includes(deepMark)) return true
  return at !== -1 && /^[\w./-]*$/u.test(text.slice(0, at)) && !text.slice(at).includes('/')
}

/**
 * Without what stands in quotation marks or in a comment. Where one dialect of a language escapes,
 * quotes or names in another way than the next, nothing is left out. Each ends within its line, so
 * that a quotation mark in a comment that only some of them have pairs with none behind it.
 */
function bareOf(text: string): string {
  if (/[\\`[]|\$\w*\$/u.test(text)) return text
  const left = /'[^'\n]*'|"[^"\n]*"|\/\*(?![!M])[^\n]{0,512}?\*\/|--(?=\s|$)[^\n]*/gu
  return text.replaceAll(left, (one) => (/^['"]/u.test(one) ? "''" : ' '))
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
      onAlias(text, call)
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
    case 'process':
      if (call.table.namesGuard(text)) call.add('guard.change')
      if (text.includes(unknownMark)) call.note('unknown_ended')
      return
    case 'field':
    case 'name': {
      setVariable(`${text}=${unknownMark}`, call)
      return
    }
    default:
      applyFile(role, text, call)
  }
}

function onAlias(text: string, call: ShellCall): void {
  // In fish a name and what it stands for are two arguments.
  const isFish = call.fields.filter((one) => !one.startsWith('-')).length > 2
  if (!isFish && !text.includes('=')) return
  call.add('code.run')
  call.runScript(text.slice(text.indexOf('=') + 1))
}

function applyFile(role: string, text: string, call: ShellCall): void {
  if (role === 'object') onObject('read', text, call)
  else if (role === 'tracked') onObject('write', text, call)
  else if (role === 'discarded') onObject('destroy', text, call)
  else if (role === 'range') onPath('read', text.slice(text.lastIndexOf(':') + 1), call)
  else if (role === 'operand') onOperand(text, call)
  else if (role === 'mount') onMount(text, call)
  else if (role === 'patchtext') onPatch(text, call)
}

/** What a repository has under a name: a revision, a path, or a pattern of paths. */
function onObject(role: PathRole, text: string, call: ShellCall): void {
  if (/^:(?:[!^]|\([^)]*exclude)/u.test(text)) return
  const path = text.replace(/^:(?:\([^)]*\)|\/)?/u, '')
  const file = path.slice(path.indexOf(':') + 1)
  const choice = { filters: filtersOf('filter', file), isDeep: true }
  if (!/[*?[]/u.test(file) || text.includes(unknownMark)) onPath(role, file, call)
  else for (const one of chosenBelow('.', choice)) onPath(role, one, call)
}

/** `PATH:…`, or `…,source=PATH,…`: code in the container may read it. */
function onMount(text: string, call: ShellCall): void {
  const named = /(?:^|,)(?:src|source)=(?<path>[^,]*)/u.exec(text)?.groups?.['path']
  const path = named ?? text.split(':')[0] ?? text
  const isVolume = named === undefined && /^[\w][\w.-]*$/u.test(path)
  if (!isVolume) onPath('read', path, call)
}

const headers = [
  /^\*\*\* (?:(?:Add|Update|(?<gone>Delete)) File|Move to): (?<path>.+)$/u,
  /^(?:\+\+\+|---|rename to) (?<path>.+)$/u,
]

/** The files that a patch changes, by its headers. */
function onPatch(text: string, call: ShellCall): void {
  for (const line of text.split('\n')) {
    const found = headers.map((one) => one.exec(line)?.groups)
    const { gone, path = '' } = found.find((one) => one !== undefined) ?? {}
    const name = path
      .replace(/\t.*$/u, '')
      .replace(/^[ab]\//u, '')
      .trim()
    if (name !== '') onPath(gone === undefined ? 'write' : 'destroy', name, call)
  }
}

/** Of `dd`: `if=PATH`, `of=PATH`, and what changes neither. */
function onOperand(text: string, call: ShellCall): void {
  const [name = '', ...rest] = text.split('=')
  const path = rest.join('=')
  if (isAnyName(name)) call.add('write.inside')
  if (name.includes(unknownMark))
    for (const one of ['write.outside', 'destroy.unknown']) call.add(one)
  else if (name === 'if') onPath('read', path, call)
  else if (name === 'of') {
    call.add('write.inside')
    onPath('write', path, call)
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
  const whole = withoutEnd(at === -1 ? text : text.slice(0, at), /\+/)
  if (!isVariable(whole, call.scope)) call.add('code.run')
  const name = whole.replace(/\[[^]*$/u, '')
  const { table, scope } = call
  if (table.isGuardName(name)) call.add('guard.change')
  else if (table.isRunningName(name)) call.add('code.run')
  else if (name === 'IFS' && at !== -1 && dividesOtherwise(text.slice(at + 1))) call.add('code.run')
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
  const left = scope.folders.filter(({ place }) => place !== 'inside')
  if (left.length === 0) return
  const isOwn = left.every(({ place, path }) => place === 'outside' && call.table.isOwn(path))
  call.add('read.outside', ...(isOwn ? (['own'] as const) : []))
}

/** The text of a script again, where it can be read; whether all of it is known. */
export function sourceOf(text: string): { readonly source: string; readonly isWhole: boolean } {
  const source = numbersAsGlobs(text)
    .replaceAll(unknownMark, '${_unknown_}')
    .replaceAll(globMark, '*')
    .replaceAll(homeMark, '~')
  return { source, isWhole: !text.includes(unknownMark) }
}
