// Colours, on a terminal that has them and where no one has said no. What is written to a file or a
// pipe has none, unless FORCE_COLOR asks for them.
import { environment, type Environment } from '#wiring/environment'
import pc from 'picocolors'

/** `NO_COLOR` has the last word, as its convention has it. */
export function hasColours(isTerminal: boolean, environs: Environment): boolean {
  const { NO_COLOR: refused = '', FORCE_COLOR: forced = '', TERM: terminal } = environs
  if (refused !== '') return false
  if (forced !== '') return forced !== '0' && forced !== 'false'
  return isTerminal && terminal !== 'dumb'
}

export const colours = pc.createColors(hasColours(process.stdout.isTTY === true, environment()))
