// Who may name a coding agent. What is asked of one is a member of its entry, so that one more is a
// file and its line in the list.
import { hosts } from '#shell/hooks/hosts/hosts'
import { at, sourcesOf, visit, type Files } from './source.ts'

const entries = 'shared/shell/hooks/hosts/'
const names: ReadonlySet<string> = new Set(hosts.map(({ name }) => name))
/** Of what else there is one by that name: pages of results, and what the pointer looks like. */
const alsoMeant: ReadonlySet<string> = new Set(['cursor'])

/** Every place but its entry that names a coding agent. */
export function hostsAreEntries(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const isOurs = /^(?:schemas|shared|services)\//.test(source.path)
    if (!isOurs || source.path.startsWith(entries)) return []
    const found: string[] = []
    const judge = (name: string, start: number): void => {
      if (names.has(name)) found.push(at(source, start, `names ${name}: ask its entry`))
    }
    visit(source, {
      Literal({ value, start }) {
        if (typeof value === 'string') judge(value, start)
      },
      Property({ key, start }) {
        if (key.type === 'Identifier' && !alsoMeant.has(key.name)) judge(key.name, start)
      },
      ImportDeclaration({ source: { value }, start }) {
        const one = /\/hosts\/(?<name>[\w-]+)(?:\.ts)?$/.exec(value)?.groups?.['name']
        if (one !== undefined && names.has(one))
          found.push(at(source, start, 'takes one of the hosts: ask the list'))
      },
    })
    return found
  })
}
