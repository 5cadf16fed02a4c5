// What a verification found, in words: a line for each gate, and one for each finding.
import { visible } from '#record/quote'
import type { GateName, GateResult } from '#work/verification/gates'
import type { VerifiedWork } from '#work/verification/result'
import { counted } from '../wording.ts'

const codes: Readonly<Record<string, string>> = {
  after_failure: 'not looked at, since an earlier gate fails',
  beyond_parser: 'the parser cannot finish it',
  blocked: 'a link that no public server can have',
  citation_without_entry: 'the citation has no entry',
  claimed_missing: 'claimed, and not there',
  claimed_outside: 'claimed, and not a path in the folder',
  council_too_large: 'the work is larger than what reviewers are shown',
  content_not_named: 'the claim names no content that its workspace can have',
  date_future: 'is far ahead',
  date_past: 'is long past',
  commit_unknown: 'the repository has no such commit',
  empty: 'is empty',
  empty_section: 'the section is empty',
  exit_code: 'the program ended with another exit code than 0',
  file_too_large: 'a file is larger than what is copied',
  git_missing: 'git is not here',
  inconsistent_unit: 'the number has two units',
  issuer_gone: 'the catalog lists its issuer no more',
  isolation_failed: 'the program could not be set apart',
  isolation_missing: 'what has to hold of programs cannot be had here',
  killed: 'a signal ended the program',
  link_dangling: 'is a link to nothing',
  link_outside: 'is a link out of the folder',
  link_to_folder: 'is a link to a folder',
  link_without_source: 'the link is in none of the sources',
  missing: 'is missing',
  missing_section: 'the section is missing',
  model_failed: 'the model did not answer',
  no_citations: 'nothing is cited',
  no_document: 'the text is missing, or is not UTF-8',
  no_files: 'no file to look at is named',
  no_grammar: 'no parser is kept for such files',
  no_links: 'it has no links',
  no_model: 'no model is set up',
  no_parser: 'the parser is not here',
  no_sources: 'no source is named',
  no_steps: 'there are no numbered steps',
  no_tool: 'neither ruff nor flake8 nor pylint is here',
  not_answered: 'no clear answer came',
  not_asked: 'not asked for',
  not_checked: 'was not checked',
  not_javascript: 'is not JavaScript',
  not_json: 'is not JSON',
  not_passed: 'half of the seats, or more, do not approve',
  not_printed: 'was not printed by the tests',
  not_python: 'is not Python',
  not_typescript: 'is not TypeScript',
  not_yaml: 'is not YAML',
  number_without_source: 'the number is in none of the sources',
  offline: 'links are asked with --online alone',
  other_content: 'something else is there than what is claimed',
  output_too_large: 'the program wrote more than it may',
  parser_failed: 'the parser failed',
  program_missing: 'the program is not here; a toolchain elsewhere is given with --readable',
  repository_unreadable: 'the repository, or a part of the commit, cannot be read',
  special_file: 'is not a regular file',
  submodule: 'is a submodule',
  timed_out: 'time ran out',
  too_deep: 'folders are nested deeper than what is copied',
  too_few_words: 'has too few words',
  too_large: 'is larger than what is read',
  too_many_bytes: 'the work has more bytes than what is copied',
  too_many_files: 'the work has more entries than what is copied',
  too_many_links: 'has more links than are asked',
  too_small: 'is smaller than the contract demands',
  verifier_failed: 'no verifier could look at it',
  workspace_gone: 'the catalog has its workspace no more',
  unreachable: 'is not there',
  unreadable: 'cannot be read',
  unresolved_reference: 'the reference leads nowhere',
  unsafe_path: 'is a path that is not written',
}

function codeText(code: string): string {
  return Object.hasOwn(codes, code) ? (codes[code] ?? code) : code.replaceAll('_', ' ')
}

const gateTitles: Readonly<Record<GateName, string>> = {
  files: 'files',
  tests: 'tests',
  lint: 'lint',
  syntax: 'syntax',
  structure: 'structure of the text',
  sources: 'sources of the text',
  links: 'links of the text',
  council: 'council',
}

/** As it was found, or as a fact has it. */
interface FindingSeen {
  readonly code: string
  readonly about?: string | undefined
  readonly line?: number | undefined
}

interface GateSeen extends Pick<GateResult, 'gate' | 'outcome'> {
  readonly code?: string | undefined
  readonly findings: readonly FindingSeen[]
}

/** Gate, outcome, and why. */
export function gateRow({ gate, outcome, code, findings }: GateSeen): readonly string[] {
  const why = code === undefined ? '' : codeText(code)
  const found = findings.length > 0 && why === '' ? counted(findings.length, 'finding') : why
  return [gateTitles[gate], outcome, found]
}

export function findingText({ code, about, line }: FindingSeen): string {
  const place = line === undefined ? '' : ` (line ${line})`
  const what = about === undefined ? '' : `${visible(about)}: `
  return `${what}${codeText(code)}${place}`
}

const tailLinesMax = 12

/** The last lines that a program wrote before it failed. */
export function tailOfGate({ evidence }: Pick<GateResult, 'evidence'>): readonly string[] {
  return ['stdout', 'stderr'].flatMap((name) => {
    const output = evidence[name]
    if (typeof output !== 'object' || output === null || !('tail' in output)) return []
    const { tail } = output
    if (typeof tail !== 'string' || tail.trim() === '') return []
    const lines = tail.trimEnd().split('\n').slice(-tailLinesMax)
    return lines.map((line) => `${name}: ${visible(line)}`)
  })
}

/** What the reviewers of a council found, a line each: what is missing and weak goes first. */
export function remarksOfGate({ evidence }: Pick<GateResult, 'evidence'>): readonly string[] {
  const { remarks } = evidence
  if (!Array.isArray(remarks)) return []
  return ['missing', 'weaknesses', 'strengths'].flatMap((kind) =>
    remarks.flatMap((one) => textsOf(one, kind).map((text) => `${kind}: ${visible(text)}`)),
  )
}

function textsOf(remarks: unknown, kind: string): readonly string[] {
  if (typeof remarks !== 'object' || remarks === null) return []
  const texts: unknown = Object.getOwnPropertyDescriptor(remarks, kind)?.value
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
}

/** How each seat of a council voted, as far as that was found. */
export function votesText({ evidence }: Pick<GateResult, 'evidence'>): string | null {
  const { votes } = evidence
  return Array.isArray(votes) ? `votes: ${votes.map(String).join(', ')}` : null
}

export function workHead({ verification, taskId, contract }: VerifiedWork): string {
  return `${verification}: task ${visible(taskId)} under contract ${contract}`
}

export function isolationText({ isolation }: Pick<VerifiedWork, 'isolation'>): string | null {
  if (isolation === null) return null
  const { kind, held } = isolation
  const parts = held.length === 0 ? 'nothing' : held.join(', ')
  return kind === 'namespaces'
    ? `programs ran in namespaces of their own: ${parts} held`
    : `programs ran as processes of this user: ${parts} held`
}

export function workText({ work }: Pick<VerifiedWork, 'work'>): string {
  if (work === null) return 'the work was not copied'
  const { files, bytes, digest, leftOut } = work
  const rest = leftOut.length === 0 ? '' : `; ${leftOut.length} left out`
  return `${counted(files, 'file')}, ${bytes} bytes, ${digest}${rest}`
}
