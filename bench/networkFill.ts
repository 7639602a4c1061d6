/** The network of the day: branches with a desk, doctors on duty, a warehouse; common services, analyses, goods and patients. */
import type { Permission } from '@ordinator/model/permissions'
import { reports } from '@ordinator/model/reports'
import { fillCentre } from './centre.ts'
import type { BenchClinic, Process } from './clinic.ts'
import { type Answer, inGroups, Person, ROLES, type Role } from './networkPeople.ts'

export const PRICE = 1_000
/** A doctor's day is round the clock, so that the bench may begin at any hour. */
export const VISIT_MINUTES = 15
const SLOTS = (24 * 60) / VISIT_MINUTES
const PATIENTS_OF_BRANCH = 200
const VISITORS_OF_BRANCH = 4
const GOODS = 20

const RIGHTS: Record<Role, readonly Permission[]> = {
  operator: ['viewCalendar', 'viewAllAppointments', 'createAppointments', 'editPastAppointments', 'viewCustomers'],
  registrar: [
    ...([
      'viewCalendar',
      'viewAllAppointments',
      'createAppointments',
      'editAppointments',
      'editPastAppointments',
    ] as const),
    ...(['viewCustomers', 'viewCashDesk', 'viewAllCashDesks', 'takePayments', 'cashInOut'] as const),
    ...(['viewLaboratoriesOrders', 'orderLaboratory'] as const),
  ],
  doctor: ['viewCalendar', 'viewAllAppointments', 'editAppointments', 'editPastAppointments', 'viewCustomers'],
  secondDoctor: ['viewCalendar', 'viewAllAppointments', 'editAppointments', 'editPastAppointments', 'viewCustomers'],
  laboratory: ['viewLaboratoriesOrders', 'takeLabSamples', 'enterLabResults', 'approveLabResults', 'viewCustomers'],
  keeper: ['warehouseDashboard', 'editWarehouse', 'viewAllWarehouses', 'viewStockReport', 'viewServices'],
}

export interface Branch {
  idFilial: number
  idDesk: number
  idShift: number
  idWarehouse: number
  /** Those who work; everybody else of the branch has a page open. */
  staff: Record<Role, Person>
  /** The next time of a doctor that is not taken: the doctor and HH:MM. @throws when the day is full */
  slot(): { idUser: number; doctor: Person; localStart: string }
}

export interface Network {
  branches: Branch[]
  people: Person[]
  visitors: number
  today: string
  idService: number
  idTest: number
  idAnalyte: number
  idSupplier: number
  goods: number[]
  /** A patient, each in turn. */
  patient(): number
}

