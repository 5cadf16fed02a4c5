// What stands around a hook that is tried: a process that is started and always ends, and a server
// that answers no one.
import { spawn } from 'node:child_process'
import { createServer, type Socket } from 'node:net'

export interface ProgramStart {
  readonly program: string
  /** Without them the program is a line for a shell. */
  readonly words?: readonly string[]
  /** On its standard input. */
  readonly input?: string
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly timeoutMs: number
}

export interface EndedProgram {
  /** Null where it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const outputMax = 1024 * 1024

/** Null where there is no such program. What it has started ends with it. */
export function ended({
  program,
  words,
  input,
  timeoutMs,
  ...at
}: ProgramStart): Promise<EndedProgram | null> {
  return new Promise((resolve) => {
    const child = spawn(program, words ?? [], {
      ...at,
      shell: words === undefined,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    const [stdout, stderr] = [child.stdout, child.stderr].map(textOf)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = child.exitCode === null && child.signalCode === null
      endAll(child.pid)
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, timeoutMs)
    child.on('error', () => {
      clearTimeout(timer)
      resolve(null)
    })
    // What it left running would write later, or hold its output open.
    child.on('exit', () => endAll(child.pid))
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code: isLate ? null : code, stdout: stdout?.() ?? '', stderr: stderr?.() ?? '' })
    })
    // One that ends early reads no more.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.on('data', (chunk: Buffer) => {
    if (text.length < outputMax) text += chunk.toString('utf8')
  })
  return () => text
}

function endAll(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended, and all of its own with it.
  }
}

export interface DeadServer {
  readonly url: string
  close(): void
}

/** Takes connections and never answers, unless who asks is dealt with. */
export async function deadServer(
  onAsked: (socket: Socket) => void = () => undefined,
): Promise<DeadServer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => onAsked(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.unref()
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
