import { BookingChannel, keyedKinds, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import { Invite, InviteCode } from '@ordinator/model/areas/outside/invite'
import { ChannelMatch } from '@ordinator/model/areas/outside/match'
import sql, { raw, type Sql } from 'sql-template-tag'
import { type Definition, records } from '#records/define.ts'
import { keepSellerKey } from './channels.ts'

const last = (row: Sql, which: Sql): Sql => sql`(select count(*)::int from outside_bookings b
  where b."idChannel" = ${row}."id" and ${which} and b."dateCreate" > now() - interval '30 days')`

const hasKey = (row: Sql): Sql => sql`exists (select from booking_channel_tokens t where t."idChannel" = ${row}."id")`
/** Яндекс reads by itself, and only by a contract; the others are sent with their key. */
const isSent = (
  row: Sql,
): Sql => sql`(case ${row}."kind" when 'yandex' then ${row}."isAgreed" else ${row}."kind" = any (${[...keyedKinds]}::text[])
  and ${hasKey(row)} end)`

export const channelRecords: Definition = records(BookingChannel, {
  computed: {
    dateBooked: ({ row }) =>
      sql`(select max(b."dateCreate") from outside_bookings b where b."idChannel" = ${row}."id" and b."reason" is null)`,
    booked: ({ row }) => last(row, raw('b."reason" is null')),
    refused: ({ row }) => last(row, raw('b."reason" is not null')),
    hasSellerKey: ({ row }) => hasKey(row),
    pushState: ({ row }) => sql`(select case when not ${row}."active" or not ${isSent(row)} then 'off'
        when bool_or(p."error" is not null) then 'fails'
        when max(p."datePushed") is null then 'waits' when bool_or(p."isQueued") then 'late' else 'works' end
      from booking_pushes p where p."idChannel" = ${row}."id")`,
    datePushed: ({ row }) => sql`(select max(p."datePushed") from booking_pushes p where p."idChannel" = ${row}."id")`,
    pushError: ({ row }) => sql`(select p."error" from booking_pushes p
      where p."idChannel" = ${row}."id" and p."error" is not null order by p."part" limit 1)`,
  },
  hooks: {
    afterCreate: async ({ tx }, row, { sellerKey }) => void (sellerKey && (await keepSellerKey(tx, row.id, sellerKey))),
    async beforeUpdate({ tx }, value, before) {
      // A key is of one seller.
      const isOther = value.kind !== undefined && value.kind !== before.kind
      if (value.sellerKey) await keepSellerKey(tx, before.id, value.sellerKey)
      else if (isOther) await keepSellerKey(tx, before.id, null)
      const isMoved = value.idFilial !== undefined && value.idFilial !== before.idFilial
      // A new recipient has no data yet.
      if (isOther || isMoved || value.sellerKey)
        await tx.query(sql`update booking_pushes set "known" = '{}', "dateWhole" = null, "dateFailed" = null, "error" = null
          where "idChannel" = ${before.id}`)
    },
    async afterDelete({ tx }, { id }) {
      await tx.query(sql`delete from booking_channel_keys where "idChannel" = ${id}`)
      await keepSellerKey(tx, id, null)
    },
  },
})

/** The state of a booking: of the refusal, else of the visit now. */
export const stateSql = (b: Sql): Sql => sql`case when ${b}."reason" is not null then 'refused'
  when not exists (select from appointments a where a."id" = ${b}."idAppointment" and not a."deleted"
    and a."visitStatus" not in ('cancelled', 'moved')) then 'cancelled'
  when ${b}."isConfirmed" then 'confirmed' else 'booked' end`

export const bookingRecords: Definition = records(OutsideBooking, { computed: { state: ({ row }) => stateSql(row) } })

export const inviteRecords: readonly Definition[] = [records(InviteCode), records(Invite)]

/** A line that has ours is matched; one that has lost it is not. */
export const matchRecords: Definition = records(ChannelMatch, {
  hooks: {
    prepare(value, before) {
      const { kind, idUser, idService } = { ...before, ...value }
      if (value.state === 'left' || (value.idUser === undefined && value.idService === undefined)) return
      const ours = kind === 'doctor' ? idUser : idService
      if (value.state === undefined) value.state = ours ? 'matched' : 'new'
    },
  },
})
