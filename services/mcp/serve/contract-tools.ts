// Contracts, and where agents stand by what was found of their work.
import { z } from 'zod'
import { endingText, scoreText } from '#present/story/work/contract-story'
import { counted } from '#present/wording'
import { contractsListed, contractShown } from '#client/work/contracts-shown'
import { earnedListed, earnedShown } from '#client/work/standings-shown'
import { auditTool } from './audit-tool.ts'
import { withinBounds } from './bounds.ts'

const shownMax = 100
const shownDefault = 25
const limit = z.int().min(1).max(shownMax).default(shownDefault)
const head = z.int().describe('the position up to which the log was read')

export const openContracts = auditTool({
  name: 'open_contracts',
  title: 'Open contracts',
  description: 'List the tasks that agents have under contracts, the oldest first, with attempts.',
  input: z.strictObject({ limit }),
  figures: { head, open: z.int().describe('how many there are') },
  async answer({ asked }, { limit: most }) {
    const position = await asked.caughtUp()
    const all = contractsListed(asked.follower.state.contracts, asked.clock.now())
    const contracts = all.slice(0, most)
    return {
      said: [`${counted(all.length, 'contract')} open, at position ${position}.`],
      lines: contracts.map(({ contract, taskId, worker, attempts, attemptsMax, waits }) => {
        return `${taskId}  ${worker}  ${attempts.length}/${attemptsMax}  ${waits}  ${contract}`
      }),
      figures: { head: position, open: all.length },
      recorded: { contracts },
    }
  },
})

export const showContract = auditTool({
  name: 'show_contract',
  title: 'Show a contract',
  description:
    'Show a contract with each attempt: what its worker claimed, and what every gate found.',
  input: z.strictObject({ contract: z.string().min(1).max(600).describe('its address') }),
  figures: {
    head,
    state: z.enum(['open', 'ended', 'void']),
    attempts: z.int().describe('how many there are so far'),
  },
  async answer({ asked, remaining }, { contract }) {
    const position = await asked.caughtUp()
    const { contracts } = asked.follower.state
    const log = withinBounds(asked.log, remaining)
    const of = { log, place: asked.place(), contracts, now: asked.clock.now() }
    const shown = await contractShown(of, contract)
    const { state, ended } = shown
    const how = ended === null ? '' : `: ${endingText(ended)}, ${scoreText(ended)}`
    return {
      said: [`The contract is ${state}${how}, at position ${position}.`],
      lines: shown.attempts.map(({ attempt, claim, found }) => {
        return `attempt ${attempt}  ${found?.verification ?? 'waits'}  ${claim ?? 'no claim'}`
      }),
      figures: { head: position, state, attempts: shown.attempts.length },
      recorded: { contract: shown },
    }
  },
})

export const showStandings = auditTool({
  name: 'show_standings',
  title: 'Show where agents stand',
  description:
    'Show what agents have earned by verified work: value and level, or of one agent its steps.',
  input: z.strictObject({
    agent: z.string().min(1).max(256).optional().describe('one of them, with its steps'),
    limit,
  }),
  figures: { head, agents: z.int().describe('how many there are') },
  async answer({ asked }, { agent, limit: most }) {
    const position = await asked.caughtUp()
    const { state } = asked.follower
    const all = agent === undefined ? earnedListed(state) : [earnedShown(state, agent)]
    const standings = all.slice(0, most)
    return {
      said: [`${counted(all.length, 'agent')}, at position ${position}.`],
      lines: standings.map((one) => `${one.agent}  ${one.value}  ${one.level}`),
      figures: { head: position, agents: all.length },
      recorded: { standings },
    }
  },
})
