// A copy of the compiled sources in which every English sentence reads otherwise, with all else as
// it is: what a fact is derived from must not notice.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { builtPackage } from '../../support/vitest/built.ts'

const folders = ['schemas', 'shared', 'services']

/** Texts that are no English: changing them changes what other programs are asked to do. */
const notEnglish: readonly (readonly [RegExp, string])[] = [
  [/^shared\/log\/sqlite\//, 'SQL'],
  [/^shared\/neo4j\//, 'Cypher'],
  [/^shared\/runtime\/callbacks\/thread-source\.js$/, 'the program of the thread'],
]

/** Two words with a blank between. */
const sentence = /\p{L}\S*\s+\S*\p{L}/u
const mark = 'In other words: '

interface ChangedCopy {
  readonly folder: string
  /** How many texts read otherwise. */
  readonly changed: number
}

/** Writes the copy below the folder. `also` replaces further texts, by their value. */
export function changedCopy(
  folder: string,
  also: ReadonlyMap<string, string> = new Map(),
): ChangedCopy {
  const built = builtPackage()
  let changed = 0
  for (const top of folders) {
    const names = readdirSync(join(built, 'dist', top), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter((one) => one.endsWith('.js'))) {
      const path = `${top}/${name.replaceAll('\\', '/')}`
      const text = readFileSync(join(built, 'dist', path), 'utf8')
      const isEnglish = !notEnglish.some(([files]) => files.test(path))
      const edits = isEnglish ? editsOf(path, text, also) : []
      changed += edits.length
      const copied = join(folder, 'dist', path)
      mkdirSync(dirname(copied), { recursive: true })
      writeFileSync(copied, edited(text, edits))
    }
  }
  for (const name of ['package.json', 'dist/test']) {
    cpSync(join(built, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
  return { folder, changed }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function editsOf(path: string, text: string, also: ReadonlyMap<string, string>): readonly Edit[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read`)
  const edits: Edit[] = []
  new Visitor({
    Literal({ value, start, end }) {
      if (typeof value !== 'string') return
      const other = sentence.test(value) ? `${mark}${value}` : also.get(value)
      if (other !== undefined) edits.push({ start, end, text: JSON.stringify(other) })
    },
    TemplateLiteral({ quasis, start }) {
      // What is filled in counts as no word: `${era} ${key}` is a key and no sentence.
      const whole = quasis.map(({ value }) => value.cooked ?? value.raw).join('0')
      const inside = start + 1
      if (sentence.test(whole)) edits.push({ start: inside, end: inside, text: mark })
    },
  }).visit(program)
  return edits
}

function edited(text: string, edits: readonly Edit[]): string {
  let changed = text
  for (const { start, end, text: other } of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, start) + other + changed.slice(end)
  }
  return changed
}
