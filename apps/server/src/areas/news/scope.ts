/** Scopes of news and their records, as SQL for the engine. */
import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from '#records/define.ts'

/** Users with this right edit news, and see inactive ones. */
const unless = 'editNews'

export const newsScope: Scope = { unless, view: ({ row }) => sql`${row}."active"` }

const isShown = (idNews: Sql): Sql =>
  sql`exists (select 1 from news n where n."id" = ${idNews} and n."active" and not n."deleted")`

/** A picture: visible to its author, and with a news item that contains it. */
export const newsFileScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or exists (select 1 from news_images i
    where i."idFileRegister" = ${row}."id" and not i."deleted" and ${isShown(sql`i."idNews"`)}))`,
}

/** Comments: visible with the news item; everyone writes their own. */
export const newsCommentScope: Scope = {
  unless,
  view: ({ row }) => isShown(sql`${row}."idNews"`),
  create: ({ row, me }) => sql`(${row}."idUser" = ${me} and ${isShown(sql`${row}."idNews"`)})`,
  update: ({ row, me }) => sql`(${row}."idUser" = ${me} and not ${row}."isSystem")`,
}

/** Read marks: own ones only. */
export const newsReadScope: Scope = { unless, view: ({ row, me }) => sql`${row}."idUser" = ${me}` }
