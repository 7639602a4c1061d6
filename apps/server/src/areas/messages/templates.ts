import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import { MessageTemplate, templateErrors } from '@ordinator/model/areas/messages/messageTemplate'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { lineCountsSql } from '#areas/counted/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { searchTarget } from '#records/searchTarget.ts'

const defaults = { channel: null, delay: 0, active: false, services: [] }

export const messageTemplates = records(MessageTemplate, {
  found: searchTarget('messageTemplates'),
  hooks: {
    prepare(value, before) {
      const errors = templateErrors({ ...defaults, ...before, ...value } as Row<typeof MessageTemplate>)
      if (errors.length) throw new ValidationError(errors)
    },
    beforeCreate(_context, value) {
      if (value.active) Object.assign(value, { dateActive: new Date().toISOString() })
    },
    /** Events before enabling the template, or before a change of its event, are not announced. */
    beforeUpdate(_context, value, before) {
      const isNew = value.event !== undefined && value.event !== before.event
      if (value.active ? !before.active || isNew : isNew && before.active)
        Object.assign(value, { dateActive: new Date().toISOString() })
    },
  },
})

/** SQL condition: the template `t` applies to an event of this branch and this visit; either may be null. */
export const suitsSql = (
  idFilial: Sql,
  idAppointment: Sql,
  t = raw('t'),
): Sql => sql`(${t}."active" and not ${t}."deleted"
  and (${t}."filials" = '{}' or ${idFilial} = any (${t}."filials"))
  and (${t}."services" = '{}' or exists (select from coupons tc join coupon_services tl on tl."idCoupon" = tc."id"
    where tc."idAppointment" = ${idAppointment} and not tc."deleted" and ${lineCountsSql(raw('tl'))} and tl."idService" = any (${t}."services"))))`

/** SQL of the events that have an applicable template. */
export const spokenOfSql = (events: readonly MessageEvent[], idFilial: Sql, idAppointment: Sql): Sql => sql`array(
  select distinct t."event" from message_templates t
  where t."event" = any (${events}::text[]) and ${suitsSql(idFilial, idAppointment)})`
