import type { Notification } from '@ordinator/model/areas/notifications/notification'
import type { Row } from '@ordinator/model/entity'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'

const S = '/sales-management'

export { good }

/** For tests: helpers for a person's operations on deals. */
export const deals = (caller: Caller) => ({
  /** A funnel with its initial stages: new, in work, offer, done, lost. */
  async funnel(body: object = {}) {
    const funnel = good(await caller.post(`${S}/funnels`, { name: 'Воронка', ...body }), 201)
    const { items } = good(await caller.get(`${S}/stages?filter[idFunnel]=${funnel.id}`))
    return { ...funnel, stages: items.map((stage: { id: number }) => stage.id) as number[] }
  },
  deal: async (idStage: number | undefined, body: object = {}) =>
    good(await caller.post(`${S}/leads`, { title: 'Сделка', ...(idStage ? { idStage } : {}), ...body }), 201),
  stage: async (idStage: number, body: object) => good(await caller.put(`${S}/stages/${idStage}`, body)),
  go: (id: number, idStage: number, body: object = {}) => caller.put(`${S}/leads/${id}`, { idStage, ...body }),
  make: async (path: string, body: object) => good(await caller.post(`${S}/${path}`, body), 201),
  list: async (query: string) => good(await caller.get(`${S}/${query}`)).items,
  /** The person's notices of a kind. */
  notices: async (kind: string): Promise<Row<typeof Notification>[]> =>
    good(await caller.get(`/notifications?filter[kind]=${kind}&limit=100`)).items,
  /** Ids of a stage's deals in board order. */
  column: async (idStage: number): Promise<number[]> =>
    good(await caller.get(`${S}/leads?filter[idStage]=${idStage}&sort=order&limit=500&fields=id`)).items.map(
      (one: { id: number }) => one.id,
    ),
})
