// The routes by which tasks are given and reported on.
import { PublishedAnswer } from './bodies.ts'
import { ClaimBody, ContractBody } from './work-bodies.ts'

const published = {
  200: { title: 'The same was in the log already', body: PublishedAnswer },
  201: { title: 'It is in the log', body: PublishedAnswer },
}

export const workRoutes = {
  openContract: {
    method: 'post',
    path: '/v1/contracts',
    title: 'Give an agent a task under a contract, as an issuer of contracts',
    body: ContractBody,
    reads: ['Idempotency-Key'],
    answers: published,
    problems: [400, 422],
  },
  claim: {
    method: 'post',
    path: '/v1/contracts/{id}/claim',
    title: 'Report on the task of a contract, as its worker',
    body: ClaimBody,
    reads: ['Idempotency-Key'],
    answers: published,
    problems: [400, 422],
  },
} as const
