// The routes of access requests, which are there where the server begins with them.
import { AccessCancelBody, AccessRequestBody, AccessTaskAnswer } from './access-requests.ts'

const path = '/access/v1/requests'
const isExperimental = true

export const accessRoutes = {
  accessRequest: {
    method: 'post',
    path,
    title: 'Have people asked about an evaluation that was denied for want of them',
    isExperimental,
    body: AccessRequestBody,
    reads: ['Idempotency-Key', 'X-Request-ID'],
    answers: {
      201: { title: 'It is decided', body: AccessTaskAnswer },
      202: { title: 'People are asked', body: AccessTaskAnswer },
    },
    problems: [400, 409, 410, 422],
  },
  accessTask: {
    method: 'get',
    path: `${path}/{id}`,
    title: 'How an access request of one’s own stands',
    isExperimental,
    answers: { 200: { title: 'How it stands', body: AccessTaskAnswer } },
    problems: [404, 410],
  },
  accessCancel: {
    method: 'post',
    path: `${path}/{id}/cancel`,
    title: 'Take an access request back',
    isExperimental,
    body: AccessCancelBody,
    isBodyOptional: true,
    answers: { 200: { title: 'It is taken back', body: AccessTaskAnswer } },
    problems: [400, 404, 409, 410],
  },
} as const
