/** A branch with a desk and today's visits, for the tests of visit prices. */
import { dayIn } from '@ordinator/model/zone'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import type { worldOf } from './world.ts'

const today = (): string => dayIn('Europe/Moscow', Date.now())
let serial = 0

export interface BilledLine {
  id: number
  idCoupon: number
  finalCost: number
  paid: number
  discount: number
  completed: boolean
}

/** @param keeper has `worldOf.rights`, `editPastAppointments`, `reopenVisit` and the rights to money */
export async function billing(keeper: Caller, worlds: ReturnType<typeof worldOf>, idOrganization: number) {
  const { idFilial, idService, idDoctors } = await worlds.make({ shifts: false })
  const [idUser] = idDoctors as [number]
  const localDate = today()
  await worlds.shift(idUser, idFilial, { localDate, localFrom: '00:00', localTo: '24:00' })
  const key = () => `billing-${Date.now()}-${++serial}`
  const desk = await worlds.post('cash-desks', {
    name: `Касса ${++serial}`,
    idFilial,
    idOrganization,
    kktMode: 'simulator',
    terminalMode: 'simulator',
    refundLimit: 1_000_000,
  })
  const idDesk: number = desk.id
  const { id: idShift } = good(await keeper.post('/cash-shifts/open', { key: key(), idDesk }), 201)
  let minute = 0

  /** Books a visit of today. @param services of its only coupon */
  async function book(idCustomer: number, services: readonly object[]) {
    minute += 30
    const localStart = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const body = { idCustomer, idFilial, localDate, coupons: [{ idUser, localStart, minutes: 30, services }] }
    return keeper.post('/appointments/book', body)
  }
  /** A visit whose patient has arrived. @param quantities of its lines, at 1000 ₽ */
  async function visit(quantities: readonly number[], more: { idCustomer?: number } = {}) {
    const idCustomer = more.idCustomer ?? (await worlds.patient())
    const services = quantities.map((qty) => ({ idService, qty }))
    const { id } = good(await book(idCustomer, services), 201)
    good(await keeper.post(`/appointments/${id}/status`, { status: 'arrived' }))
    return { id, idCustomer, lines: (await linesOf(id)).map((line) => line.id) }
  }
  const linesOf = async (id: number): Promise<BilledLine[]> =>
    good(await keeper.get(`/coupon-services?filter[coupon.idAppointment]=${id}&sort=id`)).items
  const couponOf = async (id: number) => good(await keeper.get(`/coupons?filter[idAppointment]=${id}`)).items[0]
  const to = (id: number, status: string, more: object = {}) =>
    keeper.post(`/appointments/${id}/status`, { status, ...more })
  const done = (id: number, completed = true) => keeper.post(`/coupon-services/${id}/done`, { completed })
  const refuse = (id: number) =>
    keeper.post(`/coupon-services/${id}/done`, { completed: false, cancelled: true, refusalReason: 'Передумал' })
  const take = (idCustomer: number, sum: number, more: object = {}) =>
    keeper.post('/payments/take', { key: key(), idDesk, idCustomer, parts: [{ method: 'cash', sum }], ...more })
  const refund = (id: number, sum: number, more: object = {}) =>
    keeper.post(`/payments/${id}/refund`, { key: key(), parts: [{ method: 'cash', sum }], reason: 'Возврат', ...more })
  /** Debt and advance. */
  const owes = async (idCustomer: number): Promise<[number, number]> => {
    const { debt, advance } = good(await keeper.get(`/customers/${idCustomer}/account?limit=0`))
    return [debt, advance]
  }
  const owed = async (idCustomer: number, more = '') => good(await keeper.get(`/customers/${idCustomer}/unpaid${more}`))
  const unpaid = async (idCustomer: number, more = '') => (await owed(idCustomer, more)).lines
  const receipts = async (idPayment: number) =>
    good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}&sort=id`)).items
  const correct = (idCustomer: number, kind: 'charge' | 'writeOff', sum: number) =>
    keeper.post('/ledger/correct', { key: key(), idCustomer, idOrganization, kind, sum, reason: 'Сверка' })
  return {
    idFilial,
    idService,
    idUser,
    idDesk,
    idShift,
    key,
    book,
    visit,
    linesOf,
    couponOf,
    to,
    done,
    refuse,
    take,
    refund,
    owes,
    owed,
    unpaid,
    receipts,
    correct,
  }
}
billing.rights = [
  'editPastAppointments',
  'reopenVisit',
  'editVisitPrices',
  'takePayments',
  'refundPayments',
  'cashInOut',
  'editAccount',
  'viewCashDesk',
  'viewAllCashDesks',
] as const
