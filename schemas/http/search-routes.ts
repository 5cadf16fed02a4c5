// The routes of searches as AuthZEN 1.0 has them, for the table of routes.
import type { z } from 'zod'
import {
  ActionSearchBody,
  ResourceSearchBody,
  SearchAnswer,
  SubjectSearchBody,
} from './searches.ts'

const search = (of: string, title: string, body: z.ZodType) =>
  ({
    method: 'post',
    path: `/access/v1/search/${of}`,
    title,
    body,
    reads: ['X-Request-ID'],
    answers: { 200: { title: 'What was found, and nothing is permitted', body: SearchAnswer } },
    problems: [400, 409, 422],
  }) as const

export const searchRoutes = {
  searchSubject: search('subject', 'Ask which subjects might do something', SubjectSearchBody),
  searchResource: search(
    'resource',
    'Ask on which resources a subject might do something',
    ResourceSearchBody,
  ),
  searchAction: search('action', 'Ask what a subject might do with a resource', ActionSearchBody),
} as const
