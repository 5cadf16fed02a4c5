// Parses files as their grammars ask: Python by its own interpreter, which is never asked to run
// any of it, JSON in this process, and the others in a thread that ends with its time or memory.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { plainEnvironment, startProgram } from '#system/processes'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { parseJson } from '#record/json'
import {
  grammarOf,
  type Parsed,
  type ParsedFile,
  type SyntaxSeen,
} from '#work/verification/syntax-gate'
import type { Grammar, UnknownWhy } from '#work/verification/syntax-gate'
import { jsonParsed } from './json-syntax.ts'
import type { SyntaxRequest, ThreadGrammar } from './syntax-program.ts'

export interface SyntaxAsked {
  readonly folder: string
  readonly paths: Iterable<string>
  readonly timeoutSeconds: number
  readonly readable: readonly string[]
}

/** Larger texts are not what people write, and cost parsers too much. */
const fileBytesMax = 4 * 1024 * 1024

export async function parsedFiles(asked: SyntaxAsked): Promise<SyntaxSeen> {
  const deadline = performance.now() + asked.timeoutSeconds * 1_000
  const python: Source[] = []
  const others: Source<ThreadGrammar>[] = []
  const files: ParsedFile[] = []
  let unread = 0
  for (const path of asked.paths) {
    const grammar = grammarOf(path)
    if (grammar === null) unread += 1
    else {
      const bytes = await readFile(join(asked.folder, path))
      const source = { path, bytes }
      if (bytes.length > fileBytesMax) files.push(unknown({ path, grammar }, 'too_large'))
      else if (grammar === 'python') python.push({ ...source, grammar })
      else if (grammar === 'json') files.push(inProcess({ ...source, grammar }, deadline))
      else others.push({ ...source, grammar })
    }
  }
  const seen = await pythonParsed(python, deadline, asked.readable)
  files.push(...(await threadParsed(others, deadline)), ...seen.files)
  const tools: Record<string, string> = { ...seen.tools }
  if (files.some(({ grammar }) => grammar !== 'python')) tools['node'] = process.version
  return { files, unread, tools }
}

interface Source<G extends Grammar = Grammar> {
  readonly path: string
  readonly grammar: G
  readonly bytes: Uint8Array
}

function inProcess({ path, grammar, bytes }: Source, deadline: number): ParsedFile {
  if (performance.now() > deadline) return unknown({ path, grammar }, 'timed_out')
  return { path, grammar, parsed: jsonParsed(bytes) }
}

function unknown({ path, grammar }: Omit<Source, 'bytes'>, why: UnknownWhy): ParsedFile {
  return { path, grammar, parsed: { is: 'unknown', why } }
}

/** One file in the thread. */
const oneFileMsMax = 10_000
const heapMegabytesMax = 512

async function threadParsed(
  sources: readonly Source<ThreadGrammar>[],
  deadline: number,
): Promise<readonly ParsedFile[]> {
  const files: ParsedFile[] = []
  let thread: Worker | null = null
  try {
    for (const source of sources) {
      const left = Math.min(oneFileMsMax, deadline - performance.now())
      if (left <= 0) {
        files.push(unknown(source, 'timed_out'))
        continue
      }
      thread ??= startedThread()
      const parsed = await answerOf(thread, source, left)
      if (parsed.is === 'unknown' && parsed.why !== 'beyond_parser') {
        await thread.terminate()
        thread = null
      }
      files.push({ path: source.path, grammar: source.grammar, parsed })
    }
  } finally {
    await thread?.terminate()
  }
  return files
}

function startedThread(): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const program = isSource ? './from-source.mjs' : './syntax-program.js'
  const thread = new Worker(new URL(program, import.meta.url), {
    env: {},
    execArgv: isSource ? ['--conditions=warrant-source'] : [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  })
  // Without a listener an error that comes when nothing waits would end the process.
  thread.on('error', () => {})
  return thread
}

