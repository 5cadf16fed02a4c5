// What one recorder makes: files of text below one folder of what is recorded. Nothing in them
// depends on the machine, the moment, or chance: what cannot be fixed has a named placeholder.
import { packageVersion } from '#cli/terminal/opening/package-root'

export interface Subject {
  /** The folder that this recorder alone fills: `frozen/…` never changes, `ours/…` may. */
  readonly folder: string
  /** The text of each file, by its name in that folder. */
  readonly record: () => Promise<ReadonlyMap<string, string>>
}

/** What stands in the place of what differs from run to run, such as a folder. */
export type Placeholders = Readonly<Record<string, string>>

const escape = String.fromCodePoint(0x1b)

/** What no clock that stands still fixes, and what belongs to the machine or the release. */
const varying: readonly (readonly [RegExp, string])[] = [
  // Colours, where the environment asks for them.
  [new RegExp(`${escape}\\[[0-9;]*m`, 'g'), ''],
  [/\bin \d+(?:\.\d+)? m?s\b(?:: \d+ a second)?/g, 'in <time>'],
  [/#link=[\w.~-]+/g, '#link=<link>'],
  [/"ms":\d+(?:\.\d+)?/g, '"ms":0'],
  [/\d+ MiB free/g, '<free> MiB free'],
  [/\d+ [KM]iB, integrity/g, '<size>, integrity'],
  [new RegExp(`Node ${process.versions.node}`.replaceAll('.', '\\.'), 'g'), 'Node <node>'],
  [new RegExp(`"${packageVersion()}"`.replaceAll('.', '\\.'), 'g'), '"<version>"'],
  [new RegExp(`warrant ${packageVersion()}`.replaceAll('.', '\\.'), 'g'), 'warrant <version>'],
]

/** The text with placeholders, and with one line break at its end. */
export function plain(text: string, placeholders: Placeholders = {}): string {
  let found = text
  // A folder within another comes first.
  const all = Object.entries(placeholders).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of all) found = found.replaceAll(value, `<${name}>`)
  for (const [what, instead] of varying) found = found.replaceAll(what, instead)
  return found === '' || found.endsWith('\n') ? found : `${found}\n`
}

const longLine = 200

/** With each long line of JSON laid out, so that what has changed in it can be seen. */
export function laidOut(text: string): string {
  const lines = text.split('\n').map((line) => {
    if (line.length <= longLine || !/^[{[]/.test(line)) return line
    return JSON.stringify(JSON.parse(line), null, 1)
  })
  return lines.join('\n')
}

/** JSON that a person can compare: keys in the order in which they come. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** One block of a file: what was asked, and what came. */
export function block(title: string, text: string): string {
  return `=== ${title}\n${text === '' || text.endsWith('\n') ? text : `${text}\n`}`
}
