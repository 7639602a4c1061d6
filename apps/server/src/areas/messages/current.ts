import type { MessageWay } from '@ordinator/model/areas/messages/events'
import sql, { raw, type Sql } from 'sql-template-tag'
import { mayAdvertiseSql } from '#areas/consents/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { LATE_DAYS, stillSql } from './collect.ts'
import type { About } from './texts.ts'
import { phoneSql, refusedSql } from './ways.ts'

/** A message in its current state, with what may prevent sending it now. */
export interface Current extends About {
  id: number
  key: string
  repeats: number
  phone: string | null
  /** The number to send to: that of the card, when an employee has corrected it since the message was made. */
  phoneNow: string | null
  email: string | null
  text: string
  channel: MessageWay | null
  tried: MessageWay[]
  idLine: number | null
  reason: string | null
  advertising: boolean
  /** Reason why it is outdated. */
  stale: string | null
  /** The next allowed time in the branch's time zone. */
  nextHours: string
  /** Channels with the patient's consent to advertising. */
  agreed: MessageWay[]
  /** Channels refused by the patient. */
  refused: MessageWay[]
  /** In the branch's time zone. */
  clock: string
}

const zone = sql`coalesce(nullif(f."timeZone", ''), ${clinicZone})`

/** SQL of `Current` up to its condition; the message is `m`. */
export const currentSql = ({ start, end }: { start: string; end: string }): Sql => sql`
  select m."id", m."key", m."repeats", m."event", m."idCustomer", m."idAppointment", m."idFilial", m."sum"::float8 as sum,
    m."phone", m."email", case when exists (select from customer_phone_changes x
      where x."idCustomer" = p."id" and x."former" = m."phone") then ${phoneSql} else m."phone" end as "phoneNow", coalesce(m."text", '') as text, m."channel", m."tried", m."idLine", m."reason", m."advertising", m."idTemplate",
    case when p."deleted" or p."dateDeath" is not null then 'Карта клиента удалена, или он умер'
      when not ${stillSql} then case when m."dateFrom" is null then 'Это уже не так' else 'Визит изменился раньше' end
      when m."repeats" = 0 and m."dateFrom" is null and m."dateCreate" < now() - make_interval(days => ${LATE_DAYS})
        then 'Писать об этом уже поздно' end as stale,
    ((now() at time zone ${zone})::date + ${start}::time
      + case when to_char(now() at time zone ${zone}, 'HH24:MI') > ${end} then interval '1 day' else interval '0' end)
      at time zone ${zone} as "nextHours",
    array(select way from unnest(array['messenger', 'sms', 'email']) way
      where ${mayAdvertiseSql(raw('m."idCustomer"'), raw('way'))}) as agreed, ${refusedSql} as refused,
    to_char(now() at time zone ${zone}, 'HH24:MI') as clock
  from messages m join customers p on p."id" = m."idCustomer" left join appointments a on a."id" = m."idAppointment"
    left join filials f on f."id" = m."idFilial"`
