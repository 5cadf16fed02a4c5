// A model that says what a script says, for tests and rehearsals. It must hold to the port like any
// other: what the script gives is read as JSON, and a script that throws has failed.
import type { Model, ModelQuestion } from '#ports/models'
import { readAnswer } from '#gates/model-answer'

const encoder = new TextEncoder()

/** Asks the script; where it throws, there is no answer. */
export function scriptedModel(answers: (question: ModelQuestion) => unknown): Model {
  return {
    name: 'scripted',
    async ask(question) {
      if (question.signal?.aborted === true) return { failed: { code: 'no_answer', params: {} } }
      try {
        // What has no JSON is encoded as nothing, which is no JSON either.
        const bytes = encoder.encode(JSON.stringify(await answers(question)))
        return readAnswer(bytes)
      } catch {
        return { failed: { code: 'no_answer', params: {} } }
      }
    },
  }
}
