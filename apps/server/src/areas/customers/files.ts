import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerFile } from '@ordinator/model/areas/customers/files'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { RowSql } from '../../records/define.ts'
import { fileRecords, holdersOfFiles } from '../files/index.ts'
import { isOpenCard } from './customers.ts'
import { fileThread } from './thread.ts'

const name = (identifier: string): Sql => raw(`"${identifier}"`)

/** A file of a card that is opened for a reason is for who has given one, whatever of the card it hangs at. */
export const customerFiles = fileRecords(CustomerFile, { view: hangsAtNoClosedCard }, { thread: fileThread })

function hangsAtNoClosedCard({ row, me }: RowSql): Sql {
  const [held, card] = [raw('held'), raw('card')]
  const closed = holdersOfFiles(CustomerFile).flatMap(({ holder, field }) => {
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
