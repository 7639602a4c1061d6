import type { RegulationLine, RegulationView } from '@ordinator/model/areas/regulations/wire'
import sharp from 'sharp'
import type { AppContext } from '#records/context.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'

const M = '/regulations/model'

/** For tests: helpers for a person's operations on regulations. */
export const desk = (caller: Caller) => ({
  make: async (path: string, body: object) => good(await caller.post(path, body), 201),
  /** A draft with one step, unless the body overrides it. */
  regulation: async (body: object = {}): Promise<RegulationView> =>
    good(await caller.post(`${M}/create`, { name: 'Регламент', stages: [{ title: 'Шаг' }], ...body }), 201),
  view: async (id: number): Promise<RegulationView> => good(await caller.get(`${M}/view?id=${id}`)),
  index: async (query = ''): Promise<RegulationLine[]> =>
    good(await caller.get(`${M}/index?${query.includes('limit=') ? '' : 'limit=500&'}${query}`)).items,
  save: async (id: number, body: object): Promise<RegulationView> =>
    good(await caller.post(`${M}/update?id=${id}`, { name: 'Регламент', ...body })),
  go: (id: number, to: string, more: object = {}) =>
    caller.post<RegulationView>(`${M}/transition?id=${id}`, { to, ...more }),
  decide: (id: number, decision: string, comment?: string) =>
    caller.post<RegulationView>(`${M}/decide?id=${id}`, { decision, ...(comment && { comment }) }),
  version: (id: number) => caller.post<RegulationView>(`${M}/new-version?id=${id}`),
  /** Moves a draft into force. */
  async enforce(id: number): Promise<RegulationView> {
    for (const to of ['review', 'approved']) good(await this.go(id, to))
    return good(await this.go(id, 'active'))
  },
  async picture(): Promise<{ id: number; url: string }> {
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(png)]), 'стойка.png')
    return good(await caller.post('/regulations/files', form), 201)
  },
})

/** For tests: the clinic's setting that lets authors approve their own versions. */
export const allowOwnApproval = ({ db }: Pick<AppContext, 'db'>) =>
  db.query({ text: `insert into common_settings (name, value) values ('regulationsOwnApproval', 'true')` })

/** For tests: a person's calls, signed in once. A second sign-in of the same person would end the first. */
export function callers(clinic: () => Clinic): (login: string) => Caller {
  const known = new Map<string, Caller>()
  return (login) => {
    const caller = known.get(login) ?? clinic().as(login)
    known.set(login, caller)
    return caller
  }
}
