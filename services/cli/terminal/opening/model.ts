// Which model fills in what learning proposes, as options and the environment say. Without a name
// there is none, and people teach alone.
import type { Settings } from '#schemas/settings/settings'
import type { Model } from '#ports/models'
import { usage } from '../failure.ts'

export interface ModelOptions {
  readonly model?: string
  readonly modelUrl?: string
  /** Milliseconds. */
  readonly modelTimeout?: number
}

const urlDefault = 'http://127.0.0.1:11434'

export async function modelOf(options: ModelOptions, settings: Settings): Promise<Model | null> {
  const { modelTimeout: timeoutMs } = options
  const model = options.model ?? settings.model ?? ''
  if (model === '') {
    if (options.modelUrl === undefined && timeoutMs === undefined) return null
    throw usage('name a model: --model NAME, or WARRANT_MODEL')
  }
  const url = options.modelUrl ?? settings.modelUrl ?? urlDefault
  const { ollamaModel } = await import('#gates/ollama')
  return ollamaModel({ url, model, ...(timeoutMs !== undefined && { timeoutMs }) })
}
