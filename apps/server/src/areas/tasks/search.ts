import sql, { type Sql } from 'sql-template-tag'
import type { RowSql } from '#records/define.ts'

/** Rich text without tags, so that a search does not match tag names. */
const plain = (html: Sql): Sql => sql`regexp_replace(${html}, '<[^>]*>', '', 'g')`

const commentsOf = ({ row }: RowSql): Sql => sql`tasks_management_comments tc
  where tc."type" = 'task' and tc."idEntity" = ${row}."id" and not tc."isSystem" and not tc."deleted"`

/** Name, description and comments of a task. Its comments are visible to all who see it. */
export const taskText = (
  about: RowSql,
): Sql => sql`concat_ws(' ', ${about.row}."name", ${plain(sql`${about.row}."description"`)},
  (select string_agg(${plain(sql`tc."message"`)}, ' ') from ${commentsOf(about)}))`

/**
 * The same in parts. The raw texts are matched first: tags are stripped only if the pattern occurs at all. The comments
 * are searched per task, or all at once by their trigrams: PostgreSQL chooses the cheaper way.
 */
export const taskContains = (about: RowSql, pattern: Sql): Sql => {
  const has = (html: Sql) => sql`${html} ilike ${pattern} and ${plain(html)} ilike ${pattern}`
  return sql`${about.row}."name" ilike ${pattern} or ${has(sql`${about.row}."description"`)}
    or exists (select 1 from ${commentsOf(about)} and ${has(sql`tc."message"`)})`
}
