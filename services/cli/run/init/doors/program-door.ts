// The doors of programs: one file that runs, with one tool behind a guard.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Line } from '#cli/terminal/line'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { shellWord } from '#cli/terminal/hint'
import { shownPath } from '#cli/terminal/shown-path'
import { exampleCall, starterAgent, type ToolWords } from '../starter.ts'
import type { InitDoor, DoorPlace, DoorStep } from './door.ts'
import { httpAddress, loginFileName, loginFor, loginTaken } from './http-door.ts'

interface Program {
  readonly file: string
  readonly text: (words: ToolWords) => string
}

const node: Program = { file: 'agent.mjs', text: nodeText }
const python: Program = { file: 'agent.py', text: pythonText }

export const nodeDoor: InitDoor = {
  isHooked: false,
  starter: startingWith,
  async open(place) {
    const made = [await written(node, place)]
    // A program finds the package from where it lies, and the command may be of elsewhere.
    const first = isInstalledAt(place.base) ? '' : 'npm install warrant-runtime && '
    return { made, cautions: [], next: [{ shell: `${first}node ${node.file}` }] }
  },
  close: async (place) => [await taken(node, place)],
}

export const pythonDoor: InitDoor = {
  isHooked: false,
  starter: startingWith,
  async open(place) {
    const login = await loginFor(place)
    const made = [login.line, await written(python, place)]
    const client = shellWord(shownPath(join(packageRoot(), 'clients', 'python')))
    const venv = 'python3 -m venv .venv && .venv/bin/pip install --quiet'
    const next: readonly DoorStep[] = [
      { warrant: 'up http' },
      { shell: `${venv} ${client} && .venv/bin/python ${python.file}` },
    ]
    return { made, cautions: [], next }
  },
  close: async (place) => [...(await loginTaken(place)), await taken(python, place)],
}

function startingWith(words: ToolWords) {
  return Promise.resolve({ agent: starterAgent, words })
}

async function written(program: Program, { base, words }: DoorPlace): Promise<Line> {
  const file = join(base, program.file)
  if (existsSync(file)) return `  ${shownPath(file)}: it was there, and is left as it is`
  await writeFile(file, program.text(words), { flag: 'wx' })
  return `  ${shownPath(file)}: a program that calls ${words.tool} behind a guard`
}

/** One that someone has worked on stays. */
async function taken(program: Program, { base, words }: DoorPlace): Promise<Line> {
  const file = join(base, program.file)
  const shown = shownPath(file)
  if (!existsSync(file)) return `${shown}: it is not there`
  const isOurs = (await readFile(file, 'utf8')) === program.text(words)
  if (!isOurs) return `${shown}: it was changed, and is left as it is`
  await rm(file)
  return `${shown}: removed`
}

function isInstalledAt(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', 'warrant-runtime'))) return true
    if (at === dirname(at)) return false
  }
}

function exampleOf(words: ToolWords) {
  const { argument, justification } = exampleCall(words)
  const [name = '', value = ''] = argument
  return { name, value, justification }
}

/** A text of JavaScript, as it is mostly written. */
function singly(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`
}

function nodeText(words: ToolWords): string {
  const { name, value, justification } = exampleOf(words)
  return `// An agent with one tool, before which Warrant stands. Run it: node agent.mjs
import { connect, Pending, Refused } from 'warrant-runtime'

const warrant = await connect({ as: '${starterAgent.id}' })

const tool = warrant.guard(${singly(words.tool)}, ({ ${name} }) => {
  // The tool itself goes here: it runs on an allow alone, once, with what was judged.
  return \`done, with \${${name}}\`
})

const why = { justification: ${singly(justification)} }
try {
  console.log(await tool({ ${name}: ${singly(value)} }, why))
} catch (error) {
  if (!(error instanceof Refused || error instanceof Pending)) throw error
  // For the language model that called the tool.
  console.log(error.forModel())
} finally {
  await warrant.close()
}
`
}

function pythonText(words: ToolWords): string {
  const { name, value, justification } = exampleOf(words)
  return `"""An agent with one tool, behind Warrant. Run \`warrant up http\`, then this."""

from pathlib import Path

from warrant_client import Denied, Pending, Warrant

login = Path(__file__).parent / ".warrant" / "${loginFileName}"

with Warrant("${httpAddress}", token=login.read_text().strip()) as warrant:

    @warrant.guard(${JSON.stringify(words.tool)}, justification=${JSON.stringify(justification)})
    def tool(${name}: str) -> str:
        # The tool itself goes here: it runs on an allow alone, once, with what was judged.
        return f"done, with {${name}}"

    try:
        print(tool(${name}=${JSON.stringify(value)}))
    except Denied as denied:
        print(denied.for_model)  # for the language model that called the tool
    except Pending as pending:
        print(f"people were asked; the verdict will be there: {pending.intent}")
`
}
