// A page whose commands are run: each line of a `console` block that begins with `$ ` is a command,
// and what stands below it is what it printed. A line `…` stands for lines that are left out. Names
// and times of one run are not compared.
import type { Ran } from '../cli-runner.ts'

/** Runs what stands after `$ `. */
type RunLine = (line: string) => Promise<Ran>

/** The page with what its commands print now, where that is other than what it says. */
export async function transcribed(page: string, run: RunLine): Promise<string> {
  const lines: string[] = []
  let block: Block | null = null
  const finish = async (): Promise<void> => {
    if (block === null) return
    lines.push(block.command, ...(await printed(block, run)))
  }
  let isConsole = false
  for (const line of page.split('\n')) {
    const isFence = line.startsWith('```')
    if (isConsole && (isFence || line.startsWith('$ '))) {
      await finish()
      block = null
    }
    if (isFence) isConsole = !isConsole && line === '```console'
    if (isConsole && line.startsWith('$ ')) block = { command: line, output: [] }
    else if (block === null) lines.push(line)
    else block.output.push(line)
  }
  return lines.join('\n')
}

interface Block {
  readonly command: string
  readonly output: string[]
}

/** What it says already, where the run differs by no more than names and times. */
async function printed(block: Block, run: RunLine): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(block.command.slice(2))
  const ending = code === 0 ? '' : `(exit code ${code})\n`
  const text = `${stderr}${stdout}${ending}`.replace(/\n+$/, '')
  const now = text === '' ? [] : text.split('\n').map((line) => line.trimEnd())
  return isAlike(now.map(steady), block.output.map(steady)) ? block.output : now
}

function isAlike(lines: readonly string[], expected: readonly string[]): boolean {
  const [first, ...rest] = expected
  if (first === undefined) return lines.length === 0
  if (first.trim() !== '…') return first === lines[0] && isAlike(lines.slice(1), rest)
  return lines.some((_, index) => isAlike(lines.slice(index + 1), rest))
}

/** The words of a command line: quotes hold together. */
export function wordsOf(line: string): readonly string[] {
  const words = line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
  return words.map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
}

function steady(line: string): string {
  return line
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ULID')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{8}\b/g, 'END')
    .replaceAll(/sha256:[0-9a-f…]+/g, 'DIGEST')
    .replaceAll(/ed25519:[A-Za-z0-9_…-]+/g, 'KEY')
    .replaceAll(/\/[^\s`]*\/(?=\.keys|\.warrant|five-rules)/g, '')
    .replaceAll(/\b[0-9.]+ (s|ms|a second)\b/g, 'TIME')
}
