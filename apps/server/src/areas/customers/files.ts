import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerFile, CustomerPhoto } from '@ordinator/model/areas/customers/files'
import type { Entity } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { fileRecords, holdersOfFiles } from '#areas/files/index.ts'
import type { RowCondition } from '#records/define.ts'
import { isOpenCard } from './customers.ts'
import { fileThread } from './thread.ts'

const name = (identifier: string): Sql => raw(`"${identifier}"`)

/** Files of a restricted card are visible only to users who opened it, on whatever record they are. */
export const customerFiles = fileRecords(
  CustomerFile,
  { view: hangsAtNoClosedCard(CustomerFile) },
  { thread: fileThread },
)

/** Also for restricted cards. */
export const customerPhotos = fileRecords(CustomerPhoto, { view: hangsAtNoClosedCard(CustomerPhoto) })

function hangsAtNoClosedCard(files: Entity): RowCondition {
  return ({ row, me }) => closedCards(files, row, me)
}

/** A file of a deleted record still belongs to its card; an unattached file belongs to its author. */
function closedCards(files: Entity, row: Sql, me: Sql): Sql {
  const [held, card] = [raw('held'), raw('card')]
  const holders = holdersOfFiles(files)
  const holds = ({ holder, field }: (typeof holders)[number]) =>
    sql`from ${name(holder.table)} ${held} where ${held}.${name(field)} = ${row}."id"`
  const closed = holders.flatMap((one) =>
    one.holder.personal
      ? [
          sql`exists (select ${holds(one)} and exists (select from ${name(Customer.table)} ${card}
            where ${card}."id" = ${held}.${name(one.holder.personal)} and not ${isOpenCard({ row: card, me })}))`,
        ]
      : [],
  )
  const hangs = holders.map((one) => sql`exists (select ${holds(one)})`)
  return sql`(not (${join(closed, ' or ')}) and (${row}."idUser" = ${me} or ${join(hangs, ' or ')}))`
}
