// Three versions of the AI SDK as one thing that tests talk to, with a model that follows a script.
import * as five from 'ai-5'
import { MockLanguageModelV2 as Model5 } from 'ai-5/test'
import * as six from 'ai-6'
import { MockLanguageModelV3 as Model6 } from 'ai-6/test'
import * as seven from 'ai'
import { MockLanguageModelV3 as Model7 } from 'ai/test'
import type { ModelMessage } from 'ai'
import { z } from 'zod'
import { governTools, type GovernedTools } from '#frameworks/ai-sdk'
import type { GoverningOptions } from '#frameworks/options'
import type { Warrant } from '#client/warrant'

export interface Asked {
  readonly id: string
  readonly tool: string
  readonly args: unknown
}

/** One answer of the model: a text, or calls of tools. */
export type Line = string | readonly Asked[]

export interface Turn {
  readonly text: string
  /** With what was there before. */
  readonly messages: ModelMessage[]
}

export interface Sdk {
  readonly version: number
  /** Governs the tools of the scene, which note what they ran with. */
  begin(bot: Warrant, ran: [string, unknown][], options: GoverningOptions, shown?: Shown): SdkRun
}

/** What the model is given of the governed tools. */
type Shown = 'tools' | 'definitions'

export interface SdkRun {
  readonly governed: Pick<
    GovernedTools<unknown>,
    'approvals' | 'answers' | 'toolApproval' | 'policyClient'
  >
  generate(script: readonly Line[], messages: ModelMessage[]): Promise<Turn>
  stream(script: readonly Line[], messages: ModelMessage[]): Promise<Turn>
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

function callsOf(line: readonly Asked[]) {
  return line.map(({ id, tool, args }) => {
    const input = JSON.stringify(args)
    return { type: 'tool-call' as const, toolCallId: id, toolName: tool, input }
  })
}

function finishOf(line: Line) {
  const unified = typeof line === 'string' ? ('stop' as const) : ('tool-calls' as const)
  return { unified, raw: undefined }
}

function wholeOf(line: Line) {
  const content = typeof line === 'string' ? [{ type: 'text' as const, text: line }] : callsOf(line)
  return { content, finishReason: finishOf(line), usage, warnings: [] }
}

function partsOf(line: Line) {
  const content =
    typeof line === 'string'
      ? [
          { type: 'text-start' as const, id: '1' },
          { type: 'text-delta' as const, id: '1', delta: line },
          { type: 'text-end' as const, id: '1' },
        ]
      : callsOf(line)
  return [
    { type: 'stream-start' as const, warnings: [] },
    ...content,
    { type: 'finish' as const, finishReason: finishOf(line), usage },
  ]
}

/** As an application keeps a conversation until it goes on. */
function kept(messages: readonly unknown[]): ModelMessage[] {
  return seven.modelMessageSchema.array().parse(JSON.parse(JSON.stringify(messages)))
}

/** Each line once; a model that is asked for more has not been stopped. */
function lines(script: readonly Line[]): () => Line {
  const left = [...script]
  return () => {
    const line = left.shift()
    if (line === undefined) throw new Error('the model is asked for more than its script has')
    return line
  }
}

const path = z.object({ path: z.string(), depth: z.int().default(1) })
const described = { description: 'a tool', inputSchema: path }

/** Of version 7, which takes models of the version before, too. */
export function scriptedModel(script: readonly Line[]): Model7 {
  const next = lines(script)
  return new Model7({
    doGenerate: () => Promise.resolve(wholeOf(next())),
    doStream: () =>
      Promise.resolve({ stream: seven.simulateReadableStream({ chunks: partsOf(next()) }) }),
  })
}

/** As models of version 5 answer, which say less of why they end. */
function olderOf(line: Line) {
  const { content } = wholeOf(line)
  const finishReason = finishOf(line).unified
  return { content, finishReason, usage: olderUsage, warnings: [] }
}

const olderUsage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }

