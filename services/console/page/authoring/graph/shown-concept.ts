// A concept as the server gives it: with its levels, and what they lead to.
import type { GraphAnswer } from '#schemas/console/reading'

export type ShownConcept = GraphAnswer['graph']['primitives'][number]
