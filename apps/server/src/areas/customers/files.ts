import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerFile, CustomerPhoto } from '@ordinator/model/areas/customers/files'
import type { Entity } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { RowCondition } from '../../records/define.ts'
import { fileRecords, holdersOfFiles } from '../files/index.ts'
import { isOpenCard } from './customers.ts'
import { fileThread } from './thread.ts'

const name = (identifier: string): Sql => raw(`"${identifier}"`)

/** A file of a card that is opened for a reason is for who has given one, whatever of the card it hangs at. */
export const customerFiles = fileRecords(
  CustomerFile,
  { view: hangsAtNoClosedCard(CustomerFile) },
  { thread: fileThread },
)

/** Of a card that is opened for a reason too. */
export const customerPhotos = fileRecords(CustomerPhoto, { view: hangsAtNoClosedCard(CustomerPhoto) })

function hangsAtNoClosedCard(files: Entity): RowCondition {
  return ({ row, me }) => closedCards(files, row, me)
}

function closedCards(files: Entity, row: Sql, me: Sql): Sql {
  const [held, card] = [raw('held'), raw('card')]
  const closed = holdersOfFiles(files).flatMap(({ holder, field }) => {
    if (!holder.personal) return []
    const alive = holder.soft ? sql`and not ${held}."deleted"` : sql``
    return [
      sql`exists (select from ${name(holder.table)} ${held} join ${name(Customer.table)} ${card}
        on ${card}."id" = ${held}.${name(holder.personal)}
        where ${held}.${name(field)} = ${row}."id" ${alive} and not ${isOpenCard({ row: card, me })})`,
    ]
  })
  return sql`not (${join(closed, ' or ')})`
}
