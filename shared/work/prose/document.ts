// A text in Markdown as a document: its headings, what is written outside code, its lists and
// links. The one file that knows the parser; it takes time linear in the text, and never throws.
import MarkdownIt, { type Token } from 'markdown-it'

export interface Heading {
  /** 1 to 6. */
  readonly level: number
  readonly text: string
  /** Lines count from 0; the heading has those from `line` to before `end`. */
  readonly line: number
  readonly end: number
}

/** A paragraph, a heading, or a cell of a table. */
export interface ProseBlock {
  /** What a reader sees, with line breaks as they are written. */
  readonly text: string
  /** The same, of the same length, with U+FFFC for what is code. */
  readonly prose: string
  readonly line: number
  /** Which heading it is; null if it is not one. */
  readonly heading: number | null
}

export interface ProseDocument {
  /** As it is read: with `\n` at the end of each line, without a byte order mark. */
  readonly text: string
  readonly headings: readonly Heading[]
  readonly blocks: readonly ProseBlock[]
  /** The targets of all links, and of the definitions of links. */
  readonly links: readonly string[]
  /** How many items the longest ordered list has. */
  readonly stepsMost: number
  /** The lines without what shows nothing: rules, tags and comments of HTML. */
  readonly shown: readonly string[]
}

const parser = new MarkdownIt('default', { html: true, linkify: false, typographer: false })
// Neither says anything that is asked here, and pictures cost the most on hostile texts.
parser.disable(['image', 'strikethrough'])

/** Parses CommonMark with the tables of GitHub. A byte order mark is left out. */
export function documentOf(written: string): ProseDocument {
  const text = written
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '\ufffd')
  const env: Record<string, unknown> = {}
  const tokens = parser.parse(text, env)
  const headings: Heading[] = []
  const blocks: ProseBlock[] = []
  const links = definitionsIn(env)
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue
    const { text: all, prose, targets } = contentOf(token.children ?? [])
    const heading = headingOf(token, tokens[index - 1])
    if (heading !== null) headings.push({ ...heading, text: all })
    const line = token.map?.[0] ?? blocks.at(-1)?.line ?? 0
    blocks.push({ text: all, prose, line, heading: heading === null ? null : headings.length - 1 })
    // One by one: as arguments, ten thousand of them overflow the stack.
    for (const target of targets) links.push(target)
  }
  return { text, headings, blocks, links, stepsMost: stepsIn(tokens), shown: shownIn(text, tokens) }
}

/** How many items the longest ordered list has. */
function stepsIn(tokens: readonly Token[]): number {
  const open: number[] = []
  let most = 0
  for (const { type } of tokens) {
    if (type === 'ordered_list_open' || type === 'bullet_list_open') open.push(0)
    else if (type === 'list_item_open') open.push((open.pop() ?? 0) + 1)
    else if (type === 'bullet_list_close') open.pop()
    else if (type === 'ordered_list_close') most = Math.max(most, open.pop() ?? 0)
  }
  return most
}

/** The lines without what shows nothing. */
function shownIn(text: string, tokens: readonly Token[]): readonly string[] {
  const lines = text.split('\n')
  for (const token of tokens) {
    if (token.map === null) continue
    const [from, to] = token.map
    if (token.type === 'hr') lines[from] = ''
    else if (token.type === 'html_block') {
      replaceLines(
        lines,
        from,
        withoutHtml(token.content)
          .split('\n')
          .slice(0, to - from),
      )
    } else if (token.type === 'inline') hideTags(token.children ?? [], lines, [from, to])
  }
  return lines
}

function replaceLines(lines: string[], from: number, by: readonly string[]): void {
  for (const [offset, line] of by.entries()) lines[from + offset] = line
}

/** Takes the tags and comments inside a paragraph out of its lines. */
function hideTags(
  children: readonly Token[],
  lines: string[],
  [from, to]: readonly [number, number],
): void {
  const tags = children.filter(({ type }) => type === 'html_inline')
  if (tags.length === 0) return
  const source = lines.slice(from, to).join('\n')
  const kept: string[] = []
  let at = 0
  for (const { content } of tags) {
    const found = source.indexOf(content, at)
    // A tag over several lines of a quote is not in the source as it is read.
    if (found === -1) break
    kept.push(source.slice(at, found), blank(content))
    at = found + content.length
  }
  replaceLines(lines, from, [...kept, source.slice(at)].join('').split('\n'))
}

function blank(html: string): string {
  return html.replaceAll(/[^\n]/g, '')
}

function headingOf(token: Token, opening: Token | undefined): Omit<Heading, 'text'> | null {
  if (opening?.type !== 'heading_open') return null
  const [line = 0, end = line + 1] = opening.map ?? token.map ?? []
  return { level: Number(opening.tag.slice(1)), line, end }
}

const hidden = '\ufffc'

interface Content {
  readonly text: string
  readonly prose: string
  readonly targets: readonly string[]
}

function contentOf(children: readonly Token[]): Content {
  const texts: string[] = []
  const proses: string[] = []
  const targets: string[] = []
  const both = (piece: string): void => {
    texts.push(piece)
    proses.push(piece)
  }
  for (const [index, child] of children.entries()) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') both('\n')
    else if (child.type === 'text')
      both(isNumbered(children, index) ? `[${child.content}]` : child.content)
    else if (child.type === 'code_inline') {
      texts.push(child.content)
      proses.push(hidden.repeat(child.content.length))
    } else if (child.type === 'link_open') {
      targets.push(String(child.attrs?.find(([name]) => name === 'href')?.[1] ?? ''))
    }
  }
  return { text: texts.join(''), prose: proses.join(''), targets }
}

/** Whether it is the `1` of a link `[1]`: its brackets are gone, and it is a citation as before. */
function isNumbered(children: readonly Token[], index: number): boolean {
  const isInLink =
    children[index - 1]?.type === 'link_open' && children[index + 1]?.type === 'link_close'
  return isInLink && /^\^?[0-9]{1,9}$/.test(children[index]?.content ?? '')
}

function definitionsIn({ references }: Record<string, unknown>): string[] {
  if (typeof references !== 'object' || references === null) return []
  return Object.values(references).map((definition: unknown) => {
    if (typeof definition !== 'object' || definition === null) return ''
    return 'href' in definition && typeof definition.href === 'string' ? definition.href : ''
  })
}

const tag = /<[/!?]?[A-Za-z][A-Za-z0-9-]*(?=[\s/>])/y

/** What is left of HTML without its tags and comments; its lines stay where they are. */
function withoutHtml(html: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', Math.max(from, at + 1))) {
    const end = endOfTag(html, at)
    if (end === null) continue
    kept.push(html.slice(from, at), blank(html.slice(at, end)))
    from = end
  }
  return [...kept, html.slice(from)].join('')
}

/** Where what begins there has ended: the end of the text if nothing ends it; null for no tag. */
function endOfTag(html: string, at: number): number | null {
  const isComment = html.startsWith('<!--', at)
  tag.lastIndex = at
  if (!isComment && !tag.test(html)) return null
  const closing = isComment ? '-->' : '>'
  const end = html.indexOf(closing, at)
  return end === -1 ? html.length : end + closing.length
}
