import { filialCalls } from '@ordinator/model/areas/filials/calls'
import { Filial, FilialFile, FilialHoliday, FilialPicture } from '@ordinator/model/areas/filials/filial'
import { parseTime } from '@ordinator/model/format'
import { hoursError } from '@ordinator/model/hours'
import { randomColor } from '@ordinator/model/palette'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** Carries out what follows when a branch is closed or opened again: registered by the area of visits. */
type Following = (context: Pick<WriteContext, 'actor' | 'tx' | 'records'>, idFilial: number) => Promise<void>
let following: Following | undefined
export const followsOpening = (how: Following): void => {
  following = how
}

export const filialRecords = records(Filial, {
  found: {
    on: 'filial',
    group: 'Филиалы',
    by: ['nameFilial', 'shortFilialName', 'filialAddressFact'],
    opens: ({ row }) => sql`'/settings/filial/update/' || ${row}."id"`,
    hint: ({ row }) => sql`coalesce(${row}."filialAddressFact", ${row}."filialAddress")`,
  },
  hooks: {
    prepare(value, before) {
      if (!before) value.labelColor ??= randomColor()
      const { latitude, longitude } = { ...before, ...value }
      if ((latitude ?? null) === null && (longitude ?? null) !== null) throw pointless('latitude')
      if ((longitude ?? null) === null && (latitude ?? null) !== null) throw pointless('longitude')
      if (value.feedbackToken !== undefined)
        Object.assign(value, { dateFeedbackToken: value.feedbackToken ? new Date().toISOString() : null })
    },
    /** The time zone of a new branch (day.md §1): the clinic's by default. */
    async beforeCreate({ tx }, value) {
      value.timeZone ||= (await tx.one<{ zone: string }>(sql`select ${clinicZone} as zone`))?.zone ?? null
    },
    afterCreate: ({ tx }, row, value) => keepToken(tx, row.id, value.feedbackToken),
    beforeUpdate({ tx }, value, before) {
      if (value.timeZone !== undefined && !value.timeZone && before.timeZone)
        throw new ValidationError([{ field: 'timeZone', message: 'Укажите часовой пояс филиала' }])
      return keepToken(tx, before.id, value.feedbackToken)
    },
    async afterUpdate(context, row, before) {
      if (row.active !== before.active) await following?.(context, row.id)
    },
  },
})

const pointless = (field: string) =>
  new ValidationError([{ field, message: 'Для точки на карте нужны и широта, и долгота' }])

/**
 * Stored apart from the branch, so that no response, export or history contains it; read only by the adapter of the
 * feedback service.
 */
async function keepToken(tx: WriteContext['tx'], idFilial: number, token: string | null | undefined): Promise<void> {
  if (token === undefined) return
  await tx.query(
    token
      ? sql`insert into filial_tokens ("idFilial", "token") 
          values (${idFilial}, ${tx.cipher.encrypt('filial_tokens.token', idFilial, token)})
          on conflict ("idFilial") do update set "token" = excluded."token"`
      : sql`delete from filial_tokens where "idFilial" = ${idFilial}`,
  )
}

export const filialHolidays = records(FilialHoliday, {
  hooks: {
    prepare(value, before) {
      for (const side of ['start', 'end'] as const)
        if (value[side]) value[side] = parseTime(value[side]) ?? value[side].trim()
      const { start, end } = { ...before, ...value }
      if (!start && !end) return
      const message = hoursError({ start, end })
      const field = message?.startsWith('начало') ? 'start' : 'end'
      if (message) throw new ValidationError([{ field, message: `${message[0]?.toUpperCase()}${message.slice(1)}` }])
    },
  },
})

/** A picture: visible to its author, and to everyone once it is attached to a branch. */
export const filialFiles = fileRecords(FilialFile, {
  unless: 'mainSettings',
  view: ({ row, me }) => sql`(${row}."idUser" = ${me}
    or exists (select 1 from filials_gallery g where g."idFileRegister" = ${row}."id" and not g."deleted")
    or exists (select 1 from filials f
      where (f."cardImage" = ${row}."id" or f."backgroundImage" = ${row}."id") and not f."deleted"))`,
})

export const filialGallery = records(FilialPicture, {
  computed: { url: ({ row }) => sql`'/files/' || ${row}."idFileRegister"` },
})

/** Sets days of several branches at once: each is written separately, so that its history records it. */
export const specialDays = operation(filialCalls.specialDays, ({ records: all, body }) =>
  all.tx(async (inner, tx) => {
    const { filials, days, start, end } = body
    const there = await tx.query<{ id: number; idFilial: number; day: string }>(sql`
      select "id"::int as id, "idFilial"::int as "idFilial", "day"::text as day from filials_holidays
      where "idFilial" = any(${filials}::bigint[]) and "day" = any(${days.map(({ day }) => day)}::date[]) and not "deleted"`)
    const known = new Map(there.map((one) => [`${one.idFilial} ${one.day}`, one.id]))
    let made = 0
    for (const idFilial of new Set(filials))
      for (const { day, reason } of days) {
        const id = known.get(`${idFilial} ${day}`)
        if (id === undefined) await inner.create(FilialHoliday, { idFilial, day, reason, start, end })
        else await inner.update(FilialHoliday, id, { reason, start, end })
        if (id === undefined) made += 1
      }
    return { made, changed: new Set(filials).size * days.length - made }
  }),
)
