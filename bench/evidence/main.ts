// `npm run evidence`: counts the tables of recorded work whose data is there, and prints their
// rows; with `--write` it makes the page of them again. What is not there keeps its figures.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { evidencePage, figuresFile, figuresIn, figuresText, pageFile } from './page.ts'
import type { EvidenceFigures } from './page.ts'
import { placeOf, tables } from './tables.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const named = ({ id, folder }: (typeof tables)[number]): string => {
  return folder === undefined ? `  ${id}` : `  ${id}: FOLDER/${folder}`
}
const help = `npm run evidence -- [TABLE …] [options]

  --data FOLDER  where data lies that is no part of this project
  --write        write the figures, and the page of them

All, or those that are named:
${tables.map(named).join('\n')}
`
const unknown = positionals.filter((name) => !tables.some(({ id }) => id === name))
if (values.help) process.stdout.write(help)
else if (unknown.length > 0) {
  process.stderr.write(`no table \`${unknown.join(' ')}\`: \`--help\` names them\n`)
  process.exitCode = 2
} else await countAll()

async function countAll(): Promise<void> {
  const root = packageRoot()
  const figures: Record<string, readonly string[]> = { ...kept(root) }
  for (const table of tables) {
    if (positionals.length > 0 && !positionals.includes(table.id)) continue
    const place = placeOf(table, values.data)
    if (place === null) {
      process.stderr.write(`\`${table.id}\` is left out: ${table.folder ?? ''} is not there\n`)
      continue
    }
    const lines = await table.count(place)
    figures[table.id] = lines
    process.stdout.write(`${table.title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  }
  if (!values.write) return
  writeFileSync(join(root, figuresFile), figuresText(figures))
  writeFileSync(join(root, pageFile), evidencePage(figures))
}

function kept(root: string): EvidenceFigures {
  return figuresIn(readFileSync(join(root, figuresFile), 'utf8'))
}
