// The routes of contracts and standings. What is not the caller's business is not there.
import { PublishedAnswer } from './bodies.ts'
import {
  ClaimBody,
  AnsweredContract,
  ContractBody,
  AnsweredContracts,
  AnsweredStanding,
} from './work-bodies.ts'

const published = {
  200: { title: 'The same was in the log already', body: PublishedAnswer },
  201: { title: 'It is in the log', body: PublishedAnswer },
}

export const workRoutes = {
  contract: {
    method: 'post',
    path: '/v1/contracts',
    title: 'Give an agent a task under a contract, as an issuer of contracts',
    body: ContractBody,
    reads: ['Idempotency-Key'],
    answers: published,
    problems: [400, 422],
  },
  contracts: {
    method: 'get',
    path: '/v1/contracts',
    title: 'The open contracts of which the caller is the issuer or the worker',
    answers: { 200: { title: 'The contracts', body: AnsweredContracts } },
  },
  contractSeen: {
    method: 'get',
    path: '/v1/contracts/{id}',
    title: 'One of these, open or not, with all of its attempts',
    answers: { 200: { title: 'The contract', body: AnsweredContract } },
    problems: [404],
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
  standing: {
    method: 'get',
    path: '/v1/standings/{id}',
    title: 'Where an agent stands: oneself, one’s own, or for issuers any',
    answers: { 200: { title: 'The standing, with its steps', body: AnsweredStanding } },
    problems: [404],
  },
} as const