function answerOf(thread: Worker, source: SyntaxRequest, ms: number): Promise<Parsed> {
  return new Promise((resolve) => {
    const settle = (parsed: Parsed): void => {
      clearTimeout(timer)
      thread.off('message', settle)
      thread.off('error', fail)
      thread.off('exit', fail)
      resolve(parsed)
    }
    const fail = (): void => settle({ is: 'unknown', why: 'parser_failed' })
    const timer = setTimeout(() => settle({ is: 'unknown', why: 'timed_out' }), ms)
    thread.on('message', settle)
    thread.on('error', fail)
    thread.on('exit', fail)
    thread.postMessage(source)
  })
}

/** It compiles bytes, as the interpreter reads them from a file, and runs nothing. */
const pythonProgram = `
import base64, json, sys, warnings
warnings.simplefilter("ignore")
print(json.dumps({"version": sys.version.split()[0]}), flush=True)
for line in sys.stdin.buffer:
    try:
        compile(base64.b64decode(line), "work", "exec", dont_inherit=True)
        answer = {"is": "valid"}
    except (SyntaxError, ValueError) as error:
        answer = {"is": "invalid", "line": getattr(error, "lineno", None)}
    except (RecursionError, MemoryError, OverflowError):
        answer = {"is": "unknown", "why": "beyond_parser"}
    print(json.dumps(answer), flush=True)
`

const PythonVersion = z.strictObject({ version: z.string().max(100) })
const PythonAnswer = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('valid') }),
  z.strictObject({ is: z.literal('invalid'), line: z.int().nullable() }),
  z.strictObject({ is: z.literal('unknown'), why: z.literal('beyond_parser') }),
])

/** More than so many files do not break an interpreter by chance. */
const restartsMax = 8

async function pythonParsed(
  sources: readonly Source[],
  deadline: number,
  readable: readonly string[],
) {
  const files: ParsedFile[] = []
  const tools: Record<string, string> = {}
  for (let start = 0; files.length < sources.length && start <= restartsMax; start += 1) {
    const rest = sources.slice(files.length)
    const { version, answers, isStarted } = await askPython(rest, deadline, readable)
    if (version !== null) tools['python'] = version
    for (const [index, parsed] of answers.entries()) {
      const { path = '', grammar = 'python' } = rest[index] ?? {}
      files.push({ path, grammar, parsed })
    }
    const broke = sources[files.length]
    if (!isStarted || version === null) break
    if (broke === undefined) continue
    files.push(unknown(broke, performance.now() < deadline ? 'parser_failed' : 'timed_out'))
  }
  const why = Object.keys(tools).length === 0 ? 'no_parser' : 'parser_failed'
  files.push(...sources.slice(files.length).map((source) => unknown(source, why)))
  return { files, tools }
}

async function askPython(
  sources: readonly Source[],
  deadline: number,
  readable: readonly string[],
) {
  const answers: Parsed[] = []
  let version: string | null = null
  const path = [plainEnvironment['PATH'], ...readable.map((one) => join(one, 'bin'))].join(':')
  try {
    const started = await startProgram({
      program: 'python3',
      args: ['-I', '-S', '-c', pythonProgram],
      cwd: tmpdir(),
      env: { ...plainEnvironment, PATH: path },
    })
    const timer = setTimeout(() => void started.stop(), Math.max(1, deadline - performance.now()))
    started.errors.resume()
    const lines = createInterface({ input: started.output })
    lines.on('line', (line) => {
      const value = jsonIn(line)
      const named = PythonVersion.safeParse(value)
      if (named.success) version = named.data.version
      const answer = PythonAnswer.safeParse(value)
      if (answer.success) answers.push(answer.data)
    })
    const closed = once(lines, 'close')
    for (const { bytes } of sources) {
      started.input.write(`${Buffer.from(bytes).toString('base64')}\n`)
    }
    started.input.end()
    await started.ended
    lines.close()
    await closed
    clearTimeout(timer)
    return { version: asText(version), answers, isStarted: true }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return { version: null, answers, isStarted: false }
  }
}

// It is set by a listener, which the compiler does not follow.
function asText(version: string | null): string | null {
  return version
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return null
  }
}
