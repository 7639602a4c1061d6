/** A clinic with desks, patients and simulated devices. */

import { afterAll, beforeAll, expect, vi } from 'vitest'
import { good } from '#testing/good.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { type CashWorld, cashWorld } from './cashWorld.ts'

let world: CashWorld
export let clinic: Clinic
export let keeper: Caller
export let cashier: Caller
export let chief: Caller

export const key = () => world.key()
export const patient = () => world.patient()
export const charge = (idCustomer: number, sum: number) => world.charge(idCustomer, sum)
export const deskOf = async (more: object = {}): Promise<{ id: number; shift: number }> => {
  const { idDesk, idShift } = await world.openDesk(more)
  return { id: idDesk, shift: idShift }
}
export const take = (idDesk: number, idCustomer: number, parts: object[], more: object = {}) =>
  cashier.post('/payments/take', { key: key(), idDesk, idCustomer, parts, ...more })
export const cash = (sum: number) => ({ method: 'cash', sum })
export const card = (sum: number) => ({ method: 'card', sum })

export const refund = (id: number, parts: object[], who = cashier) =>
  who.post(`/payments/${id}/refund`, { key: key(), parts, reason: 'Ошибка кассира' })
export const account = async (id: number) => good(await cashier.get(`/customers/${id}/account`))
export const owes = async (id: number) => {
  const { debt, advance } = await account(id)
  return [debt, advance]
}
export const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
    : [String(status)]
export const fault = (id: number, device: 'kkt' | 'terminal', name: string | null) =>
  keeper.post(`/cash-desks/${id}/simulate`, { device, fault: name }).then((answer) => good(answer, 204))
export const receipts = async (idPayment: number) =>
  good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}&sort=id`)).items
/** Prints the waiting documents as the job does, until the queue has the given status. */
export const printed = (idPayment: number, status = 'done') =>
  until(async () => {
    await clinic.context.jobs.run('money.receipts')
    const [task] = await receipts(idPayment)
    expect(task.status).toBe(status)
    return task
  })
/** Waits until the check passes; the timeout allows for a slow machine. */
export const until = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000, interval: 50 })
export const rows = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })

/** Registers the set-up of the file's tests. */
export function openMoneyClinic(): void {
  beforeAll(async () => {
    world = await cashWorld('Владивосток', 'Asia/Vladivostok')
    ;({ clinic, keeper, cashier, chief } = world)
  })
  afterAll(() => clinic.close())
}
