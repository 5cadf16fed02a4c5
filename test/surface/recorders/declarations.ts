// The declarations of a source file as a reader of types sees them: without bodies and comments.
// What a name refers to in another file is followed there.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type Class, type Program } from 'oxc-parser'
import { z } from 'zod'
import { assert } from '#record/fault'
import { packageRoot } from '#cli/terminal/opening/package-root'

export interface Declared {
  readonly file: string
  readonly text: string
}

interface Place {
  readonly file: string
  readonly name: string
}

interface Module {
  /** What is declared here, by its name here. */
  readonly declared: ReadonlyMap<string, string>
  /** Where a name of this file comes from; what no file of ours has is left out. */
  readonly imported: ReadonlyMap<string, Place>
  /** What others see, by its name there. */
  readonly exported: ReadonlyMap<string, Place>
}

const Manifest = z.looseObject({
  imports: z.record(z.string(), z.looseObject({ 'warrant-source': z.string().optional() })),
})
const { imports } = Manifest.parse(
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')),
)

/** The source file that a specifier in `from` means; null for what is not ours. */
function fileOf(specifier: string, from: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (!specifier.startsWith('#')) return null
  const exact = imports[specifier]?.['warrant-source']
  if (exact !== undefined) return join(exact)
  for (const [pattern, { 'warrant-source': source }] of Object.entries(imports)) {
    const [before = ''] = pattern.split('*')
    if (source === undefined || !pattern.includes('*') || !specifier.startsWith(before)) continue
    const file = join(source.replace('*', specifier.slice(before.length)))
    if (existsSync(join(packageRoot(), file))) return file
  }
  return null
}

const modules = new Map<string, Module>()

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known !== undefined) return known
  const text = readFileSync(join(packageRoot(), file), 'utf8')
  const { program, module } = parseSync(file, text)
  const imported = new Map<string, Place>()
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = fileOf(moduleRequest.value, file)
    if (from === null) continue
    for (const { importName, localName } of entries) {
      imported.set(localName.value, { file: from, name: importName.name ?? localName.value })
    }
  }
  const exported = new Map<string, Place>()
  for (const { entries } of module.staticExports) {
    for (const { exportName, localName, importName, moduleRequest } of entries) {
      const from = moduleRequest === null ? file : fileOf(moduleRequest.value, file)
      const name = importName.name ?? localName.name ?? exportName.name
      if (from !== null && name !== null)
        exported.set(exportName.name ?? name, { file: from, name })
    }
  }
  const made = { declared: declarationsIn(program, text), imported, exported }
  modules.set(file, made)
  return made
}

function declarationsIn({ body }: Program, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (name: string, start: number, end: number): void => {
    const before = found.get(name)
    const own = bare(text.slice(start, end))
    found.set(name, before === undefined ? own : `${before}\n${own}`)
  }
  for (const statement of body) {
    const isExport = statement.type === 'ExportNamedDeclaration'
    const node = isExport ? (statement.declaration ?? statement) : statement
    const { type } = node
    if (type === 'FunctionDeclaration' || type === 'TSDeclareFunction') {
      if (node.id !== null) add(node.id.name, node.start, node.body?.start ?? node.end)
    } else if (type === 'ClassDeclaration') {
      if (node.id !== null) found.set(node.id.name, classText(node, text))
    } else if (type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration') {
      add(node.id.name, node.start, node.end)
    } else if (type === 'VariableDeclaration') {
      for (const { id, init, start, end } of node.declarations) {
        if (id.type !== 'Identifier') continue
        const isArrow = init?.type === 'ArrowFunctionExpression'
        add(id.name, start, isArrow ? init.body.start : end)
      }
    }
  }
  return found
}

/** Its head, and what others see of its members. */
function classText({ start, body }: Class, text: string): string {
  const members = body.body.flatMap((member) => {
    if (member.type === 'StaticBlock' || !('key' in member)) return []
    if (member.key.type === 'PrivateIdentifier') return []
    const { value } = member
    const isMethod = value !== null && 'body' in value && value.body !== null
    return [`  ${bare(text.slice(member.start, isMethod ? value.body?.start : member.end))}`]
  })
  return [bare(text.slice(start, body.start)), ...members].join('\n')
}

function bare(text: string): string {
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/ .*$/gm, '$1')
  return plain
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trimEnd()
}

const typed = /^(export )?(declare )?(abstract )?(interface|type|class)\b/

/** What a file exports, and the types that these declarations name, each once. */
export function exportedBy(file: string): ReadonlyMap<string, readonly Declared[]> {
  const found = new Map<string, Declared[]>()
  const waiting = [...moduleOf(file).exported].map(([name, place]) => {
    return { ...place, as: name, isNamed: false }
  })
  const seen = new Set<string>()
  for (const { file: at, name, as, isNamed } of waiting) {
    const { declared, imported, exported } = moduleOf(at)
    const onward = declared.has(name) ? undefined : (exported.get(name) ?? imported.get(name))
    if (seen.has(`${at} ${name}`)) continue
    seen.add(`${at} ${name}`)
    if (onward !== undefined) {
      waiting.push({ ...onward, as, isNamed })
      continue
    }
    const text = declared.get(name)
    assert(text !== undefined, `\`${name}\` is declared in ${at}`)
    if (isNamed && !typed.test(text)) continue
    found.set(as, [...(found.get(as) ?? []), { file: at, text }])
    if (isNamed) continue
    for (const [word] of text.matchAll(/\b[A-Za-z_]\w*\b/g)) {
      const from = imported.get(word) ?? (declared.has(word) ? { file: at, name: word } : undefined)
      if (from !== undefined) waiting.push({ ...from, as: word, isNamed: true })
    }
  }
  return found
}
