/** Who sees which news and what belongs to them, as SQL for the engine. */
import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from '#records/define.ts'

/** Holders write news, and see those that are not active. */
const unless = 'editNews'

export const newsScope: Scope = { unless, view: ({ row }) => sql`${row}."active"` }

const isShown = (idNews: Sql): Sql =>
  sql`exists (select 1 from news n where n."id" = ${idNews} and n."active" and not n."deleted")`

/** A picture: of whoever sent it, and of whoever sees a news item that it stands in. */
export const newsFileScope: Scope = {
  unless,
  view: ({ row, me }) => sql`(${row}."idUser" = ${me} or exists (select 1 from news_images i
    where i."idFileRegister" = ${row}."id" and not i."deleted" and ${isShown(sql`i."idNews"`)}))`,
}

/** Comments: of all who see the news item; each writes his own. */
export const newsCommentScope: Scope = {
  unless,
  view: ({ row }) => isShown(sql`${row}."idNews"`),
  create: ({ row, me }) => sql`(${row}."idUser" = ${me} and ${isShown(sql`${row}."idNews"`)})`,
  update: ({ row, me }) => sql`(${row}."idUser" = ${me} and not ${row}."isSystem")`,
}

/** Who has read: each knows it of himself. */
export const newsReadScope: Scope = { unless, view: ({ row, me }) => sql`${row}."idUser" = ${me}` }
