/** For tests: a move with its tables, taken step by step as a person does. */
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import type { MoveFile } from '@ordinator/model/areas/moving/move'
import type { MoveProgram, MoveTableKey } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'

export const MOVER = [
  'mainSettings',
  'viewCustomers',
  'editCustomers',
  'editServices',
  'viewServices',
  'editUsers',
  'viewCalendar',
  'viewAllAppointments',
  'createAppointments',
  'editAppointments',
  'editAccount',
  'viewAllCashDesks',
  'viewPaymentsReport',
  'viewCashDesk',
  'viewPlans',
  'viewCustomerPlansReport',
] as const

type File = Row<typeof MoveFile>

let opened = 0

export async function openMove(clinic: Clinic, who: Caller, program: MoveProgram = 'yclients') {
  const system = clinic.context.engine.for(systemActor)
  const { id: idFilial } = await system.create(Filial, {
    nameFilial: `На Садовой ${++opened}`,
    timeZone: 'Europe/Moscow',
  })
  const { id: idOrganization } = await system.create(Organization, { shortName: `Клиника ${opened}`, kind: 'own' })
  const move = good(await who.post('/moving', { name: 'Переезд', program, idFilial, idOrganization }), 201) as {
    id: number
  }
  const drain = () => clinic.context.jobs.drain()
  const file = async (id: number): Promise<File> => good(await who.get(`/moving/files/${id}`))

  async function send(table: MoveTableKey, content: string | Uint8Array, name = 'файл.csv'): Promise<File> {
    const form = new FormData()
    form.append('table', table)
    form.append('file', new File([content as BlobPart], name))
    const { id } = good(await who.post<File>(`/moving/${move.id}/files`, form), 201)
    await drain()
    return file(id)
  }
  async function rehearse(id: number): Promise<File> {
    good(await who.post(`/moving/files/${id}/rehearse`))
    await drain()
    return file(id)
  }
  async function run(id: number): Promise<File> {
    good(await who.post(`/moving/files/${id}/run`))
    await drain()
    return file(id)
  }
  return {
    ...move,
    idFilial,
    idOrganization,
    file,
    send,
    rehearse,
    run,
    /** All the way of one table. */
    async take(table: MoveTableKey, content: string | Uint8Array, name?: string): Promise<File> {
      const { id, state, message } = await send(table, content, name)
      if (state !== 'ready') throw new Error(`${table}: ${state} ${message}`)
      const checked = await rehearse(id)
      if (checked.state !== 'checked') throw new Error(`${table}: ${checked.state} ${checked.message}`)
      return run(id)
    },
    seen: async (id: number, query = '') => good(await who.get(`/moving/files/${id}/seen${query}`)),
    plan: async () => good(await who.get(`/moving/${move.id}/plan`)),
    reconcile: async () => good(await who.get(`/moving/${move.id}/reconciliation`)),
    async revertAll() {
      const answer = await who.post(`/moving/${move.id}/revert`)
      await drain()
      return answer
    },
  }
}
