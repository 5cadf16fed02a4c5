// Reads what a model answered: JSON, strictly, within bounds. It must never say what it read, for
// that may be anything.
import { readJson } from '#record/json'
import { modelBytesMax, type ModelAnswer } from '#ports/models'

const limits = { bytesMax: modelBytesMax, depthMax: 32 }

export function readAnswer(bytes: Uint8Array): ModelAnswer {
  const reading = readJson(bytes, limits)
  if (reading.ok) return { answer: reading.value }
  const { code } = reading
  if (code === 'too_large') return { failed: { code, params: { bytesMax: modelBytesMax } } }
  return { failed: { code: 'not_json', params: { json: code } } }
}

const thought = /^\s*<think>[\s\S]*?<\/think>/
const fenced = /^\s*```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/

/** The text without what a model thought aloud before it, and without a fence around it. */
export function plainAnswer(text: string): string {
  const said = text.replace(thought, '')
  return fenced.exec(said)?.[1] ?? said
}
