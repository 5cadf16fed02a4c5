// Texts of the catalog of which parts are filled in when a tool is called: `${args:/pointer}` by an
// argument of the call, `${secret:NAME}` by a secret of the gateway. Pure: it fills nothing in.
import { isPointer, tokensOf } from '#knowledge/known/pointer'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly pointer: string }
  | { readonly kind: 'secret'; readonly name: string }

/** The parts in order, or why it cannot be read. */
export type TemplateReading =
  | { readonly parts: readonly TemplatePart[]; readonly fault?: never }
  | { readonly fault: string; readonly parts?: never }

const place = /\$\{([^}]*)\}/g

/** What can be the name of a secret: it becomes part of a variable's and of a file's name. */
const secretNamePattern = /^[A-Z][A-Z0-9_]{0,63}$/

/** Reads a template. Total: what is no template comes with a fault. */
export function readTemplate(text: string): TemplateReading {
  const parts: TemplatePart[] = []
  let end = 0
  for (const match of text.matchAll(place)) {
    const [whole, inner = ''] = match
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    const part = partOf(inner)
    if (typeof part === 'string') return { fault: part }
    parts.push(part)
    end = match.index + whole.length
  }
  const rest = text.slice(end)
  if (rest.includes('${')) return { fault: 'a `${` is not closed by `}`' }
  if (rest !== '') parts.push({ kind: 'text', text: rest })
  return { parts }
}

function partOf(inner: string): TemplatePart | string {
  if (inner.startsWith('args:')) {
    const pointer = inner.slice('args:'.length)
    if (pointer === '' || !isPointer(pointer) || tokensOf(pointer).includes('*')) {
      return `\`${inner}\`: give one argument by its JSON pointer, as in \`\${args:/to}\``
    }
    return { kind: 'argument', pointer }
  }
  if (inner.startsWith('secret:')) {
    const name = inner.slice('secret:'.length)
    if (!secretNamePattern.test(name)) {
      return `\`${inner}\`: name a secret in capitals, as in \`\${secret:CRM_TOKEN}\``
    }
    return { kind: 'secret', name }
  }
  return `\`\${${inner}}\` is neither \`\${args:/…}\` nor \`\${secret:…}\``
}

/** The pointers of the arguments that the templates name; none of what cannot be read. */
export function pointersIn(templates: readonly string[]): readonly string[] {
  return partsIn(templates).flatMap((part) => (part.kind === 'argument' ? [part.pointer] : []))
}

/** The secrets that the templates name. */
export function secretsIn(templates: readonly string[]): readonly string[] {
  const names = partsIn(templates).flatMap((part) => (part.kind === 'secret' ? [part.name] : []))
  return [...new Set(names)]
}

function partsIn(templates: readonly string[]): readonly TemplatePart[] {
  return templates.flatMap((text) => readTemplate(text).parts ?? [])
}
