// A page of Markdown as HTML, with what the rest of the site needs to know of it: its sections, its
// links. HTML in a page is shown as text, so that nothing runs that is not ours.
import MarkdownIt, { type Token } from 'markdown-it'

export interface Section {
  /** What stands behind `#` in an address. */
  readonly id: string
  readonly level: number
  readonly title: string
  /** What a search looks through, up to the next heading. */
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  /** Without those that lead elsewhere. */
  readonly links: readonly string[]
  readonly sections: readonly Section[]
}

/** What stands in the place of a link. */
type Address = (link: string) => string

const elsewhere = /^[a-z][a-z+.-]*:/i
const parser = new MarkdownIt('default', { html: false, linkify: false, typographer: false })

export const escaped = (text: string): string => parser.utils.escapeHtml(text)

export function rendered(text: string, address: Address): Rendered {
  const tokens = parser.parse(text, {})
  const links: string[] = []
  const sections = sectionsOf(tokens)
  const ids = sections.map(({ id }) => id).values()
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrSet('id', ids.next().value ?? '')
    // A style in a tag is not loaded under the policy of the site.
    const aligned = /right|center/.exec(String(token.attrGet('style') ?? ''))?.[0]
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
    if (aligned !== undefined) token.attrSet('class', aligned)
    for (const child of token.children ?? []) links.push(...led(child, address))
  }
  const html = parser.renderer
    .render(tokens, parser.options, {})
    // What may be wider than a phone is moved by itself, by keys too.
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll(/<h([2-6]) id="([^"]*)">([^]*?)<\/h\1>/g, (_, level, id, inner) => {
      return `<h${level} id="${id}">${inner} <a class="here" href="#${id}">#</a></h${level}>`
    })
  return { title: sections[0]?.title ?? '', html, links, sections }
}

/** The link of a token, which then leads to its page of the site. */
function led(token: Token, address: Address): readonly string[] {
  const name = token.type === 'image' ? 'src' : 'href'
  if (token.type !== 'image' && token.type !== 'link_open') return []
  const link = String(token.attrGet(name) ?? '')
  if (elsewhere.test(link)) {
    if (name === 'src') throw new Error(`\`${link}\`: a picture comes with the site`)
    token.attrSet('rel', 'noreferrer')
    return []
  }
  token.attrSet(name, address(link))
  return [link]
}

function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const sections: { id: string; level: number; title: string; parts: string[] }[] = []
  const taken = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = textOf(tokens[index + 1])
      const level = Number(token.tag.slice(1))
      sections.push({ id: idOf(title, taken), level, title, parts: [] })
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1)?.parts.push(token.type === 'fence' ? token.content : textOf(token))
    }
  }
  return sections.map(({ parts, ...section }) => {
    return { ...section, text: parts.join(' ').replaceAll(/\s+/g, ' ').trim() }
  })
}

function textOf(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
    .join('')
}

/** As forges make it, so that links to a heading hold here and there. */
function idOf(title: string, taken: Map<string, number>): string {
  const plain = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
  const id = plain.trim().replaceAll(/\s/g, '-')
  const count = taken.get(id) ?? 0
  taken.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}
