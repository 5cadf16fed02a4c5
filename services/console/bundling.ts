// Makes of the page's sources what a browser loads: one script, one style sheet, and beside them
// what is loaded on demand. It runs in development and when the package is packed, never there.
import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type OutputChunk } from 'rolldown'

const folder = fileURLToPath(new URL('page/', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Names and bytes of all that is served, `index.html` first. */
export async function bundledPage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { files } = await bundled()
  return files
}

/** Lays them into a folder, as a package has them, and returns the files they were made from. */
export async function layPage(into: string): Promise<readonly string[]> {
  const { files, madeFrom } = await bundled()
  for (const [name, bytes] of files) {
    const path = join(into, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
  return madeFrom
}

interface Bundled {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly madeFrom: readonly string[]
}

async function bundled(): Promise<Bundled> {
  const page = await scripts({ from: 'main.tsx', as: 'console.js' })
  // It runs under a policy of its own, and shares no script with the page.
  const deriving = await scripts({ from: 'auditing/deriving/worker.ts', as: 'deriving.js' })
  // Browsers wake it without the page.
  const notified = await scripts({ from: 'attending/notified-worker.ts', as: 'notified.js' })
  const chunks = [...page, ...deriving, ...notified]
  const style = await styleSheet()
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code] as const))
  const script = files.get('console.js') ?? ''
  const texts = new Map([['index.html', indexOf(script, style)], ['console.css', style], ...files])
  for (const name of await readdir(join(folder, 'beside'))) {
    texts.set(name, await readFile(join(folder, 'beside', name), 'utf8'))
  }
  return {
    files: new Map([...texts].map(([name, text]) => [name, Buffer.from(text, 'utf8')])),
    madeFrom: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

interface Script {
  readonly from: string
  readonly as: string
}

async function scripts({ from, as }: Script): Promise<readonly OutputChunk[]> {
  const built = await rolldown({
    cwd: root,
    input: join(folder, from),
    platform: 'browser',
    tsconfig: join(folder, 'tsconfig.json'),
    resolve: { conditionNames: ['warrant-source', 'browser', 'import', 'default'] },
    transform: { target: 'es2022' },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.generate({
    format: 'es',
    entryFileNames: as,
    chunkFileNames: 'chunks/[name]-[hash].js',
    comments: { legal: false, jsdoc: false, annotation: false },
    minify: true,
  })
  await built.close()
  return output.filter((chunk) => chunk.type === 'chunk')
}

/** Each sheet is one component; a later one wins. */
const sheets = [
  'tokens',
  'base',
  'text',
  'shape',
  'tone',
  'frame',
  'button',
  'pill',
  'field',
  'notice',
  'sheet',
  'table',
  'list',
  'card',
  'change',
  'picture',
  'timeline',
]

async function styleSheet(): Promise<string> {
  const texts = await Promise.all(
    sheets.map((name) => readFile(join(folder, 'style', `${name}.css`), 'utf8')),
  )
  const comment = /\/\*[\s\S]*?\*\//g
  return texts.join('\n').replaceAll(comment, '').replaceAll(/\s+/g, ' ')
}

const integrity = (text: string): string => `sha256-${hash('sha256', text, 'base64')}`

/** No script and no style stands in it, so that a policy may forbid all that does. */
function indexOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Warrant</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/warrant.webmanifest">
<link rel="stylesheet" href="/console.css" integrity="${integrity(style)}">
<script type="module" src="/console.js" integrity="${integrity(script)}"></script>
<div id="page"></div>
<noscript>This page signs what you answer, and needs JavaScript for it.</noscript>
</html>
`
}