export const good = ({ status, body }: Answer): any => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`)
  return body
}

/** @param today YYYY-MM-DD of the branches */
export async function fillNetwork(
  clinic: BenchClinic,
  servers: readonly Process[],
  branchCount: number,
  today: string,
): Promise<Network> {
  const { client, data } = clinic
  const ids = async (text: string, values: unknown[] = []): Promise<number[]> =>
    (await client.query<{ id: string }>(`${text} returning "id"`, values)).rows.map(({ id }) => Number(id))
  const one = async (text: string, values: unknown[] = []) => (await ids(text, values))[0] as number

  // The first users are the operators, as `fillCentre` takes them.
  const visitors = branchCount * VISITORS_OF_BRANCH
  await fillCentre(clinic, { visitors, operators: branchCount })
  const people = data.idUsers.map((id, at) => {
    const row = Math.floor(at / branchCount)
    const server = servers[(at + row) % servers.length] as Process
    return new Person(at, id, ROLES[row % ROLES.length] as Role, server)
  })
  const reportRights = [...new Set(reports.flatMap(({ any }) => [...any]))]
  for (const role of ROLES)
    await client.query(
      `insert into "user_permissions" ("idUser", "permission") select u, p from unnest($1::bigint[]) u, unnest($2::text[]) p
        on conflict do nothing`,
      [
        people.filter((person) => person.role === role).map(({ id }) => id),
        [...RIGHTS[role], ...(role === 'operator' ? reportRights : [])],
      ],
    )

  const [idUser] = data.idUsers as [number]
  const idFilials = await ids(
    `insert into filials ("nameFilial", "timeZone") select 'Мерный ' || n, 'Europe/Moscow' from generate_series(1, $1::int) n`,
    [branchCount],
  )
  const idService = await one(
    `insert into services ("nameService", "priceService", "userCreate", "userChange") values ('Приём', $1, $2, $2)`,
    [PRICE, idUser],
  )
  await client.query(`insert into service_durations ("idService", "minutes") values ($1, $2)`, [
    idService,
    VISIT_MINUTES,
  ])
  const goods = await ids(
    `insert into services ("nameService", "serviceCategory", "unit", "userCreate", "userChange")
      select 'Товар ' || n, 1, 'шт.', $1, $1 from generate_series(1, ${GOODS}) n`,
    [idUser],
  )
  const patients = await ids(
    `insert into customers ("surname", "name", "gender", "birthday")
      select 'Мерный ' || n, 'Имя', case n % 2 when 0 then 'male' else 'female' end, date '1950-01-01' + n % 20000
      from generate_series(1, $1::int) n`,
    [branchCount * PATIENTS_OF_BRANCH],
  )
  const staffOf = (at: number) =>
    Object.fromEntries(ROLES.map((role, row) => [role, people[row * branchCount + at]])) as Record<Role, Person>
  await client.query(
    `insert into "staff_events" ("type", "idUser", "idFilial", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", "idAuthor")
      select 'shift', u, f, $3::date, '00:00', '24:00', $3::date::timestamp at time zone 'Europe/Moscow',
        ($3::date + 1)::timestamp at time zone 'Europe/Moscow', $4
      from unnest($1::bigint[], $2::bigint[]) x(u, f)`,
    [
      idFilials.flatMap((_, at) => [staffOf(at).doctor.id, staffOf(at).secondDoctor.id]),
      idFilials.flatMap((id) => [id, id]),
      today,
      idUser,
    ],
  )
  await client.query(
    `insert into service_performers ("idService", "idUser") select $1, u from unnest($2::bigint[]) u`,
    [idService, idFilials.flatMap((_, at) => [staffOf(at).doctor.id, staffOf(at).secondDoctor.id])],
  )
  await client.query('analyze')

  const token = await clinic.signIn('bench-admin')
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${clinic.product.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return good({ status: answer.status, body: await answer.json() })
  }
  const { id: idOrganization } = await post('organizations', { shortName: 'Мерная', kind: 'own' })
  const { id: idSupplier } = await post('organizations', {
    shortName: 'Поставщик',
    kind: 'supplier',
    inn: '7724053916',
  })
  const analysis = await fillLaboratory(post)
  await inGroups(people, (person) => person.signIn())
  const branches: Branch[] = []
  for (const [at, idFilial] of idFilials.entries()) {
    const staff = staffOf(at)
    const { id: idDesk } = await post('cash-desks', {
      ...{ name: 'Касса', idFilial, idOrganization, refundLimit: 1 },
      ...{ kktMode: 'simulator', terminalMode: 'simulator' },
    })
    const opening = { key: `network-shift-${idDesk}`, idDesk }
    const { id: idShift } = good(await staff.registrar.ask('POST', '/cash-shifts/open', opening))
    const { id: idWarehouse } = await post('warehouses', { name: `Склад ${at + 1}`, idFilial })
    let next = 0
    const slot = () => {
      const doctor = next % 2 ? staff.doctor : staff.secondDoctor
      const minute = Math.floor(next / 2) * VISIT_MINUTES
      if (next++ >= 2 * SLOTS) throw new Error('the day of the doctors is full: more branches are needed')
      const localStart = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      return { idUser: doctor.id, doctor, localStart }
    }
    branches.push({ idFilial, idDesk, idShift, idWarehouse, staff, slot })
  }
  let turn = 0
  const patient = () => patients[turn++ % patients.length] as number
  return { branches, people, visitors, today, idService, ...analysis, idSupplier, goods, patient }
}

/** One analysis of one value in a tube. */
async function fillLaboratory(
  post: (path: string, body: object) => Promise<any>,
): Promise<Pick<Network, 'idTest' | 'idAnalyte'>> {
  const { id: idLaboratory } = await post('laboratory/list', { name: 'Своя', kind: 'own' })
  const { id: idContainer } = await post('laboratory/containers', {
    ...{ name: 'Жёлтая', cap: 'yellow', drawOrder: 4, usableVolume: 2 },
  })
  const { id: idAnalyte } = await post('laboratory/analytes', {
    ...{ name: 'Глюкоза', code: 'GLU', unit: 'ммоль/л', decimals: 2 },
  })
  await post('laboratory/norms', { idAnalyte, low: 3, high: 6, criticalHigh: 20 })
  const service = await post('services', { nameService: 'Анализ', priceService: 300 })
  const { id: idTest } = await post('laboratory/catalog', {
    ...{ name: 'Глюкоза', code: 'GLU', idLaboratory, idContainer, minVolume: 0.5, idService: service.id, cost: 50 },
  })
  await post('laboratory/components', { idTest, idAnalyte })
  return { idTest, idAnalyte }
}
