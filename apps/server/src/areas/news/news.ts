import { News, NewsFile, NewsImage, NewsRead } from '@ordinator/model/areas/news/news'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { ValidationError } from '#platform/errors.ts'
import { count, records } from '#records/define.ts'
import { newsFileScope, newsReadScope, newsScope } from './scope.ts'

export const newsRecords = records(News, {
  found: { on: 'newsItem', group: 'Новости', by: ['title'], opens: ({ row }) => sql`'/news/' || ${row}."id"` },
  awaiting: { page: 'news', of: () => ({ 'filter[active]': '1', 'filter[isRead]': '0' }) },
  scope: newsScope,
  computed: {
    isRead: ({ row, me }) =>
      sql`exists (select 1 from news_reads d where d."idNews" = ${row}."id" and d."idUser" = ${me} and not d."deleted")`,
    readsTotalCount: count('reads', { whoever: true }),
    commentsTotalCount: count('comments'),
  },
  hooks: {
    beforeCreate(_context, value) {
      if (value.active) stampActive(value)
    },
    beforeUpdate(_context, value, before) {
      // A repeat from outside is recognized by its source and id.
      if (before.idExternal !== null && value.source !== undefined && value.source !== before.source)
        throw new ValidationError([{ field: 'source', message: 'Источник пришедшей снаружи новости не меняется' }])
      if (value.active && before.dateActive === null) stampActive(value)
    },
  },
})

export const newsFiles = fileRecords(NewsFile, newsFileScope)

export const newsImages = records(NewsImage, {
  computed: { url: ({ row }) => sql`'/files/' || ${row}."idFileRegister" || '/' || ${row}."size"` },
})

export const newsReads = records(NewsRead, { scope: newsReadScope })

/** System code may set another time. */
const stampActive = (value: object): void =>
  void Object.assign(value, { dateActive: new Date().toISOString(), ...value })