export const sdk5: Sdk = {
  version: 5,
  begin(bot, ran, options, shown = 'tools') {
    const noting = (name: string) =>
      five.tool({
        ...described,
        execute: (args) => {
          ran.push([name, args])
          return Promise.resolve(`${name} of ${args.path}`)
        },
      })
    const tools = { look: noting('look'), erase: noting('erase'), fly: noting('fly') }
    const governed = governTools(bot, tools, options)
    const of = (script: readonly Line[], messages: ModelMessage[]) => {
      const next = lines(script)
      const model = new Model5({
        doGenerate: () => Promise.resolve(olderOf(next())),
        doStream: () => {
          const { finishReason } = olderOf(script[0] ?? '')
          const chunks = partsOf(next()).map((part) =>
            part.type === 'finish' ? { ...part, finishReason, usage: olderUsage } : part,
          )
          return Promise.resolve({ stream: five.simulateReadableStream({ chunks }) })
        },
      })
      return {
        model,
        tools: governed[shown],
        messages: five.modelMessageSchema.array().parse(messages),
        stopWhen: five.stepCountIs(5),
      }
    }
    return {
      governed,
      async generate(script, messages) {
        const { text, response } = await five.generateText(of(script, messages))
        return { text, messages: kept([...messages, ...response.messages]) }
      },
      async stream(script, messages) {
        const result = five.streamText(of(script, messages))
        const text = await result.text
        return { text, messages: kept([...messages, ...(await result.response).messages]) }
      },
    }
  },
}

export const sdk6: Sdk = {
  version: 6,
  begin(bot, ran, options, shown = 'tools') {
    const noting = (name: string) =>
      six.tool({
        ...described,
        execute: (args) => {
          ran.push([name, args])
          return Promise.resolve(`${name} of ${args.path}`)
        },
      })
    const tools = { look: noting('look'), erase: noting('erase'), fly: noting('fly') }
    const governed = governTools(bot, tools, options)
    const of = (script: readonly Line[], messages: ModelMessage[]) => {
      const next = lines(script)
      const model = new Model6({
        doGenerate: () => Promise.resolve(wholeOf(next())),
        doStream: () =>
          Promise.resolve({ stream: six.simulateReadableStream({ chunks: partsOf(next()) }) }),
      })
      const stopWhen = six.stepCountIs(5)
      return {
        model,
        tools: governed[shown],
        messages: six.modelMessageSchema.array().parse(messages),
        stopWhen,
      }
    }
    return {
      governed,
      async generate(script, messages) {
        const { text, response } = await six.generateText(of(script, messages))
        return { text, messages: kept([...messages, ...response.messages]) }
      },
      async stream(script, messages) {
        const result = six.streamText(of(script, messages))
        const text = await result.text
        return { text, messages: kept([...messages, ...(await result.response).messages]) }
      },
    }
  },
}

export const sdk7: Sdk = {
  version: 7,
  begin(bot, ran, options, shown = 'tools') {
    const noting = (name: string) =>
      seven.tool({
        ...described,
        execute: (args) => {
          ran.push([name, args])
          return Promise.resolve(`${name} of ${args.path}`)
        },
      })
    const tools = { look: noting('look'), erase: noting('erase'), fly: noting('fly') }
    const governed = governTools(bot, tools, options)
    const { toolApproval } = governed
    const of = (script: readonly Line[], messages: ModelMessage[]) => {
      const model = scriptedModel(script)
      const stopWhen = seven.stepCountIs(5)
      const approving = shown === 'tools' ? { toolApproval } : {}
      return { model, tools: governed[shown], ...approving, messages, stopWhen }
    }
    return {
      governed,
      async generate(script, messages) {
        const { text, responseMessages } = await seven.generateText(of(script, messages))
        return { text, messages: kept([...messages, ...responseMessages]) }
      },
      async stream(script, messages) {
        const result = seven.streamText(of(script, messages))
        const text = await result.text
        return { text, messages: kept([...messages, ...(await result.responseMessages)]) }
      },
    }
  },
}
