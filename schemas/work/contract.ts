// The contract of a task: what an agent is to deliver, and what is checked before anyone believes
// that it did. Its digest is that of what was written, before any default.
import { z } from 'zod'
import { Digest } from '../values.ts'
import { later } from '../later.ts'

const text = (max: number) => z.string().min(1).max(max)
const texts = (max: number) => z.array(text(max)).max(100).default([])

// oxlint-disable-next-line no-control-regex
const unfit = /[\\\u0000-\u001f\u007f]/

/** Why it is not a path inside a folder, with `/` between its parts; null if it is one. */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'must not begin with `/`: write it from the folder of the work'
  if (path.startsWith('-')) return 'must not begin with `-`, which programs take for an option'
  if (unfit.test(path)) return 'must have no backslash and no control character'
  const parts = path.split('/')
  if (parts.some((part) => part === '..' || part === '.')) return 'must not have `.` or `..` in it'
  return parts.includes('') ? 'must not be empty, end with `/`, or have `//` in it' : null
}

/** A path in the folder of the work. */
const Path = later(() =>
  text(1_024).superRefine((path, context) => {
    const message = pathProblem(path)
    if (message !== null) context.addIssue({ code: 'custom', message })
  }),
)

/** A program and its arguments. No shell reads it, so nothing in it is an operator. */
const ArgumentVector = later(() =>
  z
    .array(z.string().max(4_096), 'give the program and its arguments as a list: no shell reads it')
    .min(1)
    .max(256)
    .refine(([program = '']) => program.trim() !== '', 'the first text must name a program')
    .refine((words) => !words.some((word) => word.includes('\0')), 'must have no NUL character'),
)

export const taskTypes = [
  'research',
  'analysis',
  'strategy',
  'writing',
  'planning',
  'custom',
] as const

const ContextEntry = later(() =>
  z.strictObject({
    messageId: text(256),
    timestamp: z.string().max(64),
    content: z.string().max(1_048_576),
    sourceType: z.enum(['user_message', 'uploaded_file', 'pasted_data', 'upstream_dependency']),
    upstreamTaskId: text(256).optional(),
    upstreamTaskName: text(256).optional(),
  }),
)

/** Text alone is one message of the user, and blank text has no message. */
const Context = later(() =>
  z.union([
    z.array(ContextEntry).max(100),
    z
      .string()
      .max(1_048_576)
      .transform((given) => {
        const content = given.trim()
        const sourceType = 'user_message' as const
        return content === '' ? [] : [{ messageId: 'legacy', timestamp: '', content, sourceType }]
      }),
  ]),
)

/** What can hold of a gate that runs programs. */
export const isolationParts = ['user', 'pid', 'network', 'root', 'limits'] as const
export type IsolationPart = (typeof isolationParts)[number]

const Limits = later(() =>
  z.strictObject({
    /** Of one process. */
    memoryMb: z.int().min(16).max(65_536).default(2_048),
    /** Of all that a gate may write. */
    diskMb: z.int().min(1).max(16_384).default(512),
    /** Of one file that a gate writes. */
    fileMb: z.int().min(1).max(4_096).default(64),
    processes: z.int().min(1).max(4_096).default(128),
    /** Of standard output, and of standard error. */
    outputMb: z.int().min(1).max(1_024).default(16),
  }),
)

