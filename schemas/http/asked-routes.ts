// The routes of the HTTP server by which operations of the table are asked.
import { ofEach } from '../operations/table.ts'
import type { RouteEntry } from './route.ts'

export const askedRoutes = ofEach((asks): RouteEntry => {
  const isOne = asks.path.includes('{')
  return {
    method: 'get',
    path: `/v1${asks.path}`,
    title: asks.title,
    asks,
    answers: { 200: { title: isOne ? 'It' : 'A page of them', body: asks.output } },
    problems: isOne ? [400, 404] : [400],
  }
})
