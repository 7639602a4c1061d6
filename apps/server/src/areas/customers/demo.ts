import {
  Customer,
  CustomerPolicy,
  CustomerRelation,
  CustomerSource,
  CustomerStatus,
  CustomerTag,
} from '@ordinator/model/areas/customers/customer'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoCustomers, demoSources } from './demoCustomers.ts'

/** Cards created twice by mistake: they appear among the likely duplicates. */
const madeTwice = [47, 148, 253, 350, 451]

const demoStatuses = [
  ['Новый', '#1c7ed6'],
  ['Постоянный', '#2f9e44'],
  ['Корпоративный', '#7048e8'],
] as const

/** Sources of patients, by kind. @returns their ids by name */
export async function ready(records: Records): Promise<Map<string, number>> {
  const system = records.asSystem
  const sources = new Map<string, number>()
  for (const { name, within } of demoSources) {
    const parent = await system.create(CustomerSource, { sourceName: name })
    for (const sourceName of within)
      sources.set(sourceName, (await system.create(CustomerSource, { sourceName, idParentSource: parent.id })).id)
  }
  return sources
}

/** Patients with their families, policies, tags and sources. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const sources = await ready(records)
  const patients = demoCustomers()
  const statuses: number[] = []
  for (const [name, color] of demoStatuses) statuses.push((await system.create(CustomerStatus, { name, color })).id)
  const valid = { pastHooks: 'The numbers of the demo clinic are made as their kinds have them' }
  const made = await system.createMany(
    Customer,
    patients.map(({ card, source }, at) => ({
      ...card,
      idSource: source ? sources.get(source) : undefined,
      idStatus: at % 3 === 0 ? statuses[Math.floor(at / 3) % statuses.length] : undefined,
    })),
    valid,
  )
  await system.createMany(
    Customer,
    madeTwice.flatMap((at) => {
      const { surname, name, middleName, gender, birthday, phone } = patients[at]?.card ?? {}
      return surname ? [{ surname, name, middleName, gender, birthday, ...(at % 2 === 1 && { phone }) }] : []
    }),
    valid,
  )
  const idOf = (at: number) => made[at]?.id as number
  await system.createMany(
    CustomerPolicy,
    patients.flatMap(({ policy }, at) => (policy ? [{ ...policy, idCustomer: idOf(at) }] : [])),
    valid,
  )
  await system.createMany(
    CustomerRelation,
    patients.flatMap(({ mother }, at) =>
      mother === undefined
        ? []
        : [{ idCustomer: idOf(at), idRelative: idOf(mother), relation: 'mother' as const, signs: 'yes' as const }],
    ),
    valid,
  )
  await system.createMany(
    CustomerTag,
    patients.flatMap(({ tag }, at) => (tag ? [{ ...tag, idCustomer: idOf(at) }] : [])),
  )
  // Numbers of new cards continue from here.
  const next = Math.max(...patients.map(({ card }) => Number(card.cardNumber) || 0)) + 1
  await tx.query(sql`with cards as (select "id" from sequences where "code" = 'card' and not "deleted"),
    counted as (insert into sequence_counters ("idSequence", "idFilial", "period", "next")
      select "id", null::bigint, '', ${next} from cards on conflict do nothing)
    insert into common_settings ("name", "value") select 'customerSequence', to_jsonb("id") from cards
      on conflict ("name") do nothing`)
}