const Fields = later(() =>
  z.strictObject({
    taskId: text(256),
    objective: text(20_000),
    acceptanceCriteria: texts(4_000),
    constraints: texts(4_000),
    /** Paths, or patterns with `*`, `?`, `[…]`, and `**` for any folders. */
    requiredFiles: z.array(Path).max(100).default([]),
    minFileSize: z.int().min(0).default(0),
    runTests: ArgumentVector.optional(),
    /** Files of the issuer, laid over those of the worker before tests run. */
    testFiles: z
      .array(z.strictObject({ path: Path, content: z.string().max(1_048_576) }))
      .max(100)
      .default([]),
    /** What tests must print to count: a summary that a program which ends early does not reach. */
    testsPrint: texts(1_000),
    /** Files of the worker that may steer how tests run, and would else be taken out. */
    allowConfigs: z.array(Path).max(100).default([]),
    runLint: z.union([z.boolean(), ArgumentVector]).default(false),
    lintPaths: z.array(Path).max(100).default([]),
    checkSyntax: z.boolean().default(true),
    /** Where the work lies, by a name of the catalog: needed where a log has the contract. */
    workspace: text(256).optional(),
    /** So long there is for a claim, and after one that is not believed for the next. */
    claimWithinSeconds: z.int().min(1).max(2_592_000).default(86_400),
    /** How many attempts there are. */
    maxRetries: z.int().min(1).max(100).default(3),
    /** Of each gate. */
    timeoutSeconds: z.int().min(1).max(3_600).default(120),
    limits: Limits.prefault({}),
    /** What must hold of every gate that runs programs, whatever its operator accepts. */
    isolation: z.array(z.enum(isolationParts)).max(isolationParts.length).default([]),
    verificationMode: z.enum(['deterministic', 'council']).default('deterministic'),
    councilSize: z.int().min(1).max(99).default(3),
    councilPrompt: text(20_000).optional(),
    taskType: z.enum(taskTypes).default('custom'),
    /** The text to be read, in Markdown. */
    document: Path.optional(),
    minWords: z.int().min(0).optional(),
    requiredSections: z.array(text(1_000)).max(100).optional(),
    /** Whether numbers and links that no source has fail the text. */
    sourcesOnly: z.boolean().default(false),
    userProvidedContext: Context.default([]),
    maxContextTokens: z.int().min(0).max(1_000_000).default(8_000),
    /** Every part of the isolation must hold. */
    highStakes: z.boolean().default(false),
  }),
)

export const TaskContract = later(() =>
  Fields.superRefine((contract, context) => {
    const complain = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message })
    }
    const { taskType, document, runLint, lintPaths, runTests, testFiles, testsPrint } = contract
    if (taskType !== 'custom' && document === undefined) {
      complain('document', `name the text that \`${taskType}\` is about`)
    }
    if (document !== undefined && /[*?[]/.test(document)) {
      complain('document', 'must name one file, and be no pattern')
    }
    if (runLint === true && lintPaths.length === 0) {
      complain('lintPaths', 'name the files or folders to lint')
    }
    const isTestless = runTests === undefined
    if (isTestless && testFiles.length > 0)
      complain('testFiles', 'give `runTests`, which uses them')
    if (isTestless && testsPrint.length > 0) {
      complain('testsPrint', 'give `runTests`, which prints them')
    }
    if (contract.sourcesOnly && contract.userProvidedContext.length === 0) {
      complain('userProvidedContext', 'give the sources that `sourcesOnly` is about')
    }
    if (new Set(testFiles.map(({ path }) => path)).size < testFiles.length) {
      complain('testFiles', 'must not name a path twice')
    }
  }),
)
export type TaskContract = z.infer<typeof TaskContract>

// From the worker: what it says beyond its status is taken as it is.
const said = later(() => z.unknown().optional())

/** What a worker reports of a task when it is done with it. */
export const TaskClaim = later(() =>
  z.strictObject({
    taskId: z.string().optional(),
    status: z.enum(['success', 'blocked', 'failed']),
    filesCreated: z.array(z.string().max(1_024)).max(1_000).default([]),
    evidence: said,
    commandsRun: said,
    blockerCategory: said,
    whatFailed: said,
    whatITried: said,
    whatINeed: said,
    partialResult: said,
  }),
)
export type TaskClaim = z.infer<typeof TaskClaim>

/** Just what of a workspace the claim is about: what differs from it is not judged. */
const ClaimedWork = later(() =>
  z.union([
    z.strictObject({ digest: Digest }),
    z.strictObject({ commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) }),
  ]),
)

/** The same as a log has it: `payload.completion` of a claim. */
export const Completion = later(() => TaskClaim.extend({ work: ClaimedWork.optional() }))
export type Completion = z.infer<typeof Completion>
