import { BookingChannel, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import sql, { raw, type Sql } from 'sql-template-tag'
import { type Definition, records } from '#records/define.ts'

const last = (row: Sql, which: Sql): Sql => sql`(select count(*)::int from outside_bookings b
  where b."idChannel" = ${row}."id" and ${which} and b."dateCreate" > now() - interval '30 days')`

export const channelRecords: Definition = records(BookingChannel, {
  computed: {
    dateBooked: ({ row }) =>
      sql`(select max(b."dateCreate") from outside_bookings b where b."idChannel" = ${row}."id" and b."reason" is null)`,
    booked: ({ row }) => last(row, raw('b."reason" is null')),
    refused: ({ row }) => last(row, raw('b."reason" is not null')),
  },
  hooks: {
    async afterDelete({ tx }, { id }) {
      await tx.query(sql`delete from booking_channel_keys where "idChannel" = ${id}`)
    },
  },
})

/** The state of a booking: of the refusal, else of the visit as it stands now. */
export const stateSql = (b: Sql): Sql => sql`case when ${b}."reason" is not null then 'refused'
  when not exists (select from appointments a where a."id" = ${b}."idAppointment" and not a."deleted"
    and a."visitStatus" not in ('cancelled', 'moved')) then 'cancelled'
  when ${b}."isConfirmed" then 'confirmed' else 'booked' end`

export const bookingRecords: Definition = records(OutsideBooking, { computed: { state: ({ row }) => stateSql(row) } })
