import { ServiceDuration, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import sql, { type Sql } from 'sql-template-tag'
import { records } from '#records/define.ts'

export const performers = records(ServicePerformer)
export const durations = records(ServiceDuration)

/** SQL of the default minutes of a service: by the rule for all, else for a primary visit. */
export const minutesSql = (idService: Sql): Sql => sql`(select d."minutes" from service_durations d
  where d."idService" = ${idService} and not d."deleted" and d."idUser" is null and d."idFilial" is null
    and (d."visit" is null or d."visit" = 'primary')
  order by d."visit" nulls first limit 1)`
