import sql from 'sql-template-tag'
import type { RowCondition } from '../../records/define.ts'

/** The computed fields of every file entity. */
export const fileComputed: Record<string, RowCondition> = { url: ({ row }) => sql`'/files/' || ${row}."id"` }
