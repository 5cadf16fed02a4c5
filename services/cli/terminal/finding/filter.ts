// The options by which facts are meant: by when they were appended, by the agent and the tool that
// they are about, by what was decided and why.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { didYouMean, nearest } from '#record/quote'
import { ReasonCode } from '#schemas/reasons'
import { outcomesMeant } from '#client/reading/meant'
import { several } from '../opening/options.ts'
import { timeSpelling } from '#client/reading/moment'
import { timeOption } from './moment-option.ts'

/** Adds the options that say which intents are meant. */
export function withMeant(command: Command): Command {
  return command
    .option('--since <time>', `from then on: ${timeSpelling}`, (text) => timeOption(text))
    .option('--until <time>', 'up to then', (text) => timeOption(text))
    .option('--agent <id>', 'only about intents of that agent; may be given several times', several)
    .option('--tool <id>', 'only about intents for that tool; may be given several times', several)
}

/** Adds those that say which of their facts are. */
export function withFilter(command: Command): Command {
  return withMeant(command)
    .addOption(
      new Option('--outcome <outcome>', 'only verdicts with it, or what came of the call')
        .choices(outcomesMeant)
        .argParser(oneOf(outcomesMeant)),
    )
    .addOption(
      new Option('--reason <code>', 'only denials for that reason')
        .choices(ReasonCode.options)
        .argParser(oneOf(ReasonCode.options)),
    )
}

/** Collects one of these at a time; of another it names the nearest. */
function oneOf<T extends string>(all: readonly T[]) {
  return (text: string, before: readonly T[] = []): readonly T[] => {
    const found = all.find((each) => each === text)
    if (found !== undefined) return [...before, found]
    const near = didYouMean(nearest(all, text)).replace(/^; d/, 'D')
    throw new InvalidArgumentError(near === '' ? `It is one of ${all.join(', ')}.` : near)
  }
}
