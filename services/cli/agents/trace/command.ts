// `warrant trace`: the whole story of one intent, or of one contract.
import type { Command } from 'commander'
import { askedCommand } from '#cli/terminal/asked/command'

export function registerTrace(program: Command): void {
  askedCommand(program, { list: 'trace' })
}
