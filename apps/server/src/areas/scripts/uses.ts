import sql, { type Sql } from 'sql-template-tag'

/** `from … where …` of the funnels with a script; the funnel is `uf`. */
export const funnelsWith = (idScript: Sql): Sql => sql`
  from sales_management_funnel_scripts us
  join sales_management_funnels uf on uf."id" = us."idFunnel" and not uf."deleted"
  where us."idScript" = ${idScript} and not us."deleted"`

/** The same for the steps (`ut`) of regulations (`ur`); archived versions do not count. */
export const stepsWith = (idScript: Sql): Sql => sql`
  from regulations_step_scripts us
  join regulations_steps ut on ut."id" = us."idStep" and not ut."deleted"
  join regulations ur on ur."id" = ut."idRegulation" and not ur."deleted" and ur."status" <> 'archived'
  where us."idScript" = ${idScript}`
