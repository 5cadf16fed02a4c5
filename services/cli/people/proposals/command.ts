// `warrant proposals`: what learning asks people, and their signed answers.
import { InvalidArgumentError, type Command } from 'commander'
import { relationTypes } from '#schemas/graph'
import type { RulingWord, CandidateEdge } from '#schemas/learning'
import { level, noteText, relationType } from '#cli/rules/editing/edit-options'
import { askedCommand, runAsked } from '#cli/terminal/asked/command'
import { usage } from '#cli/terminal/failure'
import {
  examples,
  pairs,
  running,
  wholeNumber,
  withModel,
  withSigner,
} from '#cli/terminal/opening/options'
import type { LevelGiven } from './ruling/filling.ts'
import type { RuleOptions } from './ruling/rule.ts'
import type { PreviewOptions } from './show.ts'
import type { GlobalOptions } from '#cli/terminal/opening/options'

export function registerProposals(program: Command): void {
  const asks = { list: 'proposals' } as const
  const command = askedCommand(program, {
    ...asks,
    examples: ['warrant proposals --all --json | jq -r .rows[].state'],
  })
  command
    .option('-f, --follow', 'keep printing new proposals as they open')
    .action(async (_options: unknown, called: Command) => {
      const { all, follow } = called.opts<{ readonly all?: true; readonly follow?: true }>()
      if (follow !== true) return runAsked(asks, undefined, called)
      if (all === true) throw usage('--follow goes on with what is open: leave out --all')
      const { followProposals } = await import('./follow.ts')
      process.exitCode = await followProposals(called.optsWithGlobals<GlobalOptions>())
    })
  registerShow(command)
  registerAccept(command)
  registerTeach(command)
  registerEnding(command, 'skip', 'leave them open; they are not asked again within the hour')
  registerEnding(command, 'reject', 'refuse them; the same is not asked again unless reopened')
  registerReopen(command)
  registerSuggest(command)
}

function withPreview(command: Command): Command {
  const lastDefault = 100
  return command.option(
    '--last <count>',
    'preview it on this many of the last intents; 0 for no preview',
    wholeNumber,
    lastDefault,
  )
}

function registerShow(proposals: Command): void {
  const asks = {
    list: 'proposal',
    examples: ['warrant proposals show 65Q6591C --last 100'],
  } as const
  askedCommand(proposals, asks)
    .option(
      '--last <count>',
      'and preview accepting the suggestion on this many of the last intents',
      wholeNumber,
    )
    .action(async (meant: string, _options: unknown, called: Command) => {
      const options = called.optsWithGlobals<GlobalOptions & Partial<PreviewOptions>>()
      const { last = 0 } = options
      if (last === 0) return runAsked(asks, meant, called)
      const { showPreviewed } = await import('./show.ts')
      process.exitCode = await showPreviewed(meant, { ...options, last })
    })
}

function ruling(
  proposals: Command,
  { name, description }: { readonly name: string; readonly description: string },
  argument = '<proposal>',
): Command {
  return withSigner(
    proposals
      .command(name)
      .description(description)
      .argument(argument, 'proposal ID, or its last characters')
      .option('--note <text>', 'why, for anyone who reads the log', noteText),
  )
}

function rules(command: Command, word: RulingWord): Command {
  return command.action(
    async (meant: string | readonly string[], _options: unknown, called: Command) => {
      const { ruleProposals } = await import('./ruling/rule.ts')
      const options = called.optsWithGlobals<RuleOptions>()
      process.exitCode = await ruleProposals([meant].flat(), word, options)
    },
  )
}

function registerAccept(proposals: Command): void {
  const description = 'accept the suggestion of a model, and add it to the graph'
  const command = rules(withPreview(ruling(proposals, { name: 'accept', description })), 'accepted')
  examples(command, [
    'warrant proposals accept 65Q6591C',
    'warrant proposals accept 65Q6591C --as olga --note "as the manual says"',
  ])
}

function registerTeach(proposals: Command): void {
  const description = 'enter what is missing, step by step or by flags'
  const command = withPreview(ruling(proposals, { name: 'teach', description }))
    .option(
      '--level <words...>',
      'a level and its properties: --level 1 is="a text"; for an edge: --level file:1 is="a text"',
      levelsGiven,
    )
    .option('--edge <edge>', 'the edge: "delete APPLIES_TO file"', edge)
    .option('--source-level <level>', 'the level of its source that the edge hangs on', level)
    .option('--target-level <level>', 'the level of its target that the edge needs', level)
    .option(
      '--candidate <file>',
      'the whole answer as JSON: { levels, edge }; `-` for standard input',
    )
  examples(rules(command, 'modified'), [
    'warrant proposals teach 65Q6591C',
    'warrant proposals teach 65Q6591C --level 1 is="hand over for delivery"',
    'warrant proposals teach 65Q6591C --edge "send APPLIES_TO email" --source-level 1 \\',
    '  --target-level 1',
    'warrant proposals teach 65Q6591C --candidate candidate.json --key olga --yes',
    '',
    'It asks for what the flags do not give.',
  ])
}

function registerEnding(proposals: Command, name: 'skip' | 'reject', description: string): void {
  const command = ruling(proposals, { name, description }, '<proposal...>')
  examples(rules(command, name === 'skip' ? 'skipped' : 'rejected'), [
    `warrant proposals ${name} 65Q6591C --note "ask Olga, not me"`,
    `warrant proposals ${name} $(warrant proposals --json | jq -r .rows[].proposal)`,
  ])
}

function registerReopen(proposals: Command): void {
  const description = 'reopen proposals that were skipped, rejected or have expired'
  const command = ruling(proposals, { name: 'reopen', description }, '<proposal...>').action(
    running(async () => (await import('./ruling/reopen.ts')).reopenProposals),
  )
  examples(command, ['warrant proposals reopen 65Q6591C --note "we do know it by now"'])
}

function registerSuggest(proposals: Command): void {
  const command = withModel(
    proposals
      .command('suggest')
      .description('ask a model for a suggestion now')
      .argument('<proposal>', 'proposal ID, or its last characters'),
  ).action(running(async () => (await import('./suggest.ts')).suggestFor))
  examples(command, [
    'warrant proposals suggest 65Q6591C --model llama3.2',
    'WARRANT_MODEL=llama3.2 warrant proposals suggest 65Q6591C',
  ])
}

/** Collects `--level file:1 is="a text"`: a word without `=` begins the next level. */
function levelsGiven(word: string, before: readonly LevelGiven[] = []): readonly LevelGiven[] {
  if (!word.includes('=')) {
    const at = word.lastIndexOf(':')
    const name = at < 1 ? null : word.slice(0, at)
    return [...before, { name, level: level(word.slice(at + 1)), properties: {} }]
  }
  const last = before.at(-1)
  if (last === undefined) throw new InvalidArgumentError('Expected a level before key=value.')
  return [...before.slice(0, -1), { ...last, properties: pairs(word, last.properties) }]
}

const edgePattern = new RegExp(`^(.+?)\\s+(${relationTypes.join('|')})\\s+(.+)$`, 'i')

function edge(text: string): Pick<CandidateEdge, 'source' | 'type' | 'target'> {
  const [, source, type, target] = edgePattern.exec(text.trim()) ?? []
  if (source !== undefined && type !== undefined && target !== undefined) {
    return { source, type: relationType(type), target }
  }
  const types = relationTypes.join(', ')
  throw new InvalidArgumentError(`Expected SOURCE TYPE TARGET, where TYPE is one of ${types}.`)
}
